#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "twofold/graph/dataset.h"

namespace twofold::io {

/// How a table of molecules is read.
struct MoleculeOptions {
  /// The column of SMILES; empty: `smiles`, in any case.
  std::string smiles_column;
  /// The columns to learn, by name; empty: all that hold numbers.
  std::vector<std::string> targets;
  /// `simple`: element and aromaticity of atoms, type of bonds. `full`: also degree, hydrogens, charge,
  /// hybridisation, rings and R or S of atoms; conjugation, ring and E or Z of bonds. `rich`:
  /// also what each atom adds to logP, refractivity and surfaces. `whole`: also what the molecule is like as a
  /// whole, on each of its atoms (docs/molecules.md).
  std::string features = "whole";
  /// Rows whose SMILES RDKit refuses are left out and told, not refused.
  bool skip_invalid = false;
  /// Rows that lack the class to be learnt are left out and told.
  bool skip_unlabeled = false;
};

/// Reads a table (io/csv_table.h) with a molecule per row by RDKit (io/rdkit.h). Atoms are nodes in the order
/// of the SMILES, bonds are edges; hydrogens are atoms only where the SMILES says so in brackets. Labels are
/// numbered without gaps and have names: `C`, `aromatic C`; `single`, `double`, `triple`, `aromatic`.
///
/// A column `id` names the molecules, a column `split` of train, validation and test parts them. Of the others,
/// those of numbers are real targets by name; cells that are empty, or `nan`, `na`, `null` or `none`, are not
/// known. One alone of whole numbers, all known, is the class; so is one of texts where it is chosen, or the
/// only one. `notes` gets a sentence about what was left out.
///
/// Throws InputError naming line, need and found; UsageError for a column that is not there; Error without
/// RDKit. The result is the same for any number of threads.
Dataset read_molecules(std::string_view text, const std::string& source, const MoleculeOptions& options,
                       int threads, std::vector<std::string>& notes);

/// Throws UsageError unless it is a word of MoleculeOptions::features.
void require_features(const std::string& word);

}  // namespace twofold::io
