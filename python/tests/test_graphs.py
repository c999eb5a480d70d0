import os
import pickle

import numpy as np
import pytest

import twofold
from conftest import rich_graphs
from twofold import Graphs


def test_arrays_become_graphs_with_all_their_data():
    graphs = Graphs.from_arrays([[0, 1, 3], [1, 2, 4]], [0, 0, 0, 1, 1], node_labels=[6, 7, 8, 9, -1],
                                node_attributes=[[.5], [1], [2], [3], [4]], edge_labels=[1, 2, 3],
                                edge_attributes=np.array([1, 2, 3], dtype=np.float32), targets=["b", "a"])
    assert len(graphs) == 2 and graphs.num_nodes.tolist() == [3, 2] and graphs.num_edges.tolist() == [2, 1]
    assert graphs[0].edges.tolist() == [[0, 1], [1, 2]] and graphs[1].edges.tolist() == [[0, 1]]
    assert graphs[1].node_labels.tolist() == [9, -1] and graphs[0].edge_labels.tolist() == [1, 2]
    assert graphs[0].node_attributes.tolist() == [[.5], [1], [2]] and graphs[1].edge_attributes.tolist() == [[3]]
    assert graphs.targets.tolist() == ["b", "a"] and graphs.classes.tolist() == ["a", "b"]
    assert graphs[0].neighbors(1).tolist() == [0, 2]


def test_edges_in_any_order_and_any_integer_type():
    arrays = rich_graphs()
    there = Graphs.from_arrays(**arrays)
    order = np.random.default_rng(1).permutation(arrays["edge_index"].shape[1])
    for kind in (np.int64, np.int32, np.int16, np.uint32, ">i8"):
        shuffled = dict(arrays, edge_index=arrays["edge_index"][:, order].astype(kind),
                        edge_labels=arrays["edge_labels"][order], edge_attributes=arrays["edge_attributes"][order],
                        batch=arrays["batch"].astype(kind))
        assert Graphs.from_arrays(**shuffled) == there
    strided = np.asfortranarray(np.repeat(arrays["edge_index"], 2, axis=1))[:, ::2]
    assert Graphs.from_arrays(**dict(arrays, edge_index=strided)) == there


def test_views_are_read_only_and_keep_the_graphs_alive():
    labels = Graphs.from_arrays(**rich_graphs())[0].node_labels
    with pytest.raises(ValueError):
        labels[0] = 1
    assert labels.base is not None and labels.tolist() == Graphs.from_arrays(**rich_graphs())[0].node_labels.tolist()


@pytest.mark.parametrize("change, kind, words", [
    (dict(edge_index=[[0.0], [1.0]]), TypeError, "edge_index: needed integers"),
    (dict(edge_index=[[0, 1, 2]]), ValueError, "edge_index: needed the shape"),
    (dict(edge_index=[[0], [99]]), ValueError, "edge_index: needed nodes in 0..3, found 99"),
    (dict(edge_index=[[0], [-1]]), ValueError, "found -1 at edge 0"),
    (dict(edge_index=[[0], [2]]), ValueError, "needed both ends in one graph"),
    (dict(batch=[0, 0, 1, 0]), ValueError, "ascending order"),
    (dict(batch=[0, 0, 1, 5], num_graphs=2), ValueError, "batch: needed graphs in 0..1"),
    (dict(batch=[0., 0, 1, 1]), TypeError, "batch: needed integers"),
    (dict(batch=[[0, 0, 1, 1]]), ValueError, "batch: needed 1 dimension"),
    (dict(node_labels=[1, 2]), ValueError, "node_labels: needed 4 rows, one per node, found 2"),
    (dict(node_labels=[1, 2, 3, 2 ** 40]), ValueError, "32 bits"),
    (dict(node_labels=["a", "b", "c", "d"]), TypeError, "node_labels: needed integers"),
    (dict(node_attributes=[1, 2, float("nan"), 4]), ValueError, "finite numbers, found nan in row 2"),
    (dict(node_attributes=[[1], [2], [3], [float("inf")]]), ValueError, "finite numbers"),
    (dict(node_attributes=np.zeros((4, 1, 1))), ValueError, "one or two dimensions"),
    (dict(edge_labels=[1, 2]), ValueError, "edge_labels: needed 1 rows"),
    (dict(edge_attributes=["x"]), TypeError, "edge_attributes: needed numbers"),
    (dict(targets=[1]), ValueError, "y: needed 2 targets, one per graph, found 1"),
    (dict(edge_index=[[0, 1], [1, 0]], edge_labels=[1, 2]), ValueError, "graph 0: edge .* has the label"),
    (dict(num_graphs=-1), ValueError, "num_graphs: needed 0 or more"),
    (dict(threads=-1), ValueError, "threads: needed 0 or more"),
])
def test_wrong_arrays_are_named(change, kind, words):
    arrays = dict(edge_index=[[0], [1]], batch=[0, 0, 1, 1])
    with pytest.raises(kind, match=words):
        Graphs.from_arrays(**{**arrays, **change})


