"""Networks and support vector machines as scikit-learn estimators, one class per model of the table."""

import operator
import os

from . import _core
from ._estimator import Estimator, make_class
from ._explanation import Explanation
from ._graphs import Graph, Graphs, class_name, class_values, threads_or_all
from ._lazy import np, require

# The models' words and what Python calls them; TwoWLClassifier, TwoWLRegressor, …
_NAMES = {"2-wl-gnn": "TwoWL", "2-gnn": "TwoGNN", "gin": "GIN", "gcn": "GCN", "sage": "SAGE", "mlp": "MLP"}
_TRAINING = ("validation", "seed", "split_seed", "threads", "max_memory", "progress")


class Learner(Estimator):
    """A learner on graphs. After fit: `history_`, a dict per epoch; a classifier has `classes_`."""

    def fit(self, X, y=None):
        """Learns from graphs and their targets: y, or those that the graphs have. The result has the bytes of the
        model file that `twofold train` writes for the same data and options."""
        graphs = Graphs.of(X)
        name, keywords = self._model_and_keywords()
        _core.check_options(name, keywords)
        data = self._labeled(graphs, y)
        bar = _progress(getattr(self, "progress", None), keywords.get("epochs"))
        try:
            self._core_model, self.history_ = _core.train(
                data, graphs._whole, name, keywords, self._task, _real(getattr(self, "validation", 0.0), "validation"),
                _seed(getattr(self, "seed", 1), "seed"), _seed(getattr(self, "split_seed", 1), "split_seed"),
                threads_or_all(self.threads), _seed(self.max_memory, "max_memory"), bar)
        finally:
            if hasattr(bar, "close"):
                bar.close()
        self._take_model()
        return self

    def explain(self, graph, by=None, target=None):
        """Why the model says what it says about one graph: an Explanation, which a notebook draws.

        by       networks: "removal", "gradient", "attention", "score"; kernels: "votes"; None: what suits
        target   of several real values, its name or its number from 1
        """
        self._check_fitted("_core_model")
        if not isinstance(graph, Graph):
            graphs = Graphs.of(graph)
            if len(graphs) != 1:
                raise ValueError(f"graph: needed one graph, found {len(graphs)}")
            graph = graphs[0]
        return Explanation(self._core_model.explain(graph._data, graph._index, by or "",
                                                    "" if target is None else str(target),
                                                    threads_or_all(self.threads), self.max_memory, None), graph)

    def save(self, path):
        """Writes the model file of the program: `twofold predict`, `explain` and `embed` take it."""
        self._check_fitted("_core_model")
        _core.write_file(os.fspath(path), self._core_model.encode())

    @classmethod
    def load(cls, path):
        """Reads a model file; one of another kind is a TypeError."""
        model = load_model(path)
        if not isinstance(model, cls):
            raise TypeError(f"{path}: needed a {cls.__name__}, found a {type(model).__name__}")
        return model

    @property
    def info_(self):
        """What the model file says: model, every option, classes or targets, how it was trained."""
        self._check_fitted("_core_model")
        return self._core_model.describe()

    def _predicted(self, graphs):
        self._check_fitted("_core_model")
        return self._core_model.predict(Graphs.of(graphs)._data, threads_or_all(self.threads), self.max_memory)

    def _model_and_keywords(self):
        return self._model, {name: getattr(self, name) for name in self._options}

    def _take_model(self):
        names = self._core_model.describe()["class_names"]
        if names:
            values = getattr(self, "_value_of", {})
            self.classes_ = (np.array([values[name] for name in names]) if all(name in values for name in names)
                             else class_values(names))

    def __getstate__(self):
        state = dict(self.__dict__)
        if state.get("_core_model") is not None:
            state["_core_model"] = state["_core_model"].encode()
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)
        if isinstance(state.get("_core_model"), bytes):
            self._core_model = _core.decode_model(state["_core_model"], "pickle")


