"""Where the program and the data are: TWOFOLD_PROGRAM, TWOFOLD_DATA. CMake sets the first (python/CMakeLists.txt)."""

import os
import pathlib
import subprocess

import pytest

import twofold


@pytest.fixture(scope="session")
def program():
    """Runs the program `twofold` and returns what it prints."""
    path = os.environ.get("TWOFOLD_PROGRAM")
    if not path:
        pytest.skip("TWOFOLD_PROGRAM is not set: nothing to compare with")
    plain = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}

    def run(*arguments):
        done = subprocess.run([path, *map(str, arguments)], env=plain, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def triangle():
    return twofold.Graphs.load("TRIANGLE")


@pytest.fixture(scope="session")
def mutag_path():
    path = pathlib.Path(os.environ.get("TWOFOLD_DATA", "")) / "MUTAG"
    if not os.environ.get("TWOFOLD_DATA") or not path.exists():
        pytest.skip("TWOFOLD_DATA has no MUTAG")
    return path


def rich_graphs(count=6, seed=0):
    """Random graphs with all kinds of data, as arrays that Graphs.from_arrays takes."""
    import numpy as np
    random = np.random.default_rng(seed)
    nodes = random.integers(1, 8, count)
    first = np.concatenate([[0], np.cumsum(nodes)])
    ends = []
    for g in range(count):
        for u in range(nodes[g]):
            for v in range(u, nodes[g]):
                if random.random() < 0.4:
                    ends.append((first[g] + u, first[g] + v))
    index = np.array(ends, dtype=np.int64).reshape(-1, 2).T
    return dict(edge_index=index, batch=np.repeat(np.arange(count), nodes), num_graphs=count,
                node_labels=random.integers(-3, 4, nodes.sum()), node_attributes=random.normal(size=(nodes.sum(), 2)),
                edge_labels=random.integers(0, 3, index.shape[1]),
                edge_attributes=random.normal(size=(index.shape[1], 1)))
