#pragma once

// What twofold and its module `libtwofold_rdkit.so` agree on. The module alone is linked to RDKit and is opened
// when the first SMILES is read; plain C, so that both may be built apart.

extern "C" {

/// Grows with every change below: a module of another number is refused.
enum { kTwofoldRdkitInterface = 2 };

/// Which values atoms and bonds have besides their labels.
enum TwofoldFeatures { kTwofoldSimple = 0, kTwofoldFull = 1, kTwofoldRich = 2, kTwofoldWhole = 3 };

struct TwofoldMolecule {
  int num_atoms;
  const int* atom_labels;  // 2 * atomic number, 1 more if it is aromatic
  int num_atom_values;
  const double* atom_values;  // a row per atom
  int num_bonds;
  const int* bond_ends;    // two atoms per bond
  const int* bond_labels;  // RDKit's numbers of bond types: 1, 2, 3 and 12 for aromatic
  int num_bond_values;
  const double* bond_values;  // a row per bond
};

/// A molecule to be drawn with what is to be seen on it.
struct TwofoldDrawing {
  const char* smiles;
  int width;
  int height;
  int num_atoms;
  const double* atom_colors;  // red, green, blue from 0 to 1 per atom; negative: none
  int num_bonds;
  const int* bond_ends;
  const double* bond_colors;
  double* atom_points;  // where the drawing puts each atom, x and y: filled in
};

struct TwofoldRdkit {
  int interface_number;
  const char* version;
  /// Null for a text that RDKit refuses. Any number of threads may call it.
  TwofoldMolecule* (*read)(const char* smiles, int features);
  void (*release)(TwofoldMolecule* molecule);
  /// Why it is refused. One thread at a time.
  char* (*refusal)(const char* smiles);
  /// The Bemis-Murcko scaffold as canonical SMILES, empty for a molecule without rings; null for a text that
  /// RDKit refuses.
  char* (*scaffold)(const char* smiles);
  /// An SVG picture; null if it cannot be drawn.
  char* (*draw)(const TwofoldDrawing* drawing);
  void (*release_text)(char* text);
};

/// The one symbol of the module.
const TwofoldRdkit* twofold_rdkit();
}
