"""Graphs and single graphs, and what other packages' objects become."""

import operator
import os

from . import _core, _foreign
from ._lazy import module_of, np


def threads_or_all(threads):
    """What `threads` means: 0 takes all, but one in a forked process, where OpenMP's threads are lost."""
    threads = operator.index(threads)
    if threads < 0:
        raise ValueError(f"threads: needed 0 or more, found {threads}")
    return 1 if _forked and threads == 0 else threads


_forked = False


def _after_fork():
    global _forked
    _forked = True


os.register_at_fork(after_in_child=_after_fork)


class Graph:
    """One graph of `Graphs`; arrays are views, not copies.

    >>> import twofold
    >>> g = twofold.Graphs.from_graph6("DQc")[0]
    >>> g
    <twofold.Graph: 5 nodes, 4 edges>
    >>> g.edges.tolist()
    [[0, 2], [0, 4], [1, 3], [3, 4]]
    """

    __slots__ = ("_data", "_index", "__weakref__")

    def __init__(self, data, index):
        self._data = data
        self._index = index

    @property
    def num_nodes(self):
        """How many nodes there are; they are called 0, 1, …"""
        return int(self._data.num_nodes()[self._index])

    @property
    def num_edges(self):
        """How many edges between different nodes there are."""
        return int(self._data.num_edges()[self._index])

    @property
    def num_self_loops(self):
        return self._data.num_self_loops(self._index)

    @property
    def edges(self):
        """A row (u, v) per edge, u < v, ascending; then a row (v, v) per self-loop."""
        return self._data.edges(self._index)

    @property
    def is_directed(self):
        """Whether edges have directions. Only `twofold.wl` reads directed graphs."""
        return self._data.is_directed(self._index)

    @property
    def arcs(self):
        """Of a directed graph: a row (from, to) per arc, ascending; then a row (v, v) per self-loop."""
        return self._data.arcs(self._index)

    @property
    def node_labels(self):
        """An integer per node, or None."""
        return self._data.node_labels(self._index)

    @property
    def node_attributes(self):
        """A row of real numbers per node, or None."""
        return self._data.node_attributes(self._index)

    @property
    def edge_labels(self):
        """An integer per row of `edges`, or None."""
        return self._data.edge_labels(self._index)

    @property
    def edge_attributes(self):
        """A row of real numbers per row of `edges`, or None."""
        return self._data.edge_attributes(self._index)

    def neighbors(self, node):
        """The neighbors of a node, ascending."""
        return self._data.neighbors(self._index, operator.index(node))

    def to_graph6(self, sparse=False):
        """The edges as a line of graph6, or of sparse6."""
        return self._data.graph6(self._index, sparse)

    def to_networkx(self):
        """A networkx.Graph, or DiGraph. Nodes and edges have `label` and `attributes` if there are any."""
        return _foreign.to_networkx(self)

    def __eq__(self, other):
        if not isinstance(other, Graph):
            return NotImplemented
        return self._data.same_graph(self._index, other._data, other._index)

    __hash__ = None

    def __reduce__(self):
        return _graph_of, (Graphs([self]),)

    def __repr__(self):
        return f"<twofold.Graph: {self.num_nodes} nodes, {self.num_edges} edges>"


def _graph_of(graphs):
    return graphs[0]


