#include "twofold/io/molecules.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "twofold/base/error.h"
#include "twofold/base/parallel.h"
#include "twofold/base/printable.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/io/csv_table.h"
#include "twofold/io/rdkit.h"

namespace twofold::io {
namespace {

constexpr const char* kElements =
    "* H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr "
    "Y Zr "
    "Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os "
    "Ir Pt "
    "Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh "
    "Fl Mc Lv "
    "Ts Og";

// 2 * atomic number + aromatic.
std::string atom_name(Label code) {
  std::string_view rest = kElements;
  for (Label z = 0; z < code / 2 && !rest.empty(); ++z)
    rest.remove_prefix(std::min(rest.find(' '), rest.size() - 1) + 1);
  const std::string symbol(rest.substr(0, rest.find(' ')));
  return (code % 2 == 1 ? "aromatic " : "") + (symbol.empty() ? fmt::format("element {}", code / 2) : symbol);
}

// RDKit's numbers of bond types.
std::string bond_name(Label code) {
  switch (code) {
    case 1:
      return "single";
    case 2:
      return "double";
    case 3:
      return "triple";
    case 4:
      return "quadruple";
    case 12:
      return "aromatic";
    case 17:
      return "dative";
    case 21:
      return "zero";
    default:
      return fmt::format("bond {}", code);
  }
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string without_blanks(const std::string& text) {
  const auto start = text.find_first_not_of(" \t\r\n");
  return start == std::string::npos ? "" : text.substr(start, text.find_last_not_of(" \t\r\n") + 1 - start);
}

bool is_missing(const std::string& cell) {
  const std::string word = lower(cell);
  return word.empty() || word == "nan" || word == "na" || word == "n/a" || word == "null" || word == "none";
}

std::optional<double> cell_number(const std::string& cell) {
  double value = 0;
  const char* const end = cell.data() + cell.size();
  const char* const begin = cell.data() + (!cell.empty() && cell[0] == '+');
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

// One column of the table.
struct Column {
  std::string name;
  std::size_t index = 0;
  bool is_numeric = true;  // every known cell is a number
  bool is_whole = true;    // and a whole one
  std::size_t known = 0;
};

Column look_at_column(const CsvTable& table, std::size_t index) {
  Column column{table.header[index], index};
  for (const auto& row : table.rows) {
    if (is_missing(row[index])) continue;
    ++column.known;
    const std::optional<double> value = cell_number(row[index]);
    column.is_numeric = column.is_numeric && value;
    column.is_whole = column.is_whole && value && *value == std::floor(*value) && std::abs(*value) < 1e15;
  }
  return column;
}

std::string names_text(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

std::size_t smiles_column(const CsvTable& table, const MoleculeOptions& options, const std::string& source) {
  const std::size_t found = table.find(options.smiles_column.empty() ? "smiles" : options.smiles_column);
  if (found < table.header.size()) return found;
  if (!options.smiles_column.empty())
    throw UsageError(fmt::format("--smiles-column: {}: needed one of {}, found {}", source,
                                 names_text(table.header), in_quotes(options.smiles_column)));
  throw_input_error(source, 1, "a column smiles (or --smiles-column NAME)", names_text(table.header));
}

// The parts of a column `split`; empty if it says something else.
std::vector<std::string> parts_of(const CsvTable& table, std::size_t column) {
  std::vector<std::string> parts;
  for (const auto& row : table.rows) {
    std::string word = lower(row[column]);
    if (word == "val" || word == "valid") word = "validation";
    if (word == "training") word = "train";
    if (word != "train" && word != "validation" && word != "test") return {};
    parts.push_back(word);
  }
  return parts;
}

// The rows that are read, with what they are to become.
class MoleculeTable {
 public:
  MoleculeTable(std::string_view text, const std::string& source, const MoleculeOptions& options, int threads,
                std::vector<std::string>& notes)
      : table_(read_csv(text, source)), source_(source), options_(options), threads_(threads), notes_(notes) {
    for (auto& row : table_.rows)
      for (std::string& cell : row) cell = without_blanks(cell);
  }

  Dataset read() {
    if (table_.rows.empty()) throw_input_error(source_, 0, "a molecule per row after the header", "no rows");
    smiles_ = smiles_column(table_, options_, source_);
    choose_columns();
    leave_out_unlabeled();
    read_graphs();
    set_targets();
    for (const auto& row : table_.rows) dataset_.smiles.push_back(row[smiles_]);
    if (id_ < table_.header.size())
      for (const auto& row : table_.rows) dataset_.ids.push_back(row[id_]);
    if (split_ < table_.header.size()) dataset_.parts = parts_of(table_, split_);
    dataset_.molecule_features = options_.features;
    return std::move(dataset_);
  }

 private:
  void choose_columns() {
    id_ = table_.find("id");
    split_ = table_.find("split");
    if (split_ < table_.header.size() && parts_of(table_, split_).empty()) split_ = table_.header.size();
    if (!options_.targets.empty()) {
      for (const std::string& name : options_.targets) {
        const std::size_t index = table_.find(name);
        if (index == table_.header.size() || index == smiles_)
          throw UsageError(fmt::format("--target: {}: needed columns out of {}, found {}", source_,
                                       names_text(table_.header), in_quotes(name)));
        Column column = look_at_column(table_, index);
        if (!column.is_numeric && options_.targets.size() > 1) require_numbers(column);
        targets_.push_back(std::move(column));
      }
      return;
    }
    std::vector<Column> texts;
    for (std::size_t c = 0; c < table_.header.size(); ++c) {
      if (c == smiles_ || c == id_ || c == split_ || table_.header[c].empty()) continue;
      Column column = look_at_column(table_, c);
      if (column.known > 0) (column.is_numeric ? targets_ : texts).push_back(std::move(column));
    }
    if (targets_.empty() && texts.size() == 1 && is_class(texts[0])) {
      targets_ = std::move(texts);
      return;
    }
    std::vector<std::string> names;
    for (const Column& column : texts) names.push_back(column.name);
    if (!names.empty())
      notes_.push_back(fmt::format("no target, because not all its cells are numbers: {}", names_text(names)));
  }

  [[noreturn]] void require_numbers(const Column& column) const {
    for (std::size_t i = 0; i < table_.rows.size(); ++i) {
      const std::string& cell = table_.rows[i][column.index];
      if (!is_missing(cell) && !cell_number(cell))
        throw_input_error(source_, table_.lines[i], fmt::format("a number in the column {}", column.name),
                          in_quotes(cell));
    }
    throw_input_error(source_, 0, "numbers", "none");
  }

  // Texts that come again and again.
  bool is_class(const Column& column) const {
    std::set<std::string> different;
    for (const auto& row : table_.rows)
      if (!is_missing(row[column.index])) different.insert(row[column.index]);
    return 2 * different.size() <= column.known || different.size() <= 2;
  }

  bool learns_class() const {
    if (targets_.size() != 1) return false;
    return !targets_[0].is_numeric || targets_[0].is_whole;
  }

  void keep_rows(const std::vector<bool>& kept) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (!kept[i]) continue;
      if (next != i) {
        table_.rows[next] = std::move(table_.rows[i]);
        table_.lines[next] = table_.lines[i];
      }
      ++next;
    }
    table_.rows.resize(next);
    table_.lines.resize(next);
  }

  void leave_out_unlabeled() {
    if (!options_.skip_unlabeled || !learns_class()) return;
    std::vector<bool> kept;
    for (const auto& row : table_.rows) kept.push_back(!is_missing(row[targets_[0].index]));
    const auto missing = std::count(kept.begin(), kept.end(), false);
    if (missing == 0) return;
    notes_.push_back(
        fmt::format("left out {} of {} rows: they have no {}", missing, kept.size(), targets_[0].name));
    keep_rows(kept);
    if (table_.rows.empty()) throw_input_error(source_, 0, fmt::format("a known {}", targets_[0].name), "none");
  }

  void read_graphs() {
    const TwofoldRdkit& module = rdkit(fmt::format("{}: reading SMILES", source_));
    const int features = options_.features == "whole"  ? kTwofoldWhole
                         : options_.features == "rich" ? kTwofoldRich
                         : options_.features == "full" ? kTwofoldFull
                                                       : kTwofoldSimple;
    std::vector<TwofoldMolecule*> molecules(table_.rows.size(), nullptr);
    struct Releases {
      const TwofoldRdkit& module;
      std::vector<TwofoldMolecule*>& molecules;
      ~Releases() {
        for (TwofoldMolecule* molecule : molecules)
          if (molecule != nullptr) module.release(molecule);
      }
    } const releases{module, molecules};
    parallel_for(molecules.size(), threads_,
                 [&](std::size_t i) { molecules[i] = module.read(table_.rows[i][smiles_].c_str(), features); });
    std::vector<bool> kept;
    for (const TwofoldMolecule* molecule : molecules)
      kept.push_back(molecule != nullptr && molecule->num_atoms > 0);
    refuse_or_leave_out(module, kept);
    keep_rows(kept);
    // Labels are numbered without gaps: a network has a column for each number.
    std::map<int, Label> atoms, bonds;
    std::vector<const TwofoldMolecule*> read;
    for (std::size_t i = 0; i < molecules.size(); ++i) {
      if (!kept[i]) continue;
      read.push_back(molecules[i]);
      for (int a = 0; a < molecules[i]->num_atoms; ++a) atoms.emplace(molecules[i]->atom_labels[a], 0);
      for (int b = 0; b < molecules[i]->num_bonds; ++b) bonds.emplace(molecules[i]->bond_labels[b], 0);
    }
    for (auto& [code, label] : atoms) {
      label = static_cast<Label>(dataset_.node_label_names.size());
      dataset_.node_label_names.emplace(label, atom_name(code));
    }
    for (auto& [code, label] : bonds) {
      label = static_cast<Label>(dataset_.edge_label_names.size());
      dataset_.edge_label_names.emplace(label, bond_name(code));
    }
    dataset_.graphs.resize(read.size());
    parallel_for(read.size(), threads_,
                 [&](std::size_t i) { dataset_.graphs[i] = graph_of(*read[i], atoms, bonds); });
  }

  static Graph graph_of(const TwofoldMolecule& molecule, const std::map<int, Label>& atom_labels,
                        const std::map<int, Label>& bond_labels) {
    const auto atoms = static_cast<std::size_t>(molecule.num_atoms),
               bonds = static_cast<std::size_t>(molecule.num_bonds);
    GraphBuilder builder(atoms);
    builder.reserve_edges(bonds);
    for (std::size_t b = 0; b < bonds; ++b)
      builder.add_edge(static_cast<Node>(molecule.bond_ends[2 * b]),
                       static_cast<Node>(molecule.bond_ends[2 * b + 1]));
    std::vector<Label> labels;
    for (std::size_t a = 0; a < atoms; ++a) labels.push_back(atom_labels.at(molecule.atom_labels[a]));
    builder.set_node_labels(std::move(labels));
    labels.clear();
    for (std::size_t b = 0; b < bonds; ++b) labels.push_back(bond_labels.at(molecule.bond_labels[b]));
    builder.set_edge_labels(std::move(labels));
    const auto node_values = static_cast<std::size_t>(molecule.num_atom_values);
    const auto edge_values = static_cast<std::size_t>(molecule.num_bond_values);
    if (node_values > 0)
      builder.set_node_attributes(node_values,
                                  {molecule.atom_values, molecule.atom_values + atoms * node_values});
    if (edge_values > 0)
      builder.set_edge_attributes(edge_values,
                                  {molecule.bond_values, molecule.bond_values + bonds * edge_values});
    return std::move(builder).build();
  }

  std::string reason(const TwofoldRdkit& module, std::size_t row) const {
    const std::string& smiles = table_.rows[row][smiles_];
    if (smiles.empty()) return "an empty cell";
    char* const text = module.refusal(smiles.c_str());
    const std::string why = printable(text);
    module.release_text(text);
    return fmt::format("{} ({})", in_quotes(shortened(smiles, 60)), why);
  }

  void refuse_or_leave_out(const TwofoldRdkit& module, const std::vector<bool>& kept) {
    std::vector<std::string> told;
    std::size_t bad = 0;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (kept[i]) continue;
      if (!options_.skip_invalid)
        throw_input_error(source_, table_.lines[i],
                          "a SMILES that RDKit takes (--skip-invalid leaves others out)", reason(module, i));
      constexpr std::size_t kTold = 3;
      if (bad++ < kTold) told.push_back(fmt::format("line {}: {}", table_.lines[i], reason(module, i)));
    }
    if (bad == 0) return;
    notes_.push_back(fmt::format("left out {} of {} rows, whose SMILES RDKit refuses: {}{}", bad, kept.size(),
                                 fmt::join(told, "; "), bad > told.size() ? "; …" : ""));
    if (bad == kept.size()) throw_input_error(source_, 0, "a SMILES that RDKit takes", "none");
  }

  void set_targets() {
    if (targets_.empty()) return;
    if (learns_class() && known_of_all(targets_[0])) {
      std::vector<std::string> names;
      for (const auto& row : table_.rows) {
        const std::string& cell = row[targets_[0].index];
        // 1.0 is the class 1.
        names.push_back(targets_[0].is_whole ? fmt::format("{:.0f}", *cell_number(cell)) : cell);
      }
      dataset_.set_classes(names);
      return;
    }
    for (const Column& column : targets_)
      if (!column.is_numeric) require_numbers(column);
    dataset_.num_real_targets = targets_.size();
    for (const Column& column : targets_) dataset_.target_names.push_back(column.name);
    for (const auto& row : table_.rows)
      for (const Column& column : targets_)
        dataset_.real_targets.push_back(
            cell_number(row[column.index]).value_or(std::numeric_limits<double>::quiet_NaN()));
  }

  bool known_of_all(const Column& column) const {
    return std::none_of(table_.rows.begin(), table_.rows.end(),
                        [&](const auto& row) { return is_missing(row[column.index]); });
  }

  CsvTable table_;
  const std::string& source_;
  const MoleculeOptions& options_;
  int threads_;
  std::vector<std::string>& notes_;
  std::size_t smiles_ = 0, id_ = 0, split_ = 0;
  std::vector<Column> targets_;
  Dataset dataset_;
};

}  // namespace

void require_features(const std::string& word) {
  if (word != "simple" && word != "full" && word != "rich" && word != "whole")
    throw UsageError(fmt::format("--features: needed simple, full, rich or whole, found {}", in_quotes(word)));
}

Dataset read_molecules(std::string_view text, const std::string& source, const MoleculeOptions& options,
                       int threads, std::vector<std::string>& notes) {
  require_features(options.features);
  return MoleculeTable(text, source, options, threads, notes).read();
}

}  // namespace twofold::io
