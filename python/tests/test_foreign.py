"""Objects of other packages. Those that are not installed are skipped, visibly."""

import numpy as np
import pytest

import twofold
from conftest import rich_graphs
from twofold import Graphs


@pytest.fixture
def nx():
    return pytest.importorskip("networkx")


def test_networkx_there_and_back(nx):
    graphs = Graphs.from_arrays(**rich_graphs())
    assert Graphs.from_networkx(graphs.to_networkx()) == graphs
    assert Graphs(graphs.to_networkx()) == graphs


def test_networkx_directed_there_and_back(nx):
    first = nx.DiGraph([(0, 1), (1, 2), (2, 1), (3, 3)])
    nx.set_edge_attributes(first, {(0, 1): 5, (1, 2): 6, (2, 1): 6, (3, 3): 7}, "label")
    graphs = Graphs.from_networkx([first, first.reverse()])
    assert graphs[0].is_directed
    assert graphs[0].arcs.tolist() == [[0, 1], [1, 2], [2, 1], [3, 3]]
    assert nx.utils.graphs_equal(graphs[0].to_networkx(), first)
    assert not twofold.wl.distinguishes(graphs[0], graphs[0])
    assert twofold.wl.distinguishes(graphs[0], graphs[1], test="1-wl")
    with pytest.raises(ValueError, match="undirected"):
        twofold.WLSubtree(2).fit_transform(graphs)
    with pytest.raises(ValueError, match="directed graphs or undirected"):
        Graphs.from_networkx([first, nx.Graph(first)])
    with pytest.raises(ValueError, match="needed a directed graph"):
        Graphs.from_networkx([nx.path_graph(3)])[0].arcs


def test_networkx_nodes_of_any_name(nx):
    g = nx.Graph([("a", (1, 2)), ((1, 2), 3.5), (3.5, 3.5)])
    graph = Graphs.of(g)[0]
    assert graph.num_nodes == 3 and graph.num_edges == 2 and graph.num_self_loops == 1
    assert Graphs.of(nx.relabel_nodes(nx.cycle_graph(5), lambda v: 4 - v))[0].num_edges == 5


def test_networkx_views(nx):
    g = nx.complete_graph(5)
    assert Graphs.of(g.subgraph([0, 2, 4]))[0].num_edges == 3
    assert Graphs.of(nx.freeze(g))[0].num_edges == 10


@pytest.mark.parametrize("make, kind, words", [
    (lambda nx: nx.MultiGraph([(0, 1), (0, 1)]), ValueError, "parallel edges"),
])
def test_networkx_of_other_kinds(nx, make, kind, words):
    with pytest.raises(kind, match=words):
        Graphs.from_networkx([make(nx)])


def test_networkx_data_must_be_everywhere_and_of_one_kind(nx):
    g = nx.path_graph(3)
    g.nodes[0]["label"] = 1
    with pytest.raises(ValueError, match="by all or by none, found node 1 of graph 0 without"):
        Graphs.from_networkx(g)
    nx.set_node_attributes(g, {0: 1, 1: 2, 2: "C"}, "label")
    with pytest.raises(TypeError, match="needed an integer, found 'C' at node 2 of graph 0"):
        Graphs.from_networkx(g)
    nx.set_node_attributes(g, 2 ** 31, "label")
    with pytest.raises(ValueError, match="32 bits"):
        Graphs.from_networkx(g)
    g = nx.path_graph(3)
    nx.set_node_attributes(g, {0: [1.0], 1: [1.0, 2.0], 2: [1.0]}, "attributes")
    with pytest.raises(ValueError, match="needed 1 numbers as before, found 2"):
        Graphs.from_networkx(g)
    nx.set_node_attributes(g, float("nan"), "attributes")
    with pytest.raises(ValueError, match="finite"):
        Graphs.from_networkx(g)
    nx.set_node_attributes(g, None, "attributes")
    with pytest.raises(TypeError):
        Graphs.from_networkx(g)
    assert Graphs.from_networkx(g, node_attributes=None)[0].num_nodes == 3
    with pytest.raises(TypeError, match="needed a networkx.Graph"):
        Graphs.from_networkx([g, 1])


def test_a_graph_that_changes_under_us(nx):
    g = nx.Graph()

    class Node:
        """Its hash takes nodes away while the graph is read."""
        is_armed = False

        def __hash__(self):
            if Node.is_armed:
                g._adj.clear()
                g._node.clear()
            return 5

        def __eq__(self, other):
            return self is other

    for _ in range(50):
        g.add_edge(Node(), Node())
    Node.is_armed = True
    with pytest.raises(ValueError, match="changed while it was read"):
        Graphs.from_networkx(g)
    broken = nx.path_graph(3)
    broken._adj[0] = None
    with pytest.raises(TypeError):
        Graphs.from_networkx(broken)
    broken = nx.path_graph(3)
    broken._adj[0][17] = {}
    with pytest.raises(ValueError, match="changed"):
        Graphs.from_networkx(broken)


class Data:
    """As PyG's, with numpy's arrays."""

    def __init__(self, **fields):
        self.__dict__.update(fields)


class Tensor:
    """As torch's, as far as it matters."""

    def __init__(self, values):
        self.values = np.asarray(values)

    def detach(self):
        return self

    cpu = detach

    def numpy(self):
        return self.values


