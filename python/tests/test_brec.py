"""The benchmark BREC keeps its pairs as NumPy arrays of graph6 strings. Its files are not here: these have their form."""

import io
import json
import os
import pickle
import subprocess

import numpy
import pytest

# The hexagon and two triangles (2-wl of radius 1 tells them apart), the cube and another cubic graph (1-wl does not).
PAIRS = [(b"EhEG", b"EwCW"), (b"E{Sw", b"EFz_")]
SIZES = {"basic": 60, "regular": 50, "srg": 50, "extension": 100, "cfi": 100, "4-vertex": 20, "distance": 20}


def graphs(copies=1, controls=False):
    """As BREC has them: each pair `copies` times in a row, then as often its first graph with itself."""
    pairs = [PAIRS[i % 2] for i in range(400)]
    listed = [graph for pair in pairs for _ in range(copies) for graph in pair]
    if controls:
        listed += [pair[0] for pair in pairs for _ in range(2 * copies)]
    return listed


def with_header(listed):
    return [b">>graph6<<" + graph + b"\n" for graph in listed]


def answers(program, path):
    said = json.loads(program("wl", "ladder", path, "--brec", "--test", "1-wl,2-wl", "--json"))
    assert {f["family"]: f["pairs"] for f in said["families"]} == SIZES
    return [[f["distinguished"] for f in test["families"]] for test in said["tests"]]


EXPECTED = [[0] * 7, list(SIZES.values())]


def objects(listed, shape=(-1,)):
    array = numpy.empty(len(listed), dtype=object)
    for i, one in enumerate(listed):
        array[i] = one
    return array.reshape(shape)


@pytest.mark.parametrize("array", [
    numpy.array(graphs()),
    numpy.array(with_header(graphs())),
    numpy.array([g.decode() for g in graphs()]),
    numpy.array(graphs(controls=True)).reshape(800, 2),
    numpy.array(graphs(copies=32)),
    numpy.array(graphs(copies=32, controls=True)),
    objects(graphs()),
    objects(with_header(graphs(copies=32, controls=True))),
    objects([g.decode() for g in graphs()], (400, 2)),
    objects([PAIRS[i % 2] for i in range(400)]),
], ids=lambda a: f"{a.dtype.char}{a.shape}")
def test_every_form_of_the_file_is_read(array, program, tmp_path):
    path = tmp_path / "brec.npy"
    numpy.save(path, array, allow_pickle=True)
    assert answers(program, path) == EXPECTED


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_every_protocol_of_pickled_strings_is_read(protocol, program, tmp_path):
    head = io.BytesIO()
    numpy.lib.format.write_array_header_1_0(head, {"descr": "|O", "fortran_order": False, "shape": (800,)})
    path = tmp_path / "brec.npy"
    path.write_bytes(head.getvalue() + pickle.dumps(objects(graphs()), protocol=protocol))
    assert answers(program, path) == EXPECTED


@pytest.fixture
def refused(program, tmp_path):
    """What the program says of a file that it refuses."""
    def run(*arguments):
        done = subprocess.run([os.environ["TWOFOLD_PROGRAM"], *map(str, arguments)], cwd=tmp_path,
                              capture_output=True, text=True)
        assert done.returncode == 1 and done.stdout == ""
        return done.stderr

    return run


class Harm:
    def __reduce__(self):
        return os.mkdir, ("harm",)


@pytest.mark.parametrize("value, word", [
    (Harm(), "mkdir"), (7, "something else"), (None, "something else"), ({}, "instructions"), (1.5, "instructions"),
])
def test_other_objects_are_refused_and_nothing_is_executed(value, word, tmp_path, refused):
    path = tmp_path / "bad.npy"
    numpy.save(path, objects([b"Bw", value]), allow_pickle=True)
    said = refused("wl", "pairs", path)
    assert word in said and "bad.npy: needed" in said
    assert os.listdir(tmp_path) == ["bad.npy"]


def test_a_list_in_itself_ends(tmp_path, refused):
    endless = [b"Bw"]
    endless.append(endless)
    path = tmp_path / "bad.npy"
    numpy.save(path, objects([b"Bw", endless]), allow_pickle=True)
    assert "lists within lists" in refused("wl", "pairs", path)
