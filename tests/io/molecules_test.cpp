#include "twofold/io/molecules.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/temporary_folder.h"
#include "twofold/base/error.h"
#include "twofold/graph/label_names.h"
#include "twofold/io/dataset_file.h"
#include "twofold/io/rdkit.h"

namespace twofold::io {
namespace {

// A build without RDKit reads none: its tests are skipped, visibly.
class Molecules : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      rdkit("a test");
    } catch (const Error& error) {
      GTEST_SKIP() << error.what();
    }
  }

  Dataset read(const std::string& text, const MoleculeOptions& options = {}) {
    notes.clear();
    return read_molecules(text, "m.csv", options, 2, notes);
  }
  std::string said(const std::string& text, const MoleculeOptions& options = {}) {
    try {
      read(text, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing";
  }
  std::vector<std::string> notes;
};

std::vector<std::string> atom_names(const Dataset& dataset, std::size_t graph) {
  std::vector<std::string> names;
  for (const Label label : dataset.graphs[graph].node_labels())
    names.push_back(label_text(dataset.node_label_names, label));
  return names;
}

using Names = std::vector<std::string>;

TEST_F(Molecules, AtomsAndBondsHaveNames) {
  const Dataset phenol = read("id,SMILES,logS\nx1,Oc1ccccc1,-0.04\n");
  phenol.check();
  EXPECT_EQ(atom_names(phenol, 0),
            (Names{"O", "aromatic C", "aromatic C", "aromatic C", "aromatic C", "aromatic C", "aromatic C"}));
  EXPECT_EQ(phenol.edge_label_names, (LabelNames{{0, "single"}, {1, "aromatic"}}));
  EXPECT_EQ(phenol.ids, Names{"x1"});
  EXPECT_EQ(phenol.smiles, Names{"Oc1ccccc1"});
  EXPECT_EQ(phenol.target_names, Names{"logS"});
  EXPECT_EQ(phenol.real_targets, std::vector<double>{-0.04});
  EXPECT_EQ(phenol.graphs[0].num_node_attributes(), 37u);
  EXPECT_EQ(phenol.graphs[0].num_edge_attributes(), 4u);
  MoleculeOptions simple;
  simple.features = "simple";
  EXPECT_EQ(read("smiles\nCO\n", simple).graphs[0].num_node_attributes(), 0u);
  simple.features = "full";
  EXPECT_EQ(read("smiles\nCO\n", simple).graphs[0].num_node_attributes(), 19u);
}

// Another SMILES of a molecule is the same graph with its nodes in another order.
TEST_F(Molecules, AnotherSmilesGivesTheSameAtoms) {
  const auto rows = [](const Dataset& dataset, std::size_t graph) {
    std::vector<std::vector<double>> atoms;
    const Graph& g = dataset.graphs[graph];
    for (Node v = 0; v < g.num_nodes(); ++v) {
      std::vector<double> row = {static_cast<double>(g.node_labels()[v]), static_cast<double>(g.degree(v))};
      row.insert(row.end(), g.node_attributes(v).begin(), g.node_attributes(v).end());
      atoms.push_back(std::move(row));
    }
    std::sort(atoms.begin(), atoms.end());
    return atoms;
  };
  // L-alanine twice, then D-alanine; E- and Z-2-butene; pyridine by aromatic and by double bonds.
  const Dataset dataset = read(
      "smiles\nC[C@H](N)C(=O)O\nOC(=O)[C@H](C)N\nC[C@@H](N)C(=O)O\nC/C=C/C\nC(/"
      "C)=C\\C\nc1ccncc1\nC1=CC=NC=C1\n");
  EXPECT_EQ(rows(dataset, 0), rows(dataset, 1));
  EXPECT_NE(rows(dataset, 0), rows(dataset, 2));
  EXPECT_EQ(rows(dataset, 5), rows(dataset, 6));
}

// Ethanol and phenol by RDKit's own functions (Crippen's contributions and the polar surface of
// rdMolDescriptors).
TEST_F(Molecules, ValuesAreThoseOfRdkit) {
  const Dataset dataset = read("smiles\nCCO\nOc1ccccc1\n");
  const auto value = [&](std::size_t graph, Node atom, std::size_t column) {
    return dataset.graphs[graph].node_attributes(atom)[column];
  };
  EXPECT_DOUBLE_EQ(value(0, 0, 19), 0.1441);
  EXPECT_DOUBLE_EQ(value(0, 1, 19), -0.2035);
  EXPECT_DOUBLE_EQ(value(0, 2, 19), -0.2893);
  EXPECT_DOUBLE_EQ(value(0, 2, 20), 0.8238);
  EXPECT_DOUBLE_EQ(value(0, 2, 21), 20.23);
  EXPECT_DOUBLE_EQ(value(1, 1, 19), 0.5437);
  EXPECT_DOUBLE_EQ(value(1, 2, 19), 0.1581);
  // Of the whole molecule, on each atom: RDKit's MolLogP, TPSA, heavy atoms, weight; one donor, one acceptor.
  for (Node v = 0; v < 3; ++v) {
    EXPECT_NEAR(value(0, v, 23), -0.0014, 1e-9);
    EXPECT_NEAR(value(0, v, 25), 20.23, 1e-9);
    EXPECT_EQ(value(0, v, 27), 3);
    EXPECT_NEAR(value(0, v, 28), 46.069, 1e-3);
    EXPECT_EQ(value(0, v, 29), 1);
    EXPECT_EQ(value(0, v, 30), 1);
    EXPECT_EQ(value(0, v, 32), 0);
  }
  EXPECT_EQ(value(1, 0, 32), 1);
  EXPECT_DOUBLE_EQ(value(1, 0, 33), 6.0 / 7);
}

TEST_F(Molecules, ColumnsBecomeTargets) {
  const Dataset two = read("smiles,name,a,b\nC,x,1.5,2\nCC,y,,3\nCCC,z,NaN,NA\n");
  EXPECT_EQ(two.target_names, (Names{"a", "b"}));
  EXPECT_TRUE(std::isnan(two.real_targets[2]));
  EXPECT_TRUE(std::isnan(two.real_targets[5]));
  EXPECT_EQ(notes, Names{"no target, because not all its cells are numbers: name"});
  const Dataset classes = read("smiles,y\nC,1.0\nCC,0\nCCC,1\n");
  EXPECT_EQ(classes.class_names, (Names{"0", "1"}));
  EXPECT_EQ(read("smiles,y\nC,yes\nCC,no\nCCC,yes\n").class_names, (Names{"no", "yes"}));
  MoleculeOptions chosen;
  chosen.targets = {"b"};
  EXPECT_EQ(read("smiles,a,b\nC,0.5,1\nCC,0.7,0\n", chosen).class_names, (Names{"0", "1"}));
  chosen.skip_unlabeled = true;
  EXPECT_EQ(read("smiles,a,b\nC,0.5,1\nCC,0.7,0\nCCC,1,\n", chosen).graphs.size(), 2u);
  EXPECT_EQ(notes, Names{"left out 1 of 3 rows: they have no b"});
  EXPECT_EQ(read("smiles,split\nC,train\nCC,val\nCCC,test\n").parts, (Names{"train", "validation", "test"}));
}

TEST_F(Molecules, ARefusedSmilesIsNamedWithRowAndReason) {
  EXPECT_EQ(said("smiles\nC\nC1CC\n"),
            "m.csv:3: needed a SMILES that RDKit takes (--skip-invalid leaves others out), found 'C1CC' "
            "(unclosed ring)");
  EXPECT_NE(said("smiles\nC(C)(C)(C)(C)C\n").find("valence"), std::string::npos);
  EXPECT_NE(said("smiles,y\n,1\n").find("found an empty cell"), std::string::npos);
  EXPECT_EQ(said("a,b\nC,1\n"), "m.csv:1: needed a column smiles (or --smiles-column NAME), found a, b");
  EXPECT_EQ(said("smiles\n"), "m.csv: needed a molecule per row after the header, found no rows");
  MoleculeOptions skip;
  skip.skip_invalid = true;
  const Dataset rest = read("id,smiles\n1,C1CC\n2,CC\n", skip);
  EXPECT_EQ(rest.ids, Names{"2"});
  EXPECT_EQ(notes, Names{"left out 1 of 2 rows, whose SMILES RDKit refuses: line 2: 'C1CC' (unclosed ring)"});
  MoleculeOptions other;
  other.smiles_column = "structure";
  EXPECT_EQ(said("smiles\nC\n", other), "--smiles-column: m.csv: needed one of smiles, found 'structure'");
  other.smiles_column.clear();
  other.targets = {"z"};
  EXPECT_EQ(said("smiles,y\nC,1\n", other), "--target: m.csv: needed columns out of smiles, y, found 'z'");
}

TEST_F(Molecules, ScaffoldsAreRingsAndWhatJoinsThem) {
  EXPECT_EQ(scaffolds({"CCc1ccccc1", "OCc1ccccc1", "CCO"}), (Names{"c1ccccc1", "c1ccccc1", ""}));
}

TEST_F(Molecules, JsonLinesKeepNamesIdsAndSmiles) {
  const testing::TemporaryFolder folder;
  const Dataset dataset = read("id,smiles,logS\nx1,Oc1ccccc1,-0.04\nx2,CC(=O)N,2.5\n");
  write_dataset(dataset, folder.path("m.jsonl"), Format::kJsonLines);
  Dataset back = read_dataset(folder.path("m.jsonl"));
  EXPECT_EQ(back.ids, dataset.ids);
  EXPECT_EQ(back.smiles, dataset.smiles);
  // Texts are numbered in their own order there; by name they are the same.
  back.number_labels_as(dataset.node_label_names, dataset.edge_label_names);
  EXPECT_EQ(back.node_label_names, dataset.node_label_names);
  EXPECT_EQ(back.graphs, dataset.graphs);
}

}  // namespace
}  // namespace twofold::io