class Classifier(Learner):
    _estimator_type = "classifier"
    _task = "classes"

    def _labeled(self, graphs, y):
        self._value_of = {}
        if y is None:
            if not graphs._data.class_names:
                raise ValueError("y: needed a class per graph, found none; the graphs have no classes either")
            return graphs._data
        y = _targets(y, graphs)
        if y.ndim == 2 and y.shape[1] == 1:
            y = y[:, 0]
        if y.ndim != 1:
            raise ValueError(f"y: needed one class per graph, found the shape {y.shape}")
        if y.dtype.kind == "f" and not np.all(np.isfinite(y)):
            raise ValueError("y: needed classes, found NaN or infinity")
        values = y.tolist()
        if y.dtype.kind == "f" and any(value != int(value) for value in values):
            raise ValueError("Unknown label type: y: needed classes (integers, bools or texts), found real numbers")
        names = [class_name(value) for value in values]
        self._value_of = dict(zip(names, y))
        return graphs._data.with_classes(names)

    def predict(self, X):
        """The class of each graph."""
        said = self._predicted(X)
        return self.classes_[said[0]]

    def score(self, X, y=None, sample_weight=None):
        """The share of the graphs whose class is found."""
        graphs = Graphs.of(X)
        truth = graphs.targets if y is None else np.asarray(y)
        return float(np.average(self.predict(graphs) == truth, weights=sample_weight))


class NetworkMixin:
    def embed(self, X, tensor=False):
        """A vector per graph: what the head reads, as 32-bit floats; with tensor=True a torch tensor of the same
        memory."""
        self._check_fitted("_core_model")
        vectors = self._core_model.embed(Graphs.of(X)._data, threads_or_all(self.threads), self.max_memory)
        return require("torch", "embed(tensor=True)").from_numpy(vectors) if tensor else vectors


class NetworkClassifier(NetworkMixin, Classifier):
    def predict_proba(self, X):
        """The probability of each class, in the order of classes_."""
        return self._predicted(X)[1]

    def predict_log_proba(self, X):
        """Its logarithm."""
        return np.log(self.predict_proba(X))


class NetworkRegressor(NetworkMixin, Learner):
    _estimator_type = "regressor"
    _task = "values"

    def _labeled(self, graphs, y):
        if y is None:
            if graphs._data.real_targets is None:
                raise ValueError("y: needed a number per graph, found none; the graphs have no real targets either")
            self._is_row = graphs._data.real_targets.shape[1] > 1
            return graphs._data
        y = _targets(y, graphs)
        if y.dtype.kind not in "iufb":
            raise ValueError(f"y: needed numbers, found an array of {y.dtype}")
        self._is_row = y.ndim == 2
        return graphs._data.with_values(y.astype(float), [])

    def predict(self, X):
        """The value of each graph, or a row of values if it learnt several."""
        values = self._predicted(X)[2]
        return values if getattr(self, "_is_row", values.shape[1] > 1) else values[:, 0]

    def score(self, X, y=None, sample_weight=None):
        """R², the share of the variance that is explained; of several values the mean."""
        graphs = Graphs.of(X)
        truth = np.asarray(graphs.targets if y is None else y, dtype=float).reshape(len(graphs), -1)
        said = self.predict(graphs).reshape(len(graphs), -1)
        weights = np.ones(len(graphs)) if sample_weight is None else np.asarray(sample_weight, dtype=float)
        error = np.average((truth - said) ** 2, axis=0, weights=weights)
        spread = np.average((truth - np.average(truth, axis=0, weights=weights)) ** 2, axis=0, weights=weights)
        safe = np.where(spread > 0, spread, 1)
        return float(np.mean(np.where(spread > 0, 1 - error / safe, np.where(error > 0, 0.0, 1.0))))


class KernelMachine(Classifier):
    """A support vector machine on a graph kernel."""

    def _model_and_keywords(self):
        options = _KERNEL_OPTIONS.get(self.kernel)
        if options is None:
            raise ValueError(f"kernel: needed {', '.join(_KERNEL_OPTIONS)}, found {self.kernel!r}")
        given = {name: getattr(self, name) for name in self._options if name != "kernel"}
        for name, value in given.items():
            if value is not None and name not in options:
                raise ValueError(f"{name}: {self.kernel} has no such option, found {value!r}; needed None")
        return self.kernel, {name: value for name, value in given.items() if value is not None}

    def decision_function(self, X):
        """Two classes: positive for the second. More: how many other classes each wins against."""
        scores = self._predicted(X)[1]
        return scores[:, 1] if scores.shape[1] == 2 else scores


