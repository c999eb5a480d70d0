"""Objects of other packages as graphs. None of these packages is loaded here: an object brings its own."""

from . import _core
from ._lazy import module_of, np, require, sparse


def shown(thing):
    """An object for a message."""
    text = repr(thing)
    return f"{type(thing).__name__} {text if len(text) <= 60 else text[:57] + '...'}"


def reader_of(thing):
    """The function that turns a list of such objects into graphs, or None."""
    from ._graphs import Graphs
    package = module_of(thing)
    if package == "networkx" or (hasattr(thing, "_adj") and hasattr(thing, "_node")):
        return Graphs.from_networkx
    if package == "igraph":
        return Graphs.from_igraph
    if package == "rdkit":
        return Graphs.from_rdkit
    if hasattr(thing, "edge_index"):
        return Graphs.from_pyg
    if package == "scipy" and hasattr(thing, "tocoo"):
        return Graphs.from_scipy
    return None


def as_list(things, is_single):
    """Several objects, or one of them alone, as a list."""
    return [things] if is_single(things) else list(things)


def _is_networkx(thing):
    return hasattr(thing, "_adj") and hasattr(thing, "_node")


def from_networkx(graphs, keys, name, threads):
    parts = []
    directed = False
    for i, graph in enumerate(as_list(graphs, _is_networkx)):
        if not _is_networkx(graph):
            raise TypeError(f"needed a networkx.Graph, found {shown(graph)} at graph {i}")
        if i == 0:
            directed = graph.is_directed()
        if graph.is_directed() != directed:
            raise ValueError(f"needed directed graphs or undirected ones, found a {type(graph).__name__} at graph {i} "
                             "unlike graph 0; graph.to_undirected() and graph.to_directed() make one of the other")
        if graph.is_multigraph():
            raise ValueError(f"needed graphs without parallel edges, found a {type(graph).__name__} at graph {i}; "
                             "networkx.Graph(graph) makes one")
        nodes, adjacency = graph._node, graph._adj
        if type(nodes) is not dict or type(adjacency) is not dict:  # a view of another graph
            nodes = {node: dict(data) for node, data in graph.nodes(data=True)}
            adjacency = {node: {other: dict(data) for other, data in near.items()} for node, near in graph.adjacency()}
        parts.append((nodes, adjacency))
    return _core.from_dicts(parts, directed, *keys, name, threads)


def to_networkx(graph):
    networkx = require("networkx", "to_networkx")
    made = networkx.DiGraph() if graph.is_directed else networkx.Graph()
    made.add_nodes_from(range(graph.num_nodes))
    made.add_edges_from((graph.arcs if graph.is_directed else graph.edges).tolist())
    labels, attributes = graph.node_labels, graph.node_attributes
    if labels is not None:
        networkx.set_node_attributes(made, dict(enumerate(labels.tolist())), "label")
    if attributes is not None:
        networkx.set_node_attributes(made, dict(enumerate(attributes.tolist())), "attributes")
    ends = [tuple(edge) for edge in graph.edges.tolist()]
    for key, values in (("label", graph.edge_labels), ("attributes", graph.edge_attributes)):
        if values is not None:
            known = dict(zip(ends, values.tolist()))
            if graph.is_directed:  # both arcs between two nodes share their data
                known.update({(v, u): value for (u, v), value in list(known.items())})
                known = {arc: value for arc, value in known.items() if made.has_edge(*arc)}
            networkx.set_edge_attributes(made, known, key)
    return made


def _array(thing, what):
    """A tensor or an array as numpy has it, without copying where that can be."""
    if thing is None:
        return None
    if hasattr(thing, "detach"):
        thing = thing.detach().cpu().numpy()
    array = np.asarray(thing)
    if array.dtype.kind not in "iufb":
        raise TypeError(f"{what}: needed numbers, found {array.dtype}")
    return array


def _num_nodes(data, index, x):
    if x is not None:
        return len(x)
    count = getattr(data, "num_nodes", None)
    if count is not None:
        return int(count)
    return int(index.max()) + 1 if index.size else 0


def _is_one_hot(rows):
    return (rows.ndim == 2 and rows.shape[1] > 1 and bool(np.all((rows == 0) | (rows == 1)))
            and bool(np.all(rows.sum(axis=1) == 1)))


