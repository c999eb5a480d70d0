"""Graph kernels as scikit-learn transformers, one class per kernel of the table."""

from . import _core
from ._estimator import Estimator, make_class
from ._graphs import Graphs, threads_or_all
from ._lazy import np, sparse

# The kernels' words and what Python calls them.
_NAMES = {"wl-st": "WLSubtree", "wl-sp": "WLShortestPath", "2-lwl": "TwoLWL", "2-gwl": "TwoGWL", "2-wl": "TwoWL"}
_SVM = ("gamma", "penalty", "tolerance", "solver")


class Kernel(Estimator):
    """A graph kernel: fit and transform give Gram matrices, features the explicit counts behind them."""

    def fit(self, X, y=None):
        """Takes the graphs that the columns of later matrices stand for."""
        graphs = Graphs.of(X)
        _core.check_options(self._kernel, self._keywords())
        self.graphs_ = graphs
        self._features = None
        return self

    def transform(self, X):
        """The kernel of each given graph (rows) with each fitted graph (columns): the block of the Gram matrix of
        all of them. Counts are exact integers; with normalize=True cosines, as floats."""
        self._check_fitted("graphs_")
        return self._block(Graphs.of(X)._data)

    def fit_transform(self, X, y=None):
        """The Gram matrix of the graphs."""
        return self.fit(X)._block(None)

    def features(self, X=None):
        """How often each graph has each feature of the fitted graphs: a scipy CSR matrix of integers, a row per
        graph, a column per name of `get_feature_names_out()`. Without graphs: of the fitted ones.

        features(a) @ features(b).T is the Gram matrix of raw counts (combine="product") if a or b was fitted."""
        self._check_fitted("graphs_")
        graphs = self.graphs_ if X is None else Graphs.of(X)
        vocabulary = self._vocabulary()
        counts, columns, starts = vocabulary.counts(graphs._data, threads_or_all(self.threads))
        return sparse.csr_matrix((counts, columns, starts), shape=(len(graphs), len(self._names)))

    def get_feature_names_out(self, input_features=None):
        """A name per column of `features`: `wl-st/2/3b1f…`, kernel, round and a hash of what the feature is made
        of. The same feature has the same name whatever graphs were fitted."""
        self._check_fitted("graphs_")
        self._vocabulary()
        return np.array(self._names, dtype=object)

    def _keywords(self):
        return {name: getattr(self, name) for name in self._options}

    def _block(self, rows):
        return _core.gram_block(self._kernel, self._keywords(), self.graphs_._data, rows, threads_or_all(self.threads),
                                self.max_memory, None)

    def _vocabulary(self):
        if getattr(self, "_features", None) is None:
            made = _core.Features(self._kernel, self._keywords(), self.max_memory)
            made.fit(self.graphs_._data)
            self._names = made.names()
            self._features = made
        return self._features

    def _more_tags(self):
        return {**super()._more_tags(), "stateless": False, "pairwise": False}

    def __getstate__(self):
        # Colors are found again from the graphs.
        return {key: value for key, value in self.__dict__.items() if key not in ("_features", "_names")}


def _make():
    made = {}
    for model in _core.models():
        if model["is_network"]:
            continue
        word = model["name"]
        name = _NAMES.get(word) or "".join(part.capitalize() for part in word.split("-"))
        options = [row for row in model["options"] if row["name"] not in _SVM]
        options.sort(key=lambda row: row["name"] != "iterations")  # WLSubtree(5)
        made[name] = make_class(
            name, Kernel, options, ("threads", "max_memory"),
            f"The graph kernel {word} (docs/kernels.md), as a transformer: graphs in, Gram matrices out.",
            [">>> import networkx as nx, twofold", f">>> kernel = twofold.{name}(iterations=1)",
             ">>> kernel.fit_transform([nx.path_graph(3), nx.path_graph(4)]).shape", "(2, 2)"],
            True, {"_kernel": word})
    return made


KERNELS = _make()