def load_model(path):
    """The estimator that a model file of the program holds, with its options as parameters.

    >>> import twofold, tempfile, os
    >>> graphs = twofold.Graphs.load("TRIANGLE")
    >>> file = os.path.join(tempfile.mkdtemp(), "triangle.model")
    >>> twofold.KernelClassifier(kernel="wl-st", iterations=1).fit(graphs).save(file)
    >>> model = twofold.load_model(file)
    >>> model.kernel, model.iterations, model.penalty
    ('wl-st', 1, 1.0)
    """
    path = os.fspath(path)
    with open(path, "rb") as file:
        core = _core.decode_model(file.read(), path)
    about = core.describe()
    config = {key.replace("-", "_"): value for key, value in about["config"].items()}
    if about["model"] in _KERNEL_OPTIONS:
        model = LEARNERS["KernelClassifier"](kernel=about["model"], **config)
    else:
        kind = "Classifier" if about["class_names"] else "Regressor"
        model = LEARNERS[_NAMES[about["model"]] + kind](**config)
    training = about.get("training") or {}
    for name in ("seed", "split_seed", "validation"):
        if name in training and hasattr(model, name):
            setattr(model, name, training[name])
    model._core_model = core
    model.history_ = []
    model._take_model()
    return model


def _targets(y, graphs):
    y = np.asarray(y)
    if y.ndim not in (1, 2):
        raise ValueError(f"y: needed one or two dimensions, found {y.ndim}")
    if len(y) != len(graphs):
        raise ValueError(f"y: needed {len(graphs)} targets, one per graph, found {len(y)}")
    return y


def _seed(value, name):
    value = operator.index(value)
    if not 0 <= value < 2 ** 64:
        raise ValueError(f"{name}: needed an integer in 0..2^64-1, found {value}")
    return value


def _real(value, name):
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: needed a number, found {value!r}") from None


class _Bar:
    """A bar of tqdm where that is installed, else a line now and then."""

    def __init__(self, epochs):
        try:
            from tqdm.auto import tqdm
            self._bar = tqdm(total=epochs, unit="epoch")
        except ImportError:
            self._bar = None

    def __call__(self, epoch):
        words = {key: f"{epoch[key]:.4g}" for key in ("train_loss", "validation_loss") if key in epoch}
        if self._bar is not None:
            self._bar.update(1)
            self._bar.set_postfix(words, refresh=False)
        elif epoch["epoch"] % 50 == 0:
            print(f"epoch {epoch['epoch']}: " + ", ".join(f"{key} {value}" for key, value in words.items()))

    def close(self):
        if self._bar is not None:
            self._bar.close()


def _progress(progress, epochs):
    if progress is None or progress is False:
        return None
    if progress is True:
        return _Bar(epochs)
    if not callable(progress):
        raise TypeError(f"progress: needed a function, True or None, found {progress!r}")
    return progress


_KERNEL_OPTIONS = {model["name"]: [row["keyword"] for row in model["options"]] for model in _core.models()
                   if not model["is_network"]}


def _example(name):
    return [">>> import twofold", '>>> graphs = twofold.Graphs.load("TRIANGLE")[::8]',
            f">>> twofold.{name}(epochs=2).fit(graphs).predict(graphs).shape", "(29,)"]


def _make():
    made = {}
    shared_rows = {}
    for model in _core.models():
        for row in model["options"]:
            if not model["is_network"]:
                shared_rows.setdefault(row["keyword"], []).append(row)
        if not model["is_network"]:
            continue
        for base, kind in ((NetworkClassifier, "Classifier"), (NetworkRegressor, "Regressor")):
            name = _NAMES.get(model["name"], model["name"].replace("-", "")) + kind
            summary = (f"The network {model['name']} (docs/models.md) as a scikit-learn {kind.lower()} on graphs: "
                       "fit, predict, embed, explain, save.")
            made[name] = make_class(name, base, model["options"], _TRAINING, summary,
                                    _example(name) if kind == "Classifier" else [], False, {"_model": model["name"]})
    words = list(_KERNEL_OPTIONS)
    rows = [{"keyword": "kernel", "default": words[0], "allowed": " or ".join(words), "meaning": "The graph kernel"}]
    for same in shared_rows.values():
        rows.append({**same[0], "default": None, "meaning": same[0]["meaning"] + "; None: the kernel's default"})
    made["KernelClassifier"] = make_class(
        "KernelClassifier", KernelMachine, rows, ("threads", "max_memory"),
        "A support vector machine on a graph kernel: fit, predict, decision_function, explain, save.",
        [">>> import twofold", '>>> graphs = twofold.Graphs.load("TRIANGLE")',
         ">>> twofold.KernelClassifier(kernel=\"wl-sp\").fit(graphs).score(graphs)", "1.0"], False, {})
    return made


LEARNERS = _make()