class Graphs:
    """A dataset: graphs, each with a target or without.

    `Graphs(things)` takes what `Graphs.of` takes. Slicing, lists of indices and boolean arrays give `Graphs`, an
    index gives a `Graph`.

    >>> import networkx as nx, twofold
    >>> graphs = twofold.Graphs([nx.path_graph(3), nx.cycle_graph(4)])
    >>> graphs
    <twofold.Graphs: 2 graphs, 3 to 4 nodes>
    >>> graphs[-1].num_edges
    4
    >>> len(graphs[:1])
    1
    """

    # In front of numpy's arrays in comparisons and indexing.
    __array_priority__ = 100

    def __init__(self, things=(), targets=None, name=None):
        self._path = None
        data = Graphs.of(things)._data if not isinstance(things, _core.Data) else things
        if name is not None:
            data = data.renamed(str(name))
        # What this is a part of: networks that are fitted to a part know the labels of the whole.
        self._whole = things._whole if isinstance(things, Graphs) else data
        self._data = data if targets is None else _with_targets(data, targets)

    def _part(self, data):
        part = Graphs(data)
        part._whole = self._whole
        return part

    @classmethod
    def of(cls, things):
        """`things` as Graphs: Graphs, a Graph, an object of networkx, PyG, igraph, RDKit or scipy.sparse, or an
        iterable of such objects of one kind. A text is no such thing: `Graphs.load` takes paths."""
        if isinstance(things, Graphs):
            return things
        if isinstance(things, Graph):
            return cls(_core.joined([(things._data, things._index)], things._data.name))
        found = _foreign.reader_of(things)
        if found is not None:
            return cls._wrap(found([things]))
        if isinstance(things, (str, bytes, os.PathLike)) or not hasattr(things, "__iter__"):
            raise TypeError(f"needed graphs, found {_foreign.shown(things)}"
                            + ("; Graphs.load reads files" if isinstance(things, (str, os.PathLike)) else ""))
        things = list(things)
        if all(isinstance(thing, Graph) for thing in things):
            name = things[0]._data.name if things else "graphs"
            return cls(_core.joined([(thing._data, thing._index) for thing in things], name))
        kinds = {module_of(thing) for thing in things}
        found = _foreign.reader_of(things[0])
        if found is None or len(kinds) > 1:
            raise TypeError("needed graphs of one kind, found "
                            + (", ".join(sorted(kinds)) if len(kinds) > 1 else _foreign.shown(things[0])))
        return cls._wrap(found(things))

    @classmethod
    def _wrap(cls, data):
        return data if isinstance(data, Graphs) else cls(data)

    @classmethod
    def load(cls, path, threads=0):
        """Reads a dataset: a TU folder or zip, a JSON-lines, graph6 or sparse6 file, or the built-in TRIANGLE.

        >>> import twofold
        >>> twofold.Graphs.load("TRIANGLE").targets[:4].tolist()
        [0, 0, 0, 1]
        """
        path = os.fspath(path)
        if isinstance(path, bytes):
            path = os.fsdecode(path)
        if path == "-":
            raise ValueError("path: needed a file or folder, found '-'; standard input is Python's")
        graphs = cls(_core.load(path, threads_or_all(threads)))
        graphs._path = path
        return graphs

    @classmethod
    def from_arrays(cls, edge_index, batch=None, *, num_nodes=None, num_graphs=None, node_labels=None,
                    node_attributes=None, edge_labels=None, edge_attributes=None, targets=None, name="graphs",
                    threads=0):
        """Graphs of flat arrays, as PyG batches them; integers of 32 or 64 bits and floats are read in place.

        edge_index       2 rows of nodes, counted over all graphs; one or both directions of an edge
        batch            the graph of each node, ascending; None: all nodes are of one graph
        num_nodes        without a batch: how many nodes there are [one more than the largest in edge_index]
        num_graphs       graphs at the end may have no nodes [one more than the last of batch]
        node_labels      an integer per node; node_attributes: a row of numbers per node
        edge_labels      an integer per column of edge_index; edge_attributes: a row of numbers per column

        >>> import numpy as np, twofold
        >>> twofold.Graphs.from_arrays(np.array([[0, 1, 3], [1, 2, 4]]), batch=[0, 0, 0, 1, 1])
        <twofold.Graphs: 2 graphs, 2 to 3 nodes>
        """
        edge_index = np.asarray(edge_index)
        if edge_index.ndim != 2 or edge_index.shape[0] != 2:
            if edge_index.size == 0:
                edge_index = np.empty((2, 0), dtype=np.int64)
            else:
                raise ValueError(f"edge_index: needed the shape (2, edges), found {edge_index.shape}")
        if batch is None:
            if num_nodes is None:
                for given in (node_labels, node_attributes):
                    if given is not None:
                        num_nodes = len(given)
                        break
                else:
                    if edge_index.size and edge_index.dtype.kind not in "iu":
                        raise TypeError(f"edge_index: needed integers, found an array of {edge_index.dtype}")
                    num_nodes = int(edge_index.max()) + 1 if edge_index.size else 0
            batch = np.zeros(_count(num_nodes, "num_nodes"), dtype=np.int64)
            if num_graphs is None:
                num_graphs = 1
        elif num_nodes is not None:
            raise TypeError("num_nodes: batch says how many nodes there are: give one of them")
        batch = np.asarray(batch)
        if batch.size == 0:
            batch = batch.astype(np.int64)
        if num_graphs is None:
            if batch.dtype.kind not in "iu":
                raise TypeError(f"batch: needed integers, found an array of {batch.dtype}")
            num_graphs = int(batch.max()) + 1 if batch.size else 0
        data = _core.from_arrays(edge_index, batch, _count(num_graphs, "num_graphs"), node_labels, node_attributes,
                                 edge_labels, edge_attributes, str(name), threads_or_all(threads))
        return cls(data, targets)

    @classmethod
    def from_networkx(cls, graphs, targets=None, *, node_label="label", node_attributes="attributes",
                      edge_label="label", edge_attributes="attributes", name="graphs", threads=0):
        """Of networkx graphs, all undirected or all directed (for `twofold.wl`). The words are the keys under which nodes and edges have their data (None:
        do not look); data is taken if all nodes, or all edges, of all graphs have it.

        >>> import networkx as nx, twofold
        >>> g = nx.Graph([("a", "b")])
        >>> nx.set_node_attributes(g, {"a": 6, "b": 8}, "element")
        >>> twofold.Graphs.from_networkx([g], node_label="element")[0].node_labels.tolist()
        [6, 8]
        """
        keys = (node_label, node_attributes, edge_label, edge_attributes)
        return cls(_foreign.from_networkx(graphs, keys, str(name), threads_or_all(threads)), targets)

    @classmethod
    def from_pyg(cls, data, targets=None, *, x="auto", edge_attr="auto", name="graphs", threads=0):
        """Of PyG's Data, a list or a dataset of them, or a Batch; torch tensors and numpy arrays alike.

        x, edge_attr   "labels": rows are one-hot; "attributes": real numbers; "ignore"; "auto": labels if every
                       row of all graphs is one-hot, else attributes
        targets        None: `y`, if every Data has one
        """
        return _foreign.from_pyg(data, targets, x, edge_attr, str(name), threads)

    @classmethod
    def from_igraph(cls, graphs, targets=None, *, node_label="label", edge_label="label", name="graphs", threads=0):
        """Of undirected igraph graphs; the words name the attributes that hold integer labels."""
        return _foreign.from_igraph(graphs, targets, node_label, edge_label, str(name), threads)

    @classmethod
    def from_rdkit(cls, molecules, targets=None, *, name="graphs", threads=0):
        """Of RDKit molecules: an atom's label is its atomic number, a bond's is 1, 2, 3 for single, double,
        triple, 12 for aromatic (RDKit's numbers). Hydrogens are nodes only where the molecule has them."""
        return _foreign.from_rdkit(molecules, targets, str(name), threads)

    @classmethod
    def from_smiles(cls, smiles, targets=None, *, hydrogens=False, name="graphs", threads=0):
        """Of SMILES texts, by RDKit; labels as from_rdkit has them.

        >>> import twofold
        >>> ethanol = twofold.Graphs.from_smiles(["CCO"])[0]
        >>> ethanol.node_labels.tolist(), ethanol.edge_labels.tolist()
        ([6, 6, 8], [1, 1])
        """
        return _foreign.from_smiles(smiles, targets, hydrogens, str(name), threads)

    @classmethod
    def from_scipy(cls, matrices, targets=None, *, weights=False, name="graphs", threads=0):
        """Of symmetric adjacency matrices, sparse or dense: what is not zero is an edge. With weights=True the
        entries are edge attributes."""
        return _foreign.from_scipy(matrices, targets, weights, str(name), threads)

    @classmethod
    def from_graph6(cls, text, targets=None, *, name="graphs"):
        """Of graph6 or sparse6: a text with a graph per line, or a list of such texts."""
        if not isinstance(text, (str, bytes)):
            text = "\n".join(line.decode("ascii") if isinstance(line, bytes) else line for line in text)
        if isinstance(text, bytes):
            text = text.decode("ascii")
        return cls(_core.from_graph6(text, str(name)), targets)

    @property
    def name(self):
        return self._data.name

    @property
    def targets(self):
        """What is to be learnt, as numpy has it: a class per graph (integers if all are), a real number per graph,
        or a row of them; None if there is nothing."""
        classes = self.classes
        if classes is not None:
            return classes[self._data.class_of]
        values = self._data.real_targets
        return values[:, 0] if values is not None and values.shape[1] == 1 else values

    @property
    def classes(self):
        """The classes in the order that learners have them, or None."""
        names = self._data.class_names
        return class_values(names) if names else None

    @property
    def target_names(self):
        """The names of the real targets, if they have any."""
        return self._data.target_names

    @property
    def num_nodes(self):
        """How many nodes each graph has."""
        return self._data.num_nodes()

    @property
    def num_edges(self):
        """How many edges each graph has, self-loops not counted."""
        return self._data.num_edges()

    @property
    def shape(self):
        """(number of graphs,): scikit-learn's splitters and searches then index the graphs as they do arrays."""
        return (len(self),)

    @property
    def checksum(self):
        """What run records and model files call the data by."""
        return self._data.checksum()

    def with_targets(self, targets):
        """The same graphs with other targets: classes (integers, bools, texts), or real numbers."""
        return self._part(_with_targets(self._data, targets))

    def without_targets(self):
        """The same graphs with nothing to learn."""
        return self._part(self._data.without_targets())

    def to_networkx(self):
        """A list of networkx graphs."""
        return [graph.to_networkx() for graph in self]

    def save(self, path, format=None, drop_data=False):
        """Writes the dataset, whole or not at all: .jsonl, .g6, .s6 by the ending, else a TU folder; or by
        `format`: tu, jsonl, graph6, sparse6. With drop_data what the format cannot hold is left out."""
        self._data.save(os.fspath(path), format or "", bool(drop_data))

    def __len__(self):
        return len(self._data)

    def __getitem__(self, key):
        if isinstance(key, slice):
            return self._part(self._data.take(np.arange(len(self))[key]))
        if hasattr(key, "__index__") and not isinstance(key, bool) and not getattr(key, "ndim", 0):
            index = operator.index(key)
            index += len(self) if index < 0 else 0
            if not 0 <= index < len(self):
                raise IndexError(f"needed a graph in 0..{len(self) - 1}, found {key}")
            return Graph(self._data, index)
        if isinstance(key, (str, bytes, float, bool)) or not hasattr(key, "__iter__"):
            raise TypeError(f"needed an index, a slice or indices, found {_foreign.shown(key)}")
        indices = np.asarray(key)
        if indices.size == 0:
            indices = np.empty(0, dtype=np.int64)
        if indices.ndim != 1:
            raise IndexError(f"needed indices in one dimension, found {indices.ndim}")
        if indices.dtype.kind == "b":
            if len(indices) != len(self):
                raise IndexError(f"needed {len(self)} booleans, one per graph, found {len(indices)}")
            indices = np.flatnonzero(indices)
        if indices.dtype.kind not in "iu":
            raise TypeError(f"needed integers or booleans as indices, found an array of {indices.dtype}")
        indices = np.where(indices < 0, indices + len(self), indices)
        return self._part(self._data.take(indices))

    def __iter__(self):
        for i in range(len(self)):
            yield Graph(self._data, i)

    def __add__(self, other):
        if not isinstance(other, Graphs):
            return NotImplemented
        parts = [(graphs._data, i) for graphs in (self, other) for i in range(len(graphs))]
        return Graphs(_core.joined(parts, self.name))

    def __eq__(self, other):
        if not isinstance(other, Graphs):
            return NotImplemented
        return self._data == other._data

    __hash__ = None

    def __reduce__(self):
        return _unpickle, (self._data.to_json_lines(), self.name, self._data.target_names)

    def __repr__(self):
        if not len(self):
            return "<twofold.Graphs: no graphs>"
        nodes = self._data.num_nodes()
        text = f"{len(self)} graph{'s' if len(self) > 1 else ''}, {nodes.min()} to {nodes.max()} nodes"
        if self._data.class_names:
            text += f", {len(self._data.class_names)} classes"
        elif self._data.real_targets is not None:
            text += f", {self._data.real_targets.shape[1]} real targets"
        return f"<twofold.Graphs: {text}>"


