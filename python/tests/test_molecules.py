"""What holds of molecules whatever their SMILES look like, by RDKit's own random SMILES."""

import csv

import pytest


Chem = pytest.importorskip("rdkit.Chem", reason="RDKit's Python package is not installed: no random SMILES")

# Rings, charges, both hands of an atom, E and Z, salts, an isotope.
MOLECULES = [
    "CC(=O)Oc1ccccc1C(=O)O", "Cn1cnc2c1c(=O)n(C)c(=O)n2C", "C[C@H](N)C(=O)O", "C[C@@H](N)C(=O)O", "C/C=C/C(=O)O",
    "C/C=C\\C(=O)O", "[Na+].CC(=O)[O-]", "c1ccc2[nH]ccc2c1", "O=S(=O)(N)c1ccc(Cl)cc1", "N#CC1CCCCC1", "FC(F)(F)c1ccncc1",
    "C1CC2CCC1C2", "[13CH3]CBr", "CC(C)Cc1ccc(cc1)[C@@H](C)C(=O)O", "OCC1OC(O)C(O)C(O)C1O", "CCCCCCCC", "C[N+](C)(C)CC",
    "Clc1ccc2c(c1)C(=NCC(=O)N2)c1ccccc1", "CSCC[C@H](N)C(=O)O", "O=C1CCCN1C",
]


def write_table(path, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([["id", "smiles", "value"], *rows])
    return path


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """The molecules, and three other SMILES of each."""
    folder = tmp_path_factory.mktemp("molecules")
    rows = [[f"m{i}", smiles, i % 2] for i, smiles in enumerate(MOLECULES)]
    others = []
    for name, smiles, value in rows:
        molecule = Chem.MolFromSmiles(smiles)
        canonical = Chem.MolToSmiles(molecule)
        for other in Chem.MolToRandomSmilesVect(molecule, 3, randomSeed=7):
            assert Chem.CanonSmiles(other) == canonical, (smiles, other)
            others.append([name, other, value])
    assert sum(other != smiles for (_, smiles, _), triple in zip(rows, zip(*[iter(others)] * 3)) for _, other, _ in triple) > 40
    return write_table(folder / "given.csv", rows), write_table(folder / "others.csv", others)


MODELS = {
    "network": ["--model", "2-wl-gnn", "--preset", "molecules", "--ensemble", "2", "--epochs", "5", "--validation", "0.2"],
    "radius 2": ["--model", "2-wl-gnn", "--radius", "2", "--epochs", "3", "--validation", "0.2"],
    "gin": ["--model", "gin", "--epochs", "3", "--validation", "0.2"],
    "kernel wl-st": ["--model", "wl-st"],
    "kernel 2-wl": ["--model", "2-wl"],
}


@pytest.mark.parametrize("options", MODELS.values(), ids=MODELS)
def test_another_smiles_of_a_molecule_gets_the_same_prediction(options, program, tables, tmp_path):
    given, others = tables
    if not has_module(program, given):
        pytest.skip("this build reads no SMILES: no RDKit")
    model = tmp_path / "model"
    program("train", given, *options, "--quiet", "-o", model)
    said = {}
    for table in (given, others):
        program("predict", model, table, "--quiet", "-o", tmp_path / "said.csv")
        with open(tmp_path / "said.csv", newline="") as file:
            for row in csv.DictReader(file):
                scores = [float(row[key]) for key in row if key.startswith("score:")]
                said.setdefault(row["id"], []).append((row["class"], scores, row["smiles"]))
    assert len(said) == len(MOLECULES)
    different = 0
    for name, rows in said.items():
        assert len(rows) == 4
        for kind, scores, smiles in rows[1:]:
            assert kind == rows[0][0], (name, smiles)
            # Sums run in the order of the atoms: equal up to rounding.
            assert scores == pytest.approx(rows[0][1], rel=1e-4, abs=1e-5), (name, smiles)
        different += rows[0][1] != said["m0"][0][1]
    assert different > len(MOLECULES) / 2, "a model that says the same of all molecules proves nothing"


def has_module(program, table):
    try:
        program("data", "info", table, "--no-graph-radius", "--quiet")
    except AssertionError as error:
        if "RDKit" in str(error):
            return False
        raise
    return True
