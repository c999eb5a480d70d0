import json

import numpy as np
import pytest

import twofold
from twofold import Graphs, wl

TESTS = [("1-wl", None, 0), ("2-wl", 1, 0), ("2-wl", 2, 0), ("2-wl", "all", 0), ("2-gnn", None, 0), ("2-fwl", None, 0),
         ("1-wl", None, 1)]
HARD = ["EhEG", "EwCW", "DQc", "D?{", "DQc"]


@pytest.fixture
def graphs():
    return Graphs.from_graph6(HARD)


def words(test, radius, marks):
    return ["--test", test, *(["--radius", radius] if radius else []), *(["--marks", marks] if marks else [])]


@pytest.mark.parametrize("test", TESTS, ids=str)
def test_the_program_says_the_same(test, graphs, program, tmp_path):
    graphs.save(tmp_path / "a.g6")
    flags = words(*test)
    said = json.loads(program("wl", "classes", tmp_path / "a.g6", *flags, "--json"))
    assert wl.classes(graphs, *test).tolist() == said["class_of"]
    hashes = program("wl", "hash", tmp_path / "a.g6", *flags)
    for text in wl.hash(graphs, *test):
        assert text in hashes
    graphs[:4].save(tmp_path / "b.g6")
    said = json.loads(program("wl", "pairs", tmp_path / "b.g6", *flags, "--json"))
    assert int(wl.pairs(graphs[:4], *test).sum()) == said["distinguished"]


def test_laws(graphs):
    for test in TESTS:
        classes = wl.classes(graphs, *test)
        assert classes[2] == classes[4], "one graph twice"
        hashes = wl.hash(graphs, *test)
        for i in range(len(graphs)):
            for j in range(len(graphs)):
                assert (classes[i] == classes[j]) == (hashes[i] == hashes[j])
                assert wl.distinguishes(graphs[i], graphs[j], *test) == (classes[i] != classes[j])


def test_colors(graphs):
    coloring = wl.colors(graphs[2])
    assert coloring.objects.shape == (5, 1) and len(coloring.colors) == 5
    several = wl.colors(graphs, test="2-wl", radius=2)
    assert len(several) == len(graphs) and several[0].objects.shape[1] == 2
    assert len(np.unique(wl.colors(graphs[2], rounds=0).colors)) == 1
    assert wl.colors(graphs[0], test="2-fwl").objects.shape == (36, 2)
    assert wl.colors(graphs[0], marks=1).objects.shape == (6, 1)


def test_cycles(graphs):
    nx = pytest.importorskip("networkx")
    counts = wl.count_cycles(nx.complete_graph(5), 3, 5)
    assert counts.graph.tolist() == [10, 15, 12] and counts.nodes.shape == (5, 3) and counts.edges.shape == (10, 3)
    assert len(wl.count_cycles(graphs)) == len(graphs)


@pytest.mark.parametrize("call, kind, text", [
    (lambda g: wl.classes(g, test="9-wl"), ValueError, "9-wl"),
    (lambda g: wl.classes(g, test="1-wl", radius=2), ValueError, "radius: the test 1-wl has none"),
    (lambda g: wl.classes(g, test="2-wl", radius=0), ValueError, "radius: needed 1, 2"),
    (lambda g: wl.classes(g, test="2-wl", radius="x"), ValueError, "radius: needed"),
    (lambda g: wl.classes(g, test="2-wl", radius=1.5), TypeError, "radius: needed"),
    (lambda g: wl.classes(g, marks=-1), ValueError, "marks"),
    (lambda g: wl.classes(g, marks=7), ValueError, "7"),
    (lambda g: wl.pairs(g[:3]), ValueError, "even number of graphs, found 3"),
    (lambda g: wl.distinguishes(g, g), ValueError, "needed two graphs"),
    (lambda g: wl.count_cycles(g, 2, 5), ValueError, "lengths"),
    (lambda g: wl.count_cycles(g, 3, 99), ValueError, "lengths"),
    (lambda g: wl.colors(g, rounds=-1), ValueError, "rounds"),
    (lambda g: wl.classes(5), TypeError, "needed graphs"),
])
def test_mistakes(call, kind, text, graphs):
    with pytest.raises(kind, match=text):
        call(graphs)