def test_ragged_attributes_are_an_error():
    with pytest.raises((TypeError, ValueError)):
        Graphs.from_arrays([[0], [1]], node_attributes=[[1, 2], [3]])


def test_empty_things():
    assert len(Graphs([])) == 0 and len(Graphs()) == 0
    assert len(Graphs.from_arrays([], [])) == 0
    assert Graphs.from_arrays(np.empty((2, 0), dtype=int), [0, 0])[0].num_edges == 0
    assert Graphs.from_arrays([], [], num_graphs=2).num_nodes.tolist() == [0, 0]
    assert len(Graphs.from_networkx([])) == 0 and repr(Graphs()) == "<twofold.Graphs: no graphs>"


def test_slicing(triangle):
    assert len(triangle[10:20]) == 10 and triangle[10:20][0] == triangle[10]
    assert triangle[[3, -1]][1] == triangle[len(triangle) - 1]
    assert (triangle[triangle.targets == 1].targets == 1).all()
    assert triangle[np.array([2, 2])].targets.tolist() == [triangle.targets[2]] * 2
    assert len(triangle[[]]) == 0 and len(list(triangle)) == len(triangle)
    for wrong in (10 ** 6, -10 ** 6):
        with pytest.raises(IndexError):
            triangle[wrong]
    for wrong in ("a", 1.5, [0.5], None):
        with pytest.raises(TypeError):
            triangle[wrong]
    with pytest.raises(IndexError):
        triangle[[10 ** 6]]


def test_pickle_and_sum():
    graphs = Graphs.from_arrays(**rich_graphs(), targets=[[1.5, np.nan]] * 6, name="rich")
    again = pickle.loads(pickle.dumps(graphs))
    assert again.name == "rich" and again.checksum == graphs.checksum
    assert pickle.loads(pickle.dumps(graphs[2])) == graphs[2]
    assert len(graphs + graphs[:2]) == 8
    assert len(pickle.loads(pickle.dumps(Graphs()))) == 0


def test_files_of_all_formats(tmp_path, triangle):
    for name in ("a.jsonl", "folder"):
        triangle.save(tmp_path / name)
        assert Graphs(Graphs.load(tmp_path / name), name="TRIANGLE") == triangle
    triangle.save(tmp_path / "a.g6", drop_data=True)
    assert Graphs.load(tmp_path / "a.g6").num_edges.tolist() == triangle.num_edges.tolist()
    with pytest.raises(ValueError, match="graph6"):
        triangle.save(tmp_path / "b.g6")
    with pytest.raises(FileNotFoundError):
        Graphs.load(tmp_path / "nothing.jsonl")
    with pytest.raises(FileNotFoundError):
        triangle.save(tmp_path / "no" / "folder.jsonl")
    (tmp_path / "bad.jsonl").write_text('{"nodes": 2, "edges": [[0, 5]]}\n')
    with pytest.raises(ValueError, match="bad.jsonl:1"):
        Graphs.load(tmp_path / "bad.jsonl")
    if os.getuid() != 0:
        (tmp_path / "a.jsonl").chmod(0)
        with pytest.raises(PermissionError):
            Graphs.load(tmp_path / "a.jsonl")


def test_graph6():
    graphs = Graphs.from_graph6("DQc\n:Fa@x^\n")
    assert len(graphs) == 2 and graphs[0].to_graph6() == "DQc"
    assert Graphs.from_graph6(["DQc", b"DQc"]).num_edges.tolist() == [4, 4]
    with pytest.raises(ValueError, match="graph6:1"):
        Graphs.from_graph6("!!!")


def test_targets():
    graphs = Graphs.from_graph6(["DQc", "DQc", "DQc"])
    assert graphs.targets is None and graphs.classes is None
    assert graphs.with_targets([10, 9, -1]).classes.tolist() == [-1, 9, 10]
    assert graphs.with_targets([True, False, True]).classes.tolist() == [0, 1]
    assert graphs.with_targets(["x", "y", "x"]).targets.tolist() == ["x", "y", "x"]
    assert graphs.with_targets([0.5, 1, np.nan]).targets[0] == 0.5
    assert graphs.with_targets([[1, 2], [3, 4], [5, 6]]).targets.shape == (3, 2)
    with pytest.raises(ValueError, match="finite"):
        graphs.with_targets([0.5, np.inf, 1])


def test_what_is_no_graph():
    for wrong in (1, None, object(), "TRIANGLE", [1, 2], ["a"], {1: 2}):
        with pytest.raises(TypeError):
            Graphs.of(wrong)
    with pytest.raises(TypeError, match="Graphs.load"):
        Graphs.of("TRIANGLE")
