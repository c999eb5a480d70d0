"""Why a model says what it says about one graph."""

from ._lazy import np


class Explanation:
    """Why a model says what it says about one graph.

    nodes          a contribution per node (NaN for nodes that the explanation does not speak of)
    edges, edge_contributions     a row (u, v) per edge spoken of, and its contribution
    pairs, pair_contributions     the same for pairs of nodes that are no edge
    predicted, scores    the class (or value) and what the model gives each class
    neutral        the contribution that says nothing

    `_repr_svg_` draws it in a notebook, `svg()` gives the picture (Graphviz's neato lays it out), `to_dict()` the
    JSON of `twofold explain`.
    """

    def __init__(self, core, graph):
        self._core = core
        said = core.json()
        self._said = said
        self.graph = graph
        self.by = said["by"]
        self.meaning = core.meaning()
        self.predicted = said["class"] if "class" in said else said["value"]
        self.scores = np.array(said["scores"] if "scores" in said else [said["value"]])
        self.neutral = said["neutral"]
        self.nodes = np.full(graph.num_nodes, np.nan)
        found = {"edge": ([], []), "indirect": ([], [])}
        for row in said["rows"]:
            if row["kind"] == "node":
                self.nodes[row["u"]] = row["contribution"]
            else:
                found[row["kind"]][0].append((row["u"], row["v"]))
                found[row["kind"]][1].append(row["contribution"])
        self.edges, self.edge_contributions = _arrays(found["edge"])
        self.pairs, self.pair_contributions = _arrays(found["indirect"])

    def to_dict(self):
        """Everything, with the keys of `twofold explain … -o FILE.json`."""
        return self._said

    def svg(self):
        """The picture as text."""
        return self._core.svg()

    def _repr_svg_(self):
        try:
            return self._core.svg()
        except RuntimeError:  # Graphviz is not installed, or the graph is too large to be drawn
            return None

    def __repr__(self):
        return f"<twofold.Explanation: {self._core.headline()}, by {self.by}>"


def _arrays(found):
    ends, contributions = found
    return np.array(ends, dtype=np.int64).reshape(-1, 2), np.array(contributions, dtype=float)