def _count(value, name):
    value = operator.index(value)
    if value < 0:
        raise ValueError(f"{name}: needed 0 or more, found {value}")
    return value


def _unpickle(lines, name, target_names):
    return Graphs(_core.from_json_lines(lines, name, target_names))


def class_values(names):
    """Class names as numpy has classes: integers if all are, else texts."""
    try:
        return np.array([int(name) for name in names])
    except ValueError:
        return np.array(names)


def class_name(value):
    """How the library writes a class: 1 and 1.0 alike, True as 1."""
    if isinstance(value, str):
        return value
    kind = getattr(getattr(value, "dtype", None), "kind", None)
    if isinstance(value, bool) or kind == "b":
        return str(int(value))
    if isinstance(value, float) or kind == "f":
        if value != int(value):
            raise ValueError(f"y: needed classes (integers, bools or texts), found the real number {value}")
        return str(int(value))
    return str(value)


def is_real(targets):
    return targets.dtype.kind == "f" and (targets.ndim == 2 or bool(np.any(targets != np.floor(targets))))


def _with_targets(data, targets):
    targets = np.asarray(targets)
    if len(targets.shape) not in (1, 2):
        raise ValueError(f"y: needed one or two dimensions, found {targets.ndim}")
    if len(targets) != len(data):
        raise ValueError(f"y: needed {len(data)} targets, one per graph, found {len(targets)}")
    if is_real(targets) or targets.ndim == 2:
        return data.with_values(targets, [])
    return data.with_classes([class_name(value) for value in targets.tolist()])
