#include "crippen.h"

#include <GraphMol/Descriptors/Crippen.h>
#include <GraphMol/QueryAtom.h>
#include <GraphMol/QueryBond.h>
#include <GraphMol/QueryOps.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>

namespace {

using RDKit::Atom;
using RDKit::Bond;
using RDKit::ROMol;

// An atom of a pattern after the first: the bond that ties it to one before.
struct Step {
  const Atom* atom = nullptr;
  const Bond* bond = nullptr;
  unsigned before = 0;
};

struct Pattern {
  const Atom* first = nullptr;
  std::vector<Step> steps;
  double partition = 0;
  double refraction = 0;
};

constexpr int kElements = 119;
constexpr std::size_t kMostAtoms = 8;  // of a pattern

// Whether an atom of the element, aromatic or not, may match; true where the query does not tell.
bool may_match(const Atom::QUERYATOM_QUERY& query, int element, bool is_aromatic) {
  const std::string& what = query.getDescription();
  if (what == "AtomAtomicNum" || what == "AtomType") {
    const auto* equal = dynamic_cast<const RDKit::ATOM_EQUALS_QUERY*>(&query);
    if (equal == nullptr) return true;
    // A type is 1000 more for aromatic atoms.
    const int meant = what == "AtomType" && is_aromatic ? element + 1000 : element;
    return (equal->getVal() == meant) != query.getNegation();
  }
  if (query.getNegation()) return true;
  const bool is_or = what == "AtomOr";
  if (!is_or && what != "AtomAnd") return true;
  for (auto child = query.beginChildren(); child != query.endChildren(); ++child)
    if (may_match(**child, element, is_aromatic) == is_or) return is_or;
  return !is_or;
}

// The patterns of RDKit's table that may begin at an atom of each element, aromatic or not, in its order.
struct Table {
  std::vector<Pattern> all;
  std::array<std::vector<const Pattern*>, std::size_t{2} * kElements> of_element;

  Table() {
    const auto* parameters = RDKit::Descriptors::CrippenParamCollection::getParams();
    for (const auto& one : *parameters) {
      const ROMol& molecule = *one.dp_pattern;
      Pattern pattern;
      pattern.first = molecule.getAtomWithIdx(0);
      pattern.partition = one.logp;
      pattern.refraction = one.mr;
      for (unsigned i = 1; i < molecule.getNumAtoms(); ++i)
        for (unsigned before = 0; before < i; ++before)
          if (const Bond* bond = molecule.getBondBetweenAtoms(i, before))
            pattern.steps.push_back({molecule.getAtomWithIdx(i), bond, before});
      all.push_back(std::move(pattern));
    }
    for (int kind = 0; kind < 2 * kElements; ++kind)
      for (const Pattern& pattern : all)
        if (may_match(*pattern.first->getQuery(), kind / 2, kind % 2 == 1))
          of_element[static_cast<std::size_t>(kind)].push_back(&pattern);
  }
};

// Whether the atoms of the pattern from `step` on can be found; patterns are trees.
bool extends(const ROMol& molecule, const Pattern& pattern, std::size_t step,
             std::array<const Atom*, kMostAtoms>& found) {
  if (step == pattern.steps.size()) return true;
  const Step& next = pattern.steps[step];
  for (const Bond* bond : molecule.atomBonds(found[next.before])) {
    const Atom* const atom = bond->getOtherAtom(found[next.before]);
    const auto end = found.begin() + static_cast<std::ptrdiff_t>(step) + 1;
    if (std::find(found.begin(), end, atom) != end) continue;
    if (!next.atom->Match(atom) || !next.bond->Match(bond)) continue;
    found[step + 1] = atom;
    if (extends(molecule, pattern, step + 1, found)) return true;
  }
  return false;
}

bool begins_at(const ROMol& molecule, const Pattern& pattern, const Atom* atom) {
  if (!pattern.first->Match(atom)) return false;
  std::array<const Atom*, kMostAtoms> found{};
  found[0] = atom;
  return extends(molecule, pattern, 0, found);
}

const Pattern* first_pattern(const ROMol& molecule, const Table& table, const Atom* atom) {
  const int kind = 2 * std::min(atom->getAtomicNum(), kElements - 1) + (atom->getIsAromatic() ? 1 : 0);
  for (const Pattern* pattern : table.of_element[static_cast<std::size_t>(kind)])
    if (begins_at(molecule, *pattern, atom)) return pattern;
  return nullptr;
}

// All that the patterns of carbon look at: hydrogens, connections, and of each neighbor its bond, its element
// and whether it is aromatic. 0 where that does not fit: more than four neighbors.
std::uint64_t surroundings_of_carbon(const ROMol& molecule, const Atom* atom) {
  if (atom->getDegree() > 4) return 0;
  std::array<std::uint64_t, 4> neighbors{};
  std::size_t count = 0;
  for (const Bond* bond : molecule.atomBonds(atom)) {
    const Atom* const other = bond->getOtherAtom(atom);
    neighbors[count++] = static_cast<std::uint64_t>(other->getAtomicNum() & 127) << 7 |
                         static_cast<std::uint64_t>(other->getIsAromatic() ? 1 : 0) << 6 |
                         static_cast<std::uint64_t>(bond->getIsAromatic() ? 1 : 0) << 5 |
                         static_cast<std::uint64_t>(bond->getBondType() & 31);
  }
  std::sort(neighbors.begin(), neighbors.begin() + static_cast<std::ptrdiff_t>(count));
  const unsigned hydrogens = atom->getTotalNumHs(true);
  if (hydrogens > 7 || atom->getTotalDegree() > 7) return 0;
  std::uint64_t key = 1;  // never 0
  key = key << 1 | (atom->getIsAromatic() ? 1u : 0u);
  key = key << 3 | hydrogens;
  key = key << 3 | atom->getTotalDegree();
  for (const std::uint64_t one : neighbors) key = key << 14 | one;
  return key;
}

}  // namespace

void crippen_contributions(const ROMol& molecule, std::vector<double>& partition,
                           std::vector<double>& refraction) {
  static const Table table;
  // Most atoms are carbons in surroundings that were seen before.
  thread_local std::unordered_map<std::uint64_t, const Pattern*> carbons;
  partition.assign(molecule.getNumAtoms(), 0);
  refraction.assign(molecule.getNumAtoms(), 0);
  for (const Atom* atom : molecule.atoms()) {
    const std::uint64_t key = atom->getAtomicNum() == 6 ? surroundings_of_carbon(molecule, atom) : 0;
    const Pattern* pattern = nullptr;
    if (key == 0) {
      pattern = first_pattern(molecule, table, atom);
    } else if (const auto seen = carbons.find(key); seen != carbons.end()) {
      pattern = seen->second;
    } else {
      pattern = first_pattern(molecule, table, atom);
      carbons.emplace(key, pattern);
    }
    if (pattern == nullptr) continue;
    partition[atom->getIdx()] = pattern->partition;
    refraction[atom->getIdx()] = pattern->refraction;
  }
}