def _labels_or_attributes(parts, how, what):
    """(labels, attributes) of all rows side by side; either or both are None."""
    if how not in ("auto", "labels", "attributes", "ignore"):
        raise ValueError(f"{what}: needed 'auto', 'labels', 'attributes' or 'ignore', found {how!r}")
    if how == "ignore" or not parts or all(part is None for part in parts):
        return None, None
    for i, part in enumerate(parts):
        if part is None:
            raise ValueError(f"{what}: needed by all graphs or by none, found none at graph {i}")
    widths = {part.shape[1:] for part in parts}
    if len(widths) > 1:
        raise ValueError(f"{what}: needed rows of one width, found the widths "
                         + ", ".join(sorted(str(width[0] if width else 1) for width in widths)))
    rows = parts[0] if len(parts) == 1 else np.concatenate(parts)
    if rows.size == 0:
        return None, None
    is_one_hot = how != "attributes" and _is_one_hot(rows)
    if how == "labels" and not is_one_hot:
        if (rows.ndim == 1 or rows.shape[1] == 1) and rows.dtype.kind in "iu":
            return rows.reshape(-1), None
        raise ValueError(f"{what}: needed one-hot rows or integers, found other numbers; 'attributes' takes them")
    return (rows.argmax(axis=1), None) if is_one_hot else (None, rows)


def from_pyg(data, targets, x, edge_attr, name, threads):
    from ._graphs import Graphs
    if hasattr(data, "edge_index") and getattr(data, "batch", None) is not None:  # a Batch
        index, batch = _array(data.edge_index, "edge_index"), _array(data.batch, "batch")
        node_labels, node_attributes = _labels_or_attributes([_array(getattr(data, "x", None), "x")], x, "x")
        edge_labels, edge_attributes = _labels_or_attributes(
            [_array(getattr(data, "edge_attr", None), "edge_attr")], edge_attr, "edge_attr")
        if targets is None:
            targets = _array(getattr(data, "y", None), "y")
        count = getattr(data, "num_graphs", None)
        return Graphs.from_arrays(index, batch, num_graphs=None if count is None else int(count),
                                  node_labels=node_labels, node_attributes=node_attributes, edge_labels=edge_labels,
                                  edge_attributes=edge_attributes, targets=targets, name=name, threads=threads)
    items = as_list(data, lambda thing: hasattr(thing, "edge_index"))
    for i, item in enumerate(items):
        if not hasattr(item, "edge_index"):
            raise TypeError(f"needed PyG's Data, found {shown(item)} at graph {i}")
    indices = [_array(item.edge_index, "edge_index") for item in items]
    for i, index in enumerate(indices):
        if index.ndim != 2 or index.shape[0] != 2:
            raise ValueError(f"edge_index: needed the shape (2, edges), found {index.shape} at graph {i}")
    xs = [_array(getattr(item, "x", None), "x") for item in items]
    nodes = np.array([_num_nodes(item, index, rows) for item, index, rows in zip(items, indices, xs)], dtype=np.int64)
    for i, index in enumerate(indices):
        if index.size and (index.min() < 0 or index.max() >= nodes[i]):
            raise ValueError(f"edge_index: needed nodes in 0..{nodes[i] - 1}, found {index.min()} to {index.max()} "
                             f"at graph {i}")
    edges = np.array([index.shape[1] for index in indices], dtype=np.int64)
    first = np.concatenate([[0], np.cumsum(nodes)])[:-1] if items else nodes
    index = np.concatenate(indices, axis=1) if items else np.empty((2, 0), dtype=np.int64)
    if index.dtype.kind not in "iu" and index.size:
        raise TypeError(f"edge_index: needed integers, found {index.dtype}")
    index = index.astype(np.int64, copy=False) + np.repeat(first, edges)
    node_labels, node_attributes = _labels_or_attributes(xs, x, "x")
    edge_labels, edge_attributes = _labels_or_attributes(
        [_array(getattr(item, "edge_attr", None), "edge_attr") for item in items], edge_attr, "edge_attr")
    if targets is None and items:
        ys = [_array(getattr(item, "y", None), "y") for item in items]
        if all(y is not None for y in ys):
            targets = np.stack([y.reshape(-1) for y in ys])
            targets = targets[:, 0] if targets.shape[1] == 1 else targets
    return Graphs.from_arrays(index, np.repeat(np.arange(len(items)), nodes), num_graphs=len(items),
                              node_labels=node_labels, node_attributes=node_attributes, edge_labels=edge_labels,
                              edge_attributes=edge_attributes, targets=targets, name=name, threads=threads)