def test_pyg():
    one = Data(edge_index=Tensor([[0, 1], [1, 0]]), x=Tensor(np.eye(3, dtype=np.float32)[[0, 2]]), y=Tensor([1]))
    two = Data(edge_index=Tensor([[0, 1], [1, 2]]), x=Tensor(np.eye(3, dtype=np.float32)[[1, 1, 0]]), y=Tensor([0]))
    graphs = Graphs.from_pyg([one, two])
    assert graphs.num_edges.tolist() == [1, 2] and graphs[1].node_labels.tolist() == [1, 1, 0]
    assert graphs.targets.tolist() == [1, 0]
    assert Graphs([one, two]) == graphs and Graphs.of(one)[0] == graphs[0]
    assert Graphs.from_pyg([one, two], x="attributes")[0].node_attributes.shape == (2, 3)
    assert Graphs.from_pyg([one, two], x="ignore")[0].node_labels is None
    batch = Data(edge_index=np.array([[0, 1, 2, 3], [1, 0, 3, 4]]), batch=np.array([0, 0, 1, 1, 1]),
                 x=np.eye(3)[[0, 2, 1, 1, 0]], y=np.array([1, 0]), num_graphs=2)
    assert Graphs.from_pyg(batch) == graphs


@pytest.mark.parametrize("fields, kind, words", [
    (dict(edge_index=np.array([[0.0], [1.0]]), num_nodes=2), TypeError, "integers"),
    (dict(edge_index=np.array([0, 1]), num_nodes=2), ValueError, r"shape \(2, edges\)"),
    (dict(edge_index=np.array([[0], [7]]), num_nodes=2), ValueError, "nodes in 0..1"),
    (dict(edge_index=np.array([["a"], ["b"]]), num_nodes=2), TypeError, "needed numbers"),
])
def test_pyg_with_mistakes(fields, kind, words):
    with pytest.raises(kind, match=words):
        Graphs.from_pyg([Data(**fields)])


def test_pyg_of_mixed_widths():
    index = np.array([[0], [1]])
    with pytest.raises(ValueError, match="one width, found the widths 1, 2"):
        Graphs.from_pyg([Data(edge_index=index, x=np.ones((2, 1))), Data(edge_index=index, x=np.ones((2, 2)))])
    with pytest.raises(ValueError, match="found none at graph 1"):
        Graphs.from_pyg([Data(edge_index=index, x=np.ones((2, 1))), Data(edge_index=index, x=None)])
    with pytest.raises(ValueError, match="x: needed 'auto'"):
        Graphs.from_pyg([Data(edge_index=index, num_nodes=2)], x="perhaps")


def test_igraph():
    igraph = pytest.importorskip("igraph")
    g = igraph.Graph.Ring(5)
    g.vs["label"] = [1, 2, 3, 4, 5]
    graph = Graphs([g, g])[1]
    assert graph.num_edges == 5 and graph.node_labels.tolist() == [1, 2, 3, 4, 5]
    g.vs["label"] = ["a"] * 5
    with pytest.raises(TypeError, match="node_label: needed integers, found str 'a' at graph 0"):
        Graphs.from_igraph(g)
    with pytest.raises(ValueError, match="undirected"):
        Graphs.from_igraph([igraph.Graph([(0, 1)], directed=True)])


def test_rdkit():
    chem = pytest.importorskip("rdkit.Chem")
    graphs = Graphs.from_smiles(["c1ccccc1O", "C#N", "C"], targets=[1, 0, 1])
    assert graphs[0].node_labels.tolist() == [6] * 6 + [8] and set(graphs[0].edge_labels.tolist()) == {1, 12}
    assert graphs[1].edge_labels.tolist() == [3] and graphs[2].num_edges == 0
    assert Graphs([chem.MolFromSmiles("C#N")])[0] == graphs[1]
    assert Graphs.from_smiles("C", hydrogens=True)[0].num_nodes == 5
    with pytest.raises(ValueError, match="needed SMILES, found 'not a molecule' at 1"):
        Graphs.from_smiles(["C", "not a molecule"])
    with pytest.raises(TypeError):
        Graphs.from_smiles([3])
    with pytest.raises(TypeError, match="RDKit"):
        Graphs.from_rdkit([None])


def test_scipy():
    sparse = pytest.importorskip("scipy.sparse")
    matrix = np.array([[0, 2, 0], [2, 0, 1], [0, 1, 1]])
    graph = Graphs.from_scipy([sparse.csr_matrix(matrix)])[0]
    assert graph.edges.tolist() == [[0, 1], [1, 2], [2, 2]]
    assert Graphs(sparse.coo_matrix(matrix))[0] == graph and Graphs.from_scipy([matrix])[0] == graph
    assert Graphs.from_scipy(matrix, weights=True)[0].edge_attributes.tolist() == [[2], [1], [1]]
    with pytest.raises(ValueError, match="symmetric"):
        Graphs.from_scipy([np.array([[0, 1], [0, 0]])])
    with pytest.raises(ValueError, match="square"):
        Graphs.from_scipy([np.ones((2, 3))])
    with pytest.raises(ValueError, match="finite"):
        Graphs.from_scipy([np.array([[0, np.nan], [np.nan, 0]])])


def test_graphs_of_two_packages_are_not_mixed(nx):
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(TypeError, match="one kind, found networkx, scipy"):
        Graphs.of([nx.path_graph(2), sparse.eye(2)])
