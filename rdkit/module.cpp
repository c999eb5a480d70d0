// The module libtwofold_rdkit.so: SMILES, scaffolds and drawings by RDKit (twofold/io/rdkit_interface.h).
#include <GraphMol/ChemTransforms/ChemTransforms.h>
#include <GraphMol/Depictor/RDDepictor.h>
#include <GraphMol/Descriptors/MolSurf.h>
#include <GraphMol/GraphMol.h>
#include <GraphMol/MolDraw2D/MolDraw2DSVG.h>
#include <GraphMol/MolDraw2D/MolDraw2DUtils.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>
#include <RDGeneral/RDLog.h>
#include <RDGeneral/versions.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "crippen.h"
#include "twofold/io/rdkit_interface.h"

namespace {

using RDKit::Atom;
using RDKit::Bond;
using RDKit::ROMol;

// The molecule with the arrays that the interface points to.
struct OwnedMolecule : TwofoldMolecule {
  std::vector<int> labels, ends, types;
  std::vector<double> values, bond_data;
};

char* copy_text(const std::string& text) {
  char* copy = new char[text.size() + 1];
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

// RDKit tells a syntax error to its log alone, which is closed; what chemistry forbids is thrown.
std::unique_ptr<ROMol> parse(const char* smiles) {
  try {
    return std::unique_ptr<ROMol>(RDKit::SmilesToMol(smiles));
  } catch (...) {
    return nullptr;
  }
}

void add_one_of(std::vector<double>& values, int found, int count) {
  for (int value = 0; value < count; ++value) values.push_back(found == value ? 1 : 0);
}

// The order of docs/molecules.md. Nothing depends on the order of the atoms in the SMILES: R and S by the rules
// of Cahn, Ingold and Prelog, not RDKit's tags, which follow that order.
void add_atom_values(const ROMol& molecule, const Atom& atom, int hydrogens, std::vector<double>& values) {
  const RDKit::RingInfo& rings = *molecule.getRingInfo();
  // As getTotalDegree, which counts the hydrogens again.
  add_one_of(values, static_cast<int>(atom.getDegree()) + hydrogens, 5);
  add_one_of(values, hydrogens, 5);
  values.push_back(atom.getFormalCharge());
  for (const auto kind : {Atom::SP, Atom::SP2, Atom::SP3})
    values.push_back(atom.getHybridization() == kind ? 1 : 0);
  values.push_back(rings.numAtomRings(atom.getIdx()) > 0 ? 1 : 0);
  for (const unsigned size : {5u, 6u}) values.push_back(rings.isAtomInRingOfSize(atom.getIdx(), size) ? 1 : 0);
  std::string code;
  if (atom.getChiralTag() != Atom::CHI_UNSPECIFIED)
    atom.getPropIfPresent(RDKit::common_properties::_CIPCode, code);
  for (const char* hand : {"R", "S"}) values.push_back(code == hand ? 1 : 0);
}

void add_bond_values(const ROMol& molecule, const Bond& bond, std::vector<double>& values) {
  values.push_back(bond.getIsConjugated() ? 1 : 0);
  values.push_back(molecule.getRingInfo()->numBondRings(bond.getIdx()) > 0 ? 1 : 0);
  for (const auto stereo : {Bond::STEREOE, Bond::STEREOZ}) values.push_back(bond.getStereo() == stereo ? 1 : 0);
}

// What each atom adds to properties of the whole molecule: octanol-water logP and molar refractivity (Crippen),
// polar surface, surface (Labute).
struct Contributions {
  explicit Contributions(const ROMol& molecule)
      : polar(molecule.getNumAtoms()), surface(molecule.getNumAtoms()) {
    crippen_contributions(molecule, partition, refraction);
    RDKit::Descriptors::getTPSAAtomContribs(molecule, polar);
    double hydrogens = 0;
    RDKit::Descriptors::getLabuteAtomContribs(molecule, surface, hydrogens);
  }
  std::vector<double> partition, refraction, polar, surface;
};

// What the whole molecule is like, the same for each of its atoms: networks that average over atoms cannot
// count them. The order of docs/molecules.md.
std::vector<double> whole_values(const ROMol& molecule, const std::vector<int>& all_hydrogens,
                                 const Contributions& parts) {
  // Hydrogens are no atoms here: what one adds to logP by Crippen's usual kinds, on carbon, nitrogen, oxygen
  // and others, and to refractivity.
  constexpr double kOnCarbon = 0.123, kOnNitrogen = 0.2142, kOnOxygen = -0.2677, kOnOther = 0.1125,
                   kRefraction = 1.057;
  const double atoms = molecule.getNumAtoms();
  double partition = 0, refraction = 0, polar = 0, surface = 0, weight = 0;
  int donors = 0, acceptors = 0, rotatable = 0, aromatic = 0, tetrahedral = 0, halogens = 0, charges = 0;
  for (const Atom* atom : molecule.atoms()) {
    const unsigned i = atom->getIdx();
    const int element = atom->getAtomicNum();
    const int hydrogens = all_hydrogens[i];
    partition += parts.partition[i] + hydrogens * (element == 6   ? kOnCarbon
                                                   : element == 7 ? kOnNitrogen
                                                   : element == 8 ? kOnOxygen
                                                                  : kOnOther);
    refraction += parts.refraction[i] + hydrogens * kRefraction;
    polar += parts.polar[i];
    surface += parts.surface[i];
    weight += atom->getMass() + hydrogens * 1.008;
    const bool is_polar = element == 7 || element == 8;
    acceptors += is_polar;
    donors += is_polar && hydrogens > 0;
    aromatic += atom->getIsAromatic();
    tetrahedral += atom->getHybridization() == Atom::SP3;
    halogens += element == 9 || element == 17 || element == 35 || element == 53;
    charges += std::abs(atom->getFormalCharge());
  }
  for (const Bond* bond : molecule.bonds())
    rotatable += bond->getBondType() == Bond::SINGLE &&
                 molecule.getRingInfo()->numBondRings(bond->getIdx()) == 0 &&
                 bond->getBeginAtom()->getDegree() > 1 && bond->getEndAtom()->getDegree() > 1;
  // Sums in another order differ in their last digits: to be the same for every SMILES they are cut.
  const auto cut = [](double value) { return std::round(value * 1e4) / 1e4; };
  return {cut(partition),
          cut(refraction),
          cut(polar),
          cut(surface),
          atoms,
          cut(weight),
          static_cast<double>(donors),
          static_cast<double>(acceptors),
          static_cast<double>(rotatable),
          static_cast<double>(molecule.getRingInfo()->numRings()),
          aromatic / atoms,
          tetrahedral / atoms,
          static_cast<double>(halogens),
          static_cast<double>(charges)};
}

TwofoldMolecule* read_molecule(const char* smiles, int features) {
  const std::unique_ptr<ROMol> molecule = parse(smiles);
  if (molecule == nullptr) return nullptr;
  auto result = std::make_unique<OwnedMolecule>();
  constexpr int kAtomValues = 19, kRichValues = 4, kBondValues = 4;
  const bool is_full = features >= kTwofoldFull, is_rich = features >= kTwofoldRich;
  std::unique_ptr<Contributions> rich;
  if (is_rich) rich = std::make_unique<Contributions>(*molecule);
  // Each is asked for once: RDKit counts anew every time.
  std::vector<int> hydrogens;
  for (const Atom* atom : molecule->atoms())
    if (is_full) hydrogens.push_back(static_cast<int>(atom->getTotalNumHs()));
  std::vector<double> whole;
  if (features >= kTwofoldWhole && molecule->getNumAtoms() > 0)
    whole = whole_values(*molecule, hydrogens, *rich);
  const int num_values =
      (is_full ? kAtomValues : 0) + (is_rich ? kRichValues : 0) + static_cast<int>(whole.size());
  result->labels.reserve(molecule->getNumAtoms());
  result->values.reserve(static_cast<std::size_t>(num_values) * molecule->getNumAtoms());
  for (const Atom* atom : molecule->atoms()) {
    result->labels.push_back(2 * atom->getAtomicNum() + (atom->getIsAromatic() ? 1 : 0));
    if (is_full) add_atom_values(*molecule, *atom, hydrogens[atom->getIdx()], result->values);
    if (is_rich)
      for (const auto* part : {&rich->partition, &rich->refraction, &rich->polar, &rich->surface})
        result->values.push_back((*part)[atom->getIdx()]);
    result->values.insert(result->values.end(), whole.begin(), whole.end());
  }
  for (const Bond* bond : molecule->bonds()) {
    result->ends.push_back(static_cast<int>(bond->getBeginAtomIdx()));
    result->ends.push_back(static_cast<int>(bond->getEndAtomIdx()));
    result->types.push_back(static_cast<int>(bond->getBondType()));
    if (is_full) add_bond_values(*molecule, *bond, result->bond_data);
  }
  result->num_atoms = static_cast<int>(result->labels.size());
  result->atom_labels = result->labels.data();
  result->num_atom_values = num_values;
  result->atom_values = result->values.data();
  result->num_bonds = static_cast<int>(result->types.size());
  result->bond_ends = result->ends.data();
  result->bond_labels = result->types.data();
  result->num_bond_values = is_full ? kBondValues : 0;
  result->bond_values = result->bond_data.data();
  return result.release();
}

void release_molecule(TwofoldMolecule* molecule) { delete static_cast<OwnedMolecule*>(molecule); }

// The first line of what RDKit says, without the time and what repeats the text.
std::string first_line(std::string text) {
  if (text.size() > 10 && text[0] == '[')
    text.erase(0, text.find("] ") == std::string::npos ? 0 : text.find("] ") + 2);
  const std::string prefix = "SMILES Parse Error: ";
  if (text.rfind(prefix, 0) == 0) text.erase(0, prefix.size());
  text.erase(std::min(text.find('\n'), text.size()));
  for (const char* rest : {" for input:", " while parsing:"})
    if (const auto at = text.find(rest); at != std::string::npos) text.erase(at);
  return text;
}

char* refusal_of(const char* smiles) {
  std::ostringstream said;
  const auto before = rdErrorLog;
  rdErrorLog = std::make_shared<boost::logging::rdLogger>(&said);
  std::string reason;
  try {
    delete RDKit::SmilesToMol(smiles);
  } catch (const std::exception& error) {
    reason = error.what();
  } catch (...) {
    reason = "RDKit failed";
  }
  rdErrorLog = before;
  if (reason.empty()) reason = said.str();
  reason = first_line(reason);
  return copy_text(reason.empty() ? "no valid SMILES" : reason);
}

char* scaffold_of(const char* smiles) {
  try {
    const std::unique_ptr<ROMol> molecule = parse(smiles);
    if (molecule == nullptr) return nullptr;
    const std::unique_ptr<ROMol> scaffold(RDKit::MurckoDecompose(*molecule));
    return copy_text(scaffold == nullptr ? "" : RDKit::MolToSmiles(*scaffold, false));
  } catch (...) {
    return nullptr;
  }
}

RDKit::DrawColour color_at(const double* colors, std::ptrdiff_t index) {
  return {colors[3 * index], colors[3 * index + 1], colors[3 * index + 2]};
}

char* draw_molecule(const TwofoldDrawing* drawing) {
  try {
    const std::unique_ptr<ROMol> molecule = parse(drawing->smiles);
    if (molecule == nullptr || static_cast<int>(molecule->getNumAtoms()) != drawing->num_atoms) return nullptr;
    RDKit::RWMol prepared(*molecule);
    RDKit::MolDraw2DUtils::prepareMolForDrawing(prepared);
    std::vector<int> atoms, bonds;
    std::map<int, RDKit::DrawColour> atom_colors, bond_colors;
    for (int i = 0; i < drawing->num_atoms; ++i) {
      if (drawing->atom_colors[std::ptrdiff_t{3} * i] < 0) continue;
      atoms.push_back(i);
      atom_colors[i] = color_at(drawing->atom_colors, i);
    }
    for (std::ptrdiff_t i = 0; i < drawing->num_bonds; ++i) {
      if (drawing->bond_colors[3 * i] < 0) continue;
      const Bond* bond = prepared.getBondBetweenAtoms(static_cast<unsigned>(drawing->bond_ends[2 * i]),
                                                      static_cast<unsigned>(drawing->bond_ends[2 * i + 1]));
      if (bond == nullptr) continue;
      const int index = static_cast<int>(bond->getIdx());
      bonds.push_back(index);
      bond_colors[index] = color_at(drawing->bond_colors, i);
    }
    RDKit::MolDraw2DSVG drawer(drawing->width, drawing->height);
    drawer.drawOptions().clearBackground = false;
    drawer.drawOptions().fillHighlights = true;
    drawer.drawOptions().highlightBondWidthMultiplier = 16;
    drawer.drawMolecule(prepared, &atoms, &bonds, &atom_colors, &bond_colors);
    for (int i = 0; i < drawing->num_atoms; ++i) {
      const auto point = drawer.getDrawCoords(i);
      drawing->atom_points[std::ptrdiff_t{2} * i] = point.x;
      drawing->atom_points[std::ptrdiff_t{2} * i + 1] = point.y;
    }
    drawer.finishDrawing();
    return copy_text(drawer.getDrawingText());
  } catch (...) {
    return nullptr;
  }
}

void release_text(char* text) { delete[] text; }

}  // namespace

const TwofoldRdkit* twofold_rdkit() {
  static const TwofoldRdkit table = {kTwofoldRdkitInterface, RDKit::rdkitVersion, read_molecule,
                                     release_molecule,       refusal_of,          scaffold_of,
                                     draw_molecule,          release_text};
  return &table;
}