def _joined(parts, targets, name, threads):
    """Of (number of nodes, edges, node labels, edge labels) per graph; labels of all graphs or of none."""
    from ._graphs import Graphs
    nodes = np.array([part[0] for part in parts], dtype=np.int64)
    first = np.concatenate([[0], np.cumsum(nodes)])[:-1] if parts else nodes
    ends = [np.asarray(part[1], dtype=np.int64).reshape(-1, 2) + start for part, start in zip(parts, first)]
    index = np.concatenate(ends).T if ends else np.empty((2, 0), dtype=np.int64)
    columns = []
    for place, what in ((2, "node_label"), (3, "edge_label")):
        given = [part[place] for part in parts]
        if not given or all(one is None for one in given):
            columns.append(None)
            continue
        for i, one in enumerate(given):
            if one is None:
                raise ValueError(f"{what}: needed by all graphs or by none, found none at graph {i}")
            for value in one:
                if isinstance(value, bool) or not hasattr(value, "__index__"):
                    raise TypeError(f"{what}: needed integers, found {shown(value)} at graph {i}")
        columns.append(np.array([value for one in given for value in one], dtype=np.int64))
    return Graphs.from_arrays(index, np.repeat(np.arange(len(parts)), nodes), num_graphs=len(parts),
                              node_labels=columns[0], edge_labels=columns[1] if index.size else None,
                              targets=targets, name=name, threads=threads)


def from_igraph(graphs, targets, node_label, edge_label, name, threads):
    parts = []
    for i, graph in enumerate(as_list(graphs, lambda thing: hasattr(thing, "vcount"))):
        if not hasattr(graph, "vcount"):
            raise TypeError(f"needed an igraph.Graph, found {shown(graph)} at graph {i}")
        if graph.is_directed():
            raise ValueError(f"needed undirected graphs, found a directed one at graph {i}; as_undirected() makes one")
        labels = graph.vs[node_label] if node_label in graph.vs.attributes() else None
        bonds = graph.es[edge_label] if edge_label in graph.es.attributes() else None
        parts.append((graph.vcount(), graph.get_edgelist(), labels, bonds))
    return _joined(parts, targets, name, threads)


def from_rdkit(molecules, targets, name, threads):
    parts = []
    for i, molecule in enumerate(as_list(molecules, lambda thing: hasattr(thing, "GetAtoms"))):
        if not hasattr(molecule, "GetAtoms"):
            raise TypeError(f"needed an RDKit molecule, found {shown(molecule)} at {i}")
        bonds = list(molecule.GetBonds())
        parts.append((molecule.GetNumAtoms(), [(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()) for bond in bonds],
                      [atom.GetAtomicNum() for atom in molecule.GetAtoms()],
                      [int(bond.GetBondType()) for bond in bonds]))
    return _joined(parts, targets, name, threads)


def from_smiles(smiles, targets, hydrogens, name, threads):
    chem = require("rdkit.Chem", "from_smiles", "RDKit")
    from_text = chem.MolFromSmiles
    silent = require("rdkit.rdBase", "from_smiles", "RDKit").BlockLogs()
    molecules = []
    for i, text in enumerate([smiles] if isinstance(smiles, str) else smiles):
        if not isinstance(text, str):
            raise TypeError(f"needed SMILES, found {shown(text)} at {i}")
        molecule = from_text(text)
        if molecule is None:
            raise ValueError(f"needed SMILES, found {text!r} at {i}")
        molecules.append(chem.AddHs(molecule) if hydrogens else molecule)
    del silent
    return from_rdkit(molecules, targets, name, threads)


def from_scipy(matrices, targets, weights, name, threads):
    from ._graphs import Graphs
    nodes, indices, values = [], [], []
    is_single = lambda thing: hasattr(thing, "tocoo") or getattr(thing, "ndim", 0) == 2
    first = 0
    for i, matrix in enumerate(as_list(matrices, is_single)):
        if not is_single(matrix):
            raise TypeError(f"needed a matrix, found {shown(matrix)} at graph {i}")
        if matrix.shape[0] != matrix.shape[1]:
            raise ValueError(f"needed square matrices, found the shape {matrix.shape} at graph {i}")
        entries = sparse.csr_matrix(matrix)
        if entries.dtype.kind == "f" and not np.all(np.isfinite(entries.data)):
            raise ValueError(f"needed finite numbers, found nan or inf at graph {i}")
        if (entries != entries.T).nnz:
            raise ValueError(f"needed symmetric matrices, found another at graph {i}; twofold's graphs are undirected")
        coo = sparse.triu(entries).tocoo()
        there = coo.data != 0
        indices.append(np.stack([coo.row[there], coo.col[there]]).astype(np.int64) + first)
        values.append(coo.data[there].astype(np.float64))
        nodes.append(matrix.shape[0])
        first += matrix.shape[0]
    index = np.concatenate(indices, axis=1) if indices else np.empty((2, 0), dtype=np.int64)
    return Graphs.from_arrays(index, np.repeat(np.arange(len(nodes)), np.array(nodes, dtype=np.int64)),
                              num_graphs=len(nodes),
                              edge_attributes=np.concatenate(values) if weights and values else None,
                              targets=targets, name=name, threads=threads)
