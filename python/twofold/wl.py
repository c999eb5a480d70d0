"""Weisfeiler-Leman tests: which graphs can be told apart, exactly.

Tests are "1-wl", "2-wl" (with a radius: 1, 2, … or "all"), "2-gnn" and "2-fwl", "3-fwl", …; with marks M the test is
run for every choice of M marked nodes. Definitions: docs/wl.md.
"""

import operator

from . import _core
from ._graphs import Graphs, threads_or_all
from ._lazy import np

__all__ = ["classes", "pairs", "distinguishes", "colors", "hash", "count_cycles", "Coloring", "CycleCounts"]


def _radius(test, radius):
    return radius if test == "2-wl" else None if radius in (None, 1, 2) else radius


def classes(graphs, test="1-wl", radius=None, marks=0, threads=0, max_memory=0):
    """Which graphs the test cannot tell apart: a class per graph, numbered by their first graph.

    >>> import networkx as nx, twofold
    >>> two_triangles = nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))
    >>> graphs = [two_triangles, nx.cycle_graph(6), nx.path_graph(6)]
    >>> twofold.wl.classes(graphs).tolist()
    [0, 0, 1]
    >>> twofold.wl.classes(graphs, test="2-wl", radius=2).tolist()
    [0, 1, 2]
    """
    return _core.wl_classes(Graphs.of(graphs)._data, test, radius, marks, threads_or_all(threads), max_memory)


def pairs(graphs, test="1-wl", radius=None, marks=0, threads=0, max_memory=0):
    """Whether the test distinguishes graphs 0 and 1, 2 and 3, …: a bool per pair."""
    return np.array(_core.wl_pairs(Graphs.of(graphs)._data, test, radius, marks, threads_or_all(threads), max_memory),
                    dtype=bool)


def distinguishes(g, h, test="2-wl", radius=2, marks=0, threads=0, max_memory=0):
    """Whether the test tells the two graphs apart. Isomorphic graphs are never told apart.

    >>> import networkx as nx, twofold
    >>> twofold.wl.distinguishes(nx.cycle_graph(6), nx.path_graph(6), test="1-wl")
    True
    """
    both = Graphs.of(g) + Graphs.of(h)
    if len(both) != 2:
        raise ValueError(f"needed two graphs, found {len(both)}")
    return bool(_core.wl_pairs(both._data, test, _radius(test, radius), marks, threads_or_all(threads), max_memory)[0])


def hash(graphs, test="2-wl", radius=None, marks=0, threads=0, max_memory=0):
    """A fingerprint per graph, the program's `twofold wl hash`: the same for all graphs that the test cannot tell
    apart, on every machine and in every release. For one graph one text.

    >>> import networkx as nx, twofold
    >>> twofold.wl.hash(nx.cycle_graph(5), test="1-wl") == twofold.wl.hash(nx.cycle_graph(5), test="1-wl")
    True
    """
    data = Graphs.of(graphs)._data
    found = _core.wl_hashes(data, test, radius, marks, threads_or_all(threads), max_memory)
    return found if _is_many(graphs) else found[0]


class Coloring:
    """The colors of one graph: `objects`, a row of nodes each, and `colors`, comparable within one call."""

    def __init__(self, objects, colors):
        self.objects = objects
        self.colors = colors

    def __repr__(self):
        return f"<twofold.wl.Coloring: {len(self.colors)} objects, {len(np.unique(self.colors))} colors>"


def colors(graphs, test="1-wl", radius=None, marks=0, rounds=None, threads=0, max_memory=0):
    """The stable colors of all graphs, refined together, or those after so many rounds: a Coloring per graph, one
    for one graph.

    >>> import networkx as nx, twofold
    >>> twofold.wl.colors(nx.path_graph(4)).colors.tolist()
    [0, 1, 1, 0]
    """
    limit = -1 if rounds is None else operator.index(rounds)
    if rounds is not None and limit < 0:
        raise ValueError(f"rounds: needed 0 or more, found {rounds}")
    if rounds is not None and marks:
        raise ValueError("rounds: with marks there is only the stable coloring")
    found, _, _ = _core.wl_colors(Graphs.of(graphs)._data, test, radius, marks, limit, threads_or_all(threads),
                                  max_memory)
    made = [Coloring(*one) for one in found]
    return made if _is_many(graphs) else made[0]


class CycleCounts:
    """The cycles of one graph: a number per length in `graph`, a row per node in `nodes`, per edge in `edges`."""

    def __init__(self, lengths, graph, nodes, edges):
        self.lengths = lengths
        self.graph = graph
        self.nodes = nodes
        self.edges = edges

    def __repr__(self):
        counts = ", ".join(f"{length}: {count}" for length, count in zip(self.lengths, self.graph))
        return f"<twofold.wl.CycleCounts: {counts}>"


def count_cycles(graphs, shortest=3, longest=7, threads=0, progress=None):
    """How many simple cycles of each length there are, exactly: a CycleCounts per graph, one for one graph.

    >>> import networkx as nx, twofold
    >>> twofold.wl.count_cycles(nx.complete_graph(4), 3, 4)
    <twofold.wl.CycleCounts: 3: 4, 4: 3>
    """
    found = _core.count_cycles(Graphs.of(graphs)._data, operator.index(shortest), operator.index(longest),
                               threads_or_all(threads), progress)
    made = [CycleCounts(range(shortest, longest + 1), *one) for one in found]
    return made if _is_many(graphs) else made[0]


def _is_many(graphs):
    """Whether several graphs were given, be they one."""
    from . import _foreign
    from ._graphs import Graph
    return not isinstance(graphs, Graph) and _foreign.reader_of(graphs) is None
