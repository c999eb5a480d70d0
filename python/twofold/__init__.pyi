# Made by python/make_stubs.py from python/stubs.pyi.in and the table of options. Do not edit.
from collections.abc import Callable, Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, Literal, TypeVar, overload

import numpy as np
import numpy.typing as npt

from . import wl as wl

__version__: str

_Self = TypeVar("_Self")
_Path = str | PathLike[str]
# Graphs, a Graph, an object of networkx, PyG, igraph, RDKit or scipy.sparse, or an iterable of such objects.
_GraphsLike = Any

class Graph:
    @property
    def num_nodes(self) -> int: ...
    @property
    def num_edges(self) -> int: ...
    @property
    def num_self_loops(self) -> int: ...
    @property
    def edges(self) -> npt.NDArray[np.int64]: ...
    @property
    def node_labels(self) -> npt.NDArray[np.int32] | None: ...
    @property
    def node_attributes(self) -> npt.NDArray[np.float64] | None: ...
    @property
    def edge_labels(self) -> npt.NDArray[np.int32] | None: ...
    @property
    def edge_attributes(self) -> npt.NDArray[np.float64] | None: ...
    def neighbors(self, node: int) -> npt.NDArray[np.uint32]: ...
    def to_graph6(self, sparse: bool = False) -> str: ...
    def to_networkx(self) -> Any: ...

class Graphs:
    def __init__(self, things: _GraphsLike = (), targets: npt.ArrayLike | None = None, name: str | None = None) -> None: ...
    @classmethod
    def of(cls, things: _GraphsLike) -> Graphs: ...
    @classmethod
    def load(cls, path: _Path, threads: int = 0) -> Graphs: ...
    @classmethod
    def from_arrays(cls, edge_index: npt.ArrayLike, batch: npt.ArrayLike | None = None, *, num_nodes: int | None = None, num_graphs: int | None = None, node_labels: npt.ArrayLike | None = None, node_attributes: npt.ArrayLike | None = None, edge_labels: npt.ArrayLike | None = None, edge_attributes: npt.ArrayLike | None = None, targets: npt.ArrayLike | None = None, name: str = "graphs", threads: int = 0) -> Graphs: ...
    @classmethod
    def from_networkx(cls, graphs: Any, targets: npt.ArrayLike | None = None, *, node_label: str | None = "label", node_attributes: str | None = "attributes", edge_label: str | None = "label", edge_attributes: str | None = "attributes", name: str = "graphs", threads: int = 0) -> Graphs: ...
    @classmethod
    def from_pyg(cls, data: Any, targets: npt.ArrayLike | None = None, *, x: Literal["auto", "labels", "attributes", "ignore"] = "auto", edge_attr: Literal["auto", "labels", "attributes", "ignore"] = "auto", name: str = "graphs", threads: int = 0) -> Graphs: ...
    @classmethod
    def from_igraph(cls, graphs: Any, targets: npt.ArrayLike | None = None, *, node_label: str = "label", edge_label: str = "label", name: str = "graphs", threads: int = 0) -> Graphs: ...
    @classmethod
    def from_rdkit(cls, molecules: Any, targets: npt.ArrayLike | None = None, *, name: str = "graphs", threads: int = 0) -> Graphs: ...
    @classmethod
    def from_smiles(cls, smiles: str | Iterable[str], targets: npt.ArrayLike | None = None, *, hydrogens: bool = False, name: str = "graphs", threads: int = 0) -> Graphs: ...
    @classmethod
    def from_scipy(cls, matrices: Any, targets: npt.ArrayLike | None = None, *, weights: bool = False, name: str = "graphs", threads: int = 0) -> Graphs: ...
    @classmethod
    def from_graph6(cls, text: str | bytes | Iterable[str | bytes], targets: npt.ArrayLike | None = None, *, name: str = "graphs") -> Graphs: ...
    @property
    def name(self) -> str: ...
    @property
    def targets(self) -> npt.NDArray[Any] | None: ...
    @property
    def classes(self) -> npt.NDArray[Any] | None: ...
    @property
    def target_names(self) -> list[str]: ...
    @property
    def num_nodes(self) -> npt.NDArray[np.int64]: ...
    @property
    def num_edges(self) -> npt.NDArray[np.int64]: ...
    @property
    def shape(self) -> tuple[int]: ...
    @property
    def checksum(self) -> str: ...
    def with_targets(self, targets: npt.ArrayLike) -> Graphs: ...
    def without_targets(self) -> Graphs: ...
    def to_networkx(self) -> list[Any]: ...
    def save(self, path: _Path, format: Literal["tu", "jsonl", "graph6", "sparse6"] | None = None, drop_data: bool = False) -> None: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, key: int) -> Graph: ...
    @overload
    def __getitem__(self, key: slice | Sequence[int] | npt.NDArray[Any]) -> Graphs: ...
    def __iter__(self) -> Iterator[Graph]: ...
    def __add__(self, other: Graphs) -> Graphs: ...

class Explanation:
    graph: Graph
    by: str
    meaning: str
    predicted: str | float
    scores: npt.NDArray[np.float64]
    neutral: float
    nodes: npt.NDArray[np.float64]
    edges: npt.NDArray[np.int64]
    edge_contributions: npt.NDArray[np.float64]
    pairs: npt.NDArray[np.int64]
    pair_contributions: npt.NDArray[np.float64]
    def to_dict(self) -> dict[str, Any]: ...
    def svg(self) -> str: ...
    def _repr_svg_(self) -> str | None: ...

class Run:
    path: str | None
    run: dict[str, Any]
    result: dict[str, Any] | None
    tasks: list[dict[str, Any]]
    @property
    def splits(self) -> list[dict[str, npt.NDArray[np.int64]]]: ...
    @property
    def folds(self) -> Any: ...
    @property
    def predictions(self) -> Any: ...
    @property
    def test_mean(self) -> float | None: ...
    @property
    def test_std(self) -> float | None: ...

def evaluate(graphs: _GraphsLike | _Path, model: str = "2-wl-gnn", output: _Path | None = None, *, preset: str = "default", splits: _Path | None = None, search: Literal["grid", "halving", "until-perfect"] = "grid", folds: int = 0, repeats: int = 3, metric: str | None = None, seed: int = 1, split_seed: int = 1, target: str | Sequence[str] | None = None, task: Literal["classes", "values"] | None = None, blind: bool = False, refit: bool | None = None, inner_folds: int = 1, threads: int = 0, max_memory: int = 0, progress: bool | Callable[[dict[str, Any]], object] | None = None, **options: Any) -> Run: ...
def read_run(path: _Path) -> Run: ...
def load_model(path: _Path) -> Learner: ...

class Estimator:
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def set_params(self: _Self, **params: Any) -> _Self: ...

class Kernel(Estimator):
    graphs_: Graphs
    def fit(self: _Self, X: _GraphsLike, y: Any = None) -> _Self: ...
    def transform(self, X: _GraphsLike) -> npt.NDArray[Any]: ...
    def fit_transform(self, X: _GraphsLike, y: Any = None) -> npt.NDArray[Any]: ...
    def features(self, X: _GraphsLike | None = None) -> Any: ...
    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[Any]: ...

class Learner(Estimator):
    history_: list[dict[str, Any]]
    @property
    def info_(self) -> dict[str, Any]: ...
    def fit(self: _Self, X: _GraphsLike, y: npt.ArrayLike | None = None) -> _Self: ...
    def explain(self, graph: Any, by: Literal["removal", "gradient", "attention", "score", "votes"] | None = None, target: str | int | None = None) -> Explanation: ...
    def save(self, path: _Path) -> None: ...
    @classmethod
    def load(cls, path: _Path) -> Any: ...

class Classifier(Learner):
    classes_: npt.NDArray[Any]
    def predict(self, X: _GraphsLike) -> npt.NDArray[Any]: ...
    def score(self, X: _GraphsLike, y: npt.ArrayLike | None = None, sample_weight: npt.ArrayLike | None = None) -> float: ...

class NetworkMixin:
    def embed(self, X: _GraphsLike, tensor: bool = False) -> Any: ...

class NetworkClassifier(NetworkMixin, Classifier):
    def predict_proba(self, X: _GraphsLike) -> npt.NDArray[np.float64]: ...
    def predict_log_proba(self, X: _GraphsLike) -> npt.NDArray[np.float64]: ...

class NetworkRegressor(NetworkMixin, Learner):
    def predict(self, X: _GraphsLike) -> npt.NDArray[np.float64]: ...
    def score(self, X: _GraphsLike, y: npt.ArrayLike | None = None, sample_weight: npt.ArrayLike | None = None) -> float: ...

class KernelMachine(Classifier):
    def decision_function(self, X: _GraphsLike) -> npt.NDArray[np.float64]: ...

class WLSubtree(Kernel):
    iterations: int
    edge_labels: bool
    combine: Literal["product", "intersection"]
    normalize: bool
    threads: int
    max_memory: int
    def __init__(
        self,
        iterations: int = ...,
        edge_labels: bool = ...,
        combine: Literal["product", "intersection"] = ...,
        normalize: bool = ...,
        threads: int = ...,
        max_memory: int = ...,
    ) -> None: ...

class WLShortestPath(Kernel):
    iterations: int
    edge_labels: bool
    combine: Literal["product", "intersection"]
    normalize: bool
    threads: int
    max_memory: int
    def __init__(
        self,
        iterations: int = ...,
        edge_labels: bool = ...,
        combine: Literal["product", "intersection"] = ...,
        normalize: bool = ...,
        threads: int = ...,
        max_memory: int = ...,
    ) -> None: ...

class TwoLWL(Kernel):
    iterations: int
    edge_labels: bool
    combine: Literal["product", "intersection"]
    normalize: bool
    threads: int
    max_memory: int
    def __init__(
        self,
        iterations: int = ...,
        edge_labels: bool = ...,
        combine: Literal["product", "intersection"] = ...,
        normalize: bool = ...,
        threads: int = ...,
        max_memory: int = ...,
    ) -> None: ...

class TwoGWL(Kernel):
    iterations: int
    edge_labels: bool
    combine: Literal["product", "intersection"]
    normalize: bool
    threads: int
    max_memory: int
    def __init__(
        self,
        iterations: int = ...,
        edge_labels: bool = ...,
        combine: Literal["product", "intersection"] = ...,
        normalize: bool = ...,
        threads: int = ...,
        max_memory: int = ...,
    ) -> None: ...

class TwoWL(Kernel):
    iterations: int
    radius: int | Literal["all"]
    edge_labels: bool
    combine: Literal["product", "intersection"]
    normalize: bool
    threads: int
    max_memory: int
    def __init__(
        self,
        iterations: int = ...,
        radius: int | Literal["all"] = ...,
        edge_labels: bool = ...,
        combine: Literal["product", "intersection"] = ...,
        normalize: bool = ...,
        threads: int = ...,
        max_memory: int = ...,
    ) -> None: ...

class TwoWLClassifier(NetworkClassifier):
    radius: int | Literal["all"]
    layers: int
    width: int
    activation: Literal["identity", "relu", "logistic", "tanh", "gelu", "silu"]
    inner_activation: Literal["identity", "relu", "logistic", "tanh"]
    pooling: Literal["mean", "weighted-mean", "sum", "max", "min", "mean+max", "sum+max", "mean+sum", "mean+sum+max", "product", "product+max", "mean+product"]
    attention: Literal["scalar", "stack"]
    loops_only: bool
    pool_by_kind: bool
    head: Literal["mlp", "linear", "none"]
    readout: Literal["last", "all"]
    norm: Literal["none", "batch", "layer"]
    sum_norm: Literal["none", "batch", "layer"]
    pool_norm: Literal["none", "batch", "layer"]
    gate: Literal["linear", "bounded", "none"]
    residual: bool
    jumping_knowledge: bool
    bias: bool
    indicators: bool
    dropout: float
    layer_dropout: float
    degrees: bool
    marks: int
    standardize: bool
    batch: int
    batch_rows: int
    batch_rows_max: int
    shuffle: bool
    epochs: int
    patience: int
    stop_on: Literal["loss", "metric", "metric+loss"]
    min_delta: float
    stop_below: float
    keep: Literal["best", "last"]
    lr: float
    lr_halve: int
    warmup: float
    schedule: Literal["constant", "cosine", "plateau"]
    lr_end: float
    plateau_patience: int
    plateau_factor: float
    optimizer: Literal["adam", "adamw"]
    weight_decay: float
    clip: float
    average: float
    ensemble: int
    class_weights: bool
    loss: Literal["mse", "mae"]
    engine: Literal["auto", "colors", "fused", "mixed", "gather-scatter"]
    device: str
    validation: float
    seed: int
    split_seed: int
    threads: int
    max_memory: int
    progress: bool | Callable[[dict[str, Any]], object] | None
    def __init__(
        self,
        *,
        radius: int | Literal["all"] = ...,
        layers: int = ...,
        width: int = ...,
        activation: Literal["identity", "relu", "logistic", "tanh", "gelu", "silu"] = ...,
        inner_activation: Literal["identity", "relu", "logistic", "tanh"] = ...,
        pooling: Literal["mean", "weighted-mean", "sum", "max", "min", "mean+max", "sum+max", "mean+sum", "mean+sum+max", "product", "product+max", "mean+product"] = ...,
        attention: Literal["scalar", "stack"] = ...,
        loops_only: bool = ...,
        pool_by_kind: bool = ...,
        head: Literal["mlp", "linear", "none"] = ...,
        readout: Literal["last", "all"] = ...,
        norm: Literal["none", "batch", "layer"] = ...,
        sum_norm: Literal["none", "batch", "layer"] = ...,
        pool_norm: Literal["none", "batch", "layer"] = ...,
        gate: Literal["linear", "bounded", "none"] = ...,
        residual: bool = ...,
        jumping_knowledge: bool = ...,
        bias: bool = ...,
        indicators: bool = ...,
        dropout: float = ...,
        layer_dropout: float = ...,
        degrees: bool = ...,
        marks: int = ...,
        standardize: bool = ...,
        batch: int = ...,
        batch_rows: int = ...,
        batch_rows_max: int = ...,
        shuffle: bool = ...,
        epochs: int = ...,
        patience: int = ...,
        stop_on: Literal["loss", "metric", "metric+loss"] = ...,
        min_delta: float = ...,
        stop_below: float = ...,
        keep: Literal["best", "last"] = ...,
        lr: float = ...,
        lr_halve: int = ...,
        warmup: float = ...,
        schedule: Literal["constant", "cosine", "plateau"] = ...,
        lr_end: float = ...,
        plateau_patience: int = ...,
        plateau_factor: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        weight_decay: float = ...,
        clip: float = ...,
        average: float = ...,
        ensemble: int = ...,
        class_weights: bool = ...,
        loss: Literal["mse", "mae"] = ...,
        engine: Literal["auto", "colors", "fused", "mixed", "gather-scatter"] = ...,
        device: str = ...,
        validation: float = ...,
        seed: int = ...,
        split_seed: int = ...,
        threads: int = ...,
        max_memory: int = ...,
        progress: bool | Callable[[dict[str, Any]], object] | None = ...,
    ) -> None: ...

class TwoWLRegressor(NetworkRegressor):
    radius: int | Literal["all"]
    layers: int
    width: int
    activation: Literal["identity", "relu", "logistic", "tanh", "gelu", "silu"]
    inner_activation: Literal["identity", "relu", "logistic", "tanh"]
    pooling: Literal["mean", "weighted-mean", "sum", "max", "min", "mean+max", "sum+max", "mean+sum", "mean+sum+max", "product", "product+max", "mean+product"]
    attention: Literal["scalar", "stack"]
    loops_only: bool
    pool_by_kind: bool
    head: Literal["mlp", "linear", "none"]
    readout: Literal["last", "all"]
    norm: Literal["none", "batch", "layer"]
    sum_norm: Literal["none", "batch", "layer"]
    pool_norm: Literal["none", "batch", "layer"]
    gate: Literal["linear", "bounded", "none"]
    residual: bool
    jumping_knowledge: bool
    bias: bool
    indicators: bool
    dropout: float
    layer_dropout: float
    degrees: bool
    marks: int
    standardize: bool
    batch: int
    batch_rows: int
    batch_rows_max: int
    shuffle: bool
    epochs: int
    patience: int
    stop_on: Literal["loss", "metric", "metric+loss"]
    min_delta: float
    stop_below: float
    keep: Literal["best", "last"]
    lr: float
    lr_halve: int
    warmup: float
    schedule: Literal["constant", "cosine", "plateau"]
    lr_end: float
    plateau_patience: int
    plateau_factor: float
    optimizer: Literal["adam", "adamw"]
    weight_decay: float
    clip: float
    average: float
    ensemble: int
    class_weights: bool
    loss: Literal["mse", "mae"]
    engine: Literal["auto", "colors", "fused", "mixed", "gather-scatter"]
    device: str
    validation: float
    seed: int
    split_seed: int
    threads: int
    max_memory: int
    progress: bool | Callable[[dict[str, Any]], object] | None
    def __init__(
        self,
        *,
        radius: int | Literal["all"] = ...,
        layers: int = ...,
        width: int = ...,
        activation: Literal["identity", "relu", "logistic", "tanh", "gelu", "silu"] = ...,
        inner_activation: Literal["identity", "relu", "logistic", "tanh"] = ...,
        pooling: Literal["mean", "weighted-mean", "sum", "max", "min", "mean+max", "sum+max", "mean+sum", "mean+sum+max", "product", "product+max", "mean+product"] = ...,
        attention: Literal["scalar", "stack"] = ...,
        loops_only: bool = ...,
        pool_by_kind: bool = ...,
        head: Literal["mlp", "linear", "none"] = ...,
        readout: Literal["last", "all"] = ...,
        norm: Literal["none", "batch", "layer"] = ...,
        sum_norm: Literal["none", "batch", "layer"] = ...,
        pool_norm: Literal["none", "batch", "layer"] = ...,
        gate: Literal["linear", "bounded", "none"] = ...,
        residual: bool = ...,
        jumping_knowledge: bool = ...,
        bias: bool = ...,
        indicators: bool = ...,
        dropout: float = ...,
        layer_dropout: float = ...,
        degrees: bool = ...,
        marks: int = ...,
        standardize: bool = ...,
        batch: int = ...,
        batch_rows: int = ...,
        batch_rows_max: int = ...,
        shuffle: bool = ...,
        epochs: int = ...,
        patience: int = ...,
        stop_on: Literal["loss", "metric", "metric+loss"] = ...,
        min_delta: float = ...,
        stop_below: float = ...,
        keep: Literal["best", "last"] = ...,
        lr: float = ...,
        lr_halve: int = ...,
        warmup: float = ...,
        schedule: Literal["constant", "cosine", "plateau"] = ...,
        lr_end: float = ...,
        plateau_patience: int = ...,
        plateau_factor: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        weight_decay: float = ...,
        clip: float = ...,
        average: float = ...,
        ensemble: int = ...,
        class_weights: bool = ...,
        loss: Literal["mse", "mae"] = ...,
        engine: Literal["auto", "colors", "fused", "mixed", "gather-scatter"] = ...,
        device: str = ...,
        validation: float = ...,
        seed: int = ...,
        split_seed: int = ...,
        threads: int = ...,
        max_memory: int = ...,
        progress: bool | Callable[[dict[str, Any]], object] | None = ...,
    ) -> None: ...

class TwoGNNClassifier(NetworkClassifier):
    layers: int
    width: int
    activation: Literal["identity", "relu", "logistic", "tanh", "gelu", "silu"]
    pooling: Literal["mean", "weighted-mean", "sum", "max", "min", "mean+max", "sum+max", "mean+sum", "mean+sum+max", "product", "product+max", "mean+product"]
    attention: Literal["scalar", "stack"]
    loops_only: bool
    pool_by_kind: bool
    head: Literal["mlp", "linear", "none"]
    readout: Literal["last", "all"]
    norm: Literal["none", "batch", "layer"]
    sum_norm: Literal["none", "batch", "layer"]
    pool_norm: Literal["none", "batch", "layer"]
    residual: bool
    jumping_knowledge: bool
    bias: bool
    indicators: bool
    dropout: float
    layer_dropout: float
    degrees: bool
    standardize: bool
    batch: int
    batch_rows: int
    batch_rows_max: int
    shuffle: bool
    epochs: int
    patience: int
    stop_on: Literal["loss", "metric", "metric+loss"]
    min_delta: float
    stop_below: float
    keep: Literal["best", "last"]
    lr: float
    lr_halve: int
    warmup: float
    schedule: Literal["constant", "cosine", "plateau"]
    lr_end: float
    plateau_patience: int
    plateau_factor: float
    optimizer: Literal["adam", "adamw"]
    weight_decay: float
    clip: float
    average: float
    ensemble: int
    class_weights: bool
    loss: Literal["mse", "mae"]
    engine: Literal["auto", "colors", "fused", "mixed", "gather-scatter"]
    device: str
    validation: float
    seed: int
    split_seed: int
    threads: int
    max_memory: int
    progress: bool | Callable[[dict[str, Any]], object] | None
    def __init__(
        self,
        *,
        layers: int = ...,
        width: int = ...,
        activation: Literal["identity", "relu", "logistic", "tanh", "gelu", "silu"] = ...,
        pooling: Literal["mean", "weighted-mean", "sum", "max", "min", "mean+max", "sum+max", "mean+sum", "mean+sum+max", "product", "product+max", "mean+product"] = ...,
        attention: Literal["scalar", "stack"] = ...,
        loops_only: bool = ...,
        pool_by_kind: bool = ...,
        head: Literal["mlp", "linear", "none"] = ...,
        readout: Literal["last", "all"] = ...,
        norm: Literal["none", "batch", "layer"] = ...,
        sum_norm: Literal["none", "batch", "layer"] = ...,
        pool_norm: Literal["none", "batch", "layer"] = ...,
        residual: bool = ...,
        jumping_knowledge: bool = ...,
        bias: bool = ...,
        indicators: bool = ...,
        dropout: float = ...,
        layer_dropout: float = ...,
        degrees: bool = ...,
        standardize: bool = ...,
        batch: int = ...,
        batch_rows: int = ...,
        batch_rows_max: int = ...,
        shuffle: bool = ...,
        epochs: int = ...,
        patience: int = ...,
        stop_on: Literal["loss", "metric", "metric+loss"] = ...,
        min_delta: float = ...,
        stop_below: float = ...,
        keep: Literal["best", "last"] = ...,
        lr: float = ...,
        lr_halve: int = ...,
        warmup: float = ...,
        schedule: Literal["constant", "cosine", "plateau"] = ...,
        lr_end: float = ...,
        plateau_patience: int = ...,
        plateau_factor: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        weight_decay: float = ...,
        clip: float = ...,
        average: float = ...,
        ensemble: int = ...,
        class_weights: bool = ...,
        loss: Literal["mse", "mae"] = ...,
        engine: Literal["auto", "colors", "fused", "mixed", "gather-scatter"] = ...,
        device: str = ...,
        validation: float = ...,
        seed: int = ...,
        split_seed: int = ...,
        threads: int = ...,
        max_memory: int = ...,
        progress: bool | Callable[[dict[str, Any]], object] | None = ...,
    ) -> None: ...

class TwoGNNRegressor(NetworkRegressor):
    layers: int
    width: int
    activation: Literal["identity", "relu", "logistic", "tanh", "gelu", "silu"]
    pooling: Literal["mean", "weighted-mean", "sum", "max", "min", "mean+max", "sum+max", "mean+sum", "mean+sum+max", "product", "product+max", "mean+product"]
    attention: Literal["scalar", "stack"]
    loops_only: bool
    pool_by_kind: bool
    head: Literal["mlp", "linear", "none"]
    readout: Literal["last", "all"]
    norm: Literal["none", "batch", "layer"]
    sum_norm: Literal["none", "batch", "layer"]
    pool_norm: Literal["none", "batch", "layer"]
    residual: bool
    jumping_knowledge: bool
    bias: bool
    indicators: bool
    dropout: float
    layer_dropout: float
    degrees: bool
    standardize: bool
    batch: int
    batch_rows: int
    batch_rows_max: int
    shuffle: bool
    epochs: int
    patience: int
    stop_on: Literal["loss", "metric", "metric+loss"]
    min_delta: float
    stop_below: float
    keep: Literal["best", "last"]
    lr: float
    lr_halve: int
    warmup: float
    schedule: Literal["constant", "cosine", "plateau"]
    lr_end: float
    plateau_patience: int
    plateau_factor: float
    optimizer: Literal["adam", "adamw"]
    weight_decay: float
    clip: float
    average: float
    ensemble: int
    class_weights: bool
    loss: Literal["mse", "mae"]
    engine: Literal["auto", "colors", "fused", "mixed", "gather-scatter"]
    device: str
    validation: float
    seed: int
    split_seed: int
    threads: int
    max_memory: int
    progress: bool | Callable[[dict[str, Any]], object] | None
    def __init__(
        self,
        *,
        layers: int = ...,
        width: int = ...,
        activation: Literal["identity", "relu", "logistic", "tanh", "gelu", "silu"] = ...,
        pooling: Literal["mean", "weighted-mean", "sum", "max", "min", "mean+max", "sum+max", "mean+sum", "mean+sum+max", "product", "product+max", "mean+product"] = ...,
        attention: Literal["scalar", "stack"] = ...,
        loops_only: bool = ...,
        pool_by_kind: bool = ...,
        head: Literal["mlp", "linear", "none"] = ...,
        readout: Literal["last", "all"] = ...,
        norm: Literal["none", "batch", "layer"] = ...,
        sum_norm: Literal["none", "batch", "layer"] = ...,
        pool_norm: Literal["none", "batch", "layer"] = ...,
        residual: bool = ...,
        jumping_knowledge: bool = ...,
        bias: bool = ...,
        indicators: bool = ...,
        dropout: float = ...,
        layer_dropout: float = ...,
        degrees: bool = ...,
        standardize: bool = ...,
        batch: int = ...,
        batch_rows: int = ...,
        batch_rows_max: int = ...,
        shuffle: bool = ...,
        epochs: int = ...,
        patience: int = ...,
        stop_on: Literal["loss", "metric", "metric+loss"] = ...,
        min_delta: float = ...,
        stop_below: float = ...,
        keep: Literal["best", "last"] = ...,
        lr: float = ...,
        lr_halve: int = ...,
        warmup: float = ...,
        schedule: Literal["constant", "cosine", "plateau"] = ...,
        lr_end: float = ...,
        plateau_patience: int = ...,
        plateau_factor: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        weight_decay: float = ...,
        clip: float = ...,
        average: float = ...,
        ensemble: int = ...,
        class_weights: bool = ...,
        loss: Literal["mse", "mae"] = ...,
        engine: Literal["auto", "colors", "fused", "mixed", "gather-scatter"] = ...,
        device: str = ...,
        validation: float = ...,
        seed: int = ...,
        split_seed: int = ...,
        threads: int = ...,
        max_memory: int = ...,
        progress: bool | Callable[[dict[str, Any]], object] | None = ...,
    ) -> None: ...

class GINClassifier(NetworkClassifier):
    layers: int
    width: int
    train_eps: bool
    pooling: Literal["mean", "sum", "max", "min", "mean+max", "sum+max", "mean+sum", "mean+sum+max", "product", "product+max", "mean+product"]
    batch_norm: bool
    dropout: float
    layer_dropout: float
    node_attributes: bool
    degrees: bool
    marks: int
    self_loops: bool
    standardize: bool
    batch: int
    batch_rows: int
    batch_rows_max: int
    shuffle: bool
    epochs: int
    patience: int
    stop_on: Literal["loss", "metric", "metric+loss"]
    min_delta: float
    stop_below: float
    keep: Literal["best", "last"]
    lr: float
    lr_halve: int
    warmup: float
    schedule: Literal["constant", "cosine", "plateau"]
    lr_end: float
    plateau_patience: int
    plateau_factor: float
    optimizer: Literal["adam", "adamw"]
    weight_decay: float
    clip: float
    average: float
    ensemble: int
    class_weights: bool
    loss: Literal["mse", "mae"]
    engine: Literal["auto", "colors", "fused", "mixed", "gather-scatter"]
    device: str
    validation: float
    seed: int
    split_seed: int
    threads: int
    max_memory: int
    progress: bool | Callable[[dict[str, Any]], object] | None
    def __init__(
        self,
        *,
        layers: int = ...,
        width: int = ...,
        train_eps: bool = ...,
        pooling: Literal["mean", "sum", "max", "min", "mean+max", "sum+max", "mean+sum", "mean+sum+max", "product", "product+max", "mean+product"] = ...,
        batch_norm: bool = ...,
        dropout: float = ...,
        layer_dropout: float = ...,
        node_attributes: bool = ...,
        degrees: bool = ...,
        marks: int = ...,
        self_loops: bool = ...,
        standardize: bool = ...,
        batch: int = ...,
        batch_rows: int = ...,
        batch_rows_max: int = ...,
        shuffle: bool = ...,
        epochs: int = ...,
        patience: int = ...,
        stop_on: Literal["loss", "metric", "metric+loss"] = ...,
        min_delta: float = ...,
        stop_below: float = ...,
        keep: Literal["best", "last"] = ...,
        lr: float = ...,
        lr_halve: int = ...,
        warmup: float = ...,
        schedule: Literal["constant", "cosine", "plateau"] = ...,
        lr_end: float = ...,
        plateau_patience: int = ...,
        plateau_factor: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        weight_decay: float = ...,
        clip: float = ...,
        average: float = ...,
        ensemble: int = ...,
        class_weights: bool = ...,
        loss: Literal["mse", "mae"] = ...,
        engine: Literal["auto", "colors", "fused", "mixed", "gather-scatter"] = ...,
        device: str = ...,
        validation: float = ...,
        seed: int = ...,
        split_seed: int = ...,
        threads: int = ...,
        max_memory: int = ...,
        progress: bool | Callable[[dict[str, Any]], object] | None = ...,
    ) -> None: ...

class GINRegressor(NetworkRegressor):
    layers: int
    width: int
    train_eps: bool
    pooling: Literal["mean", "sum", "max", "min", "mean+max", "sum+max", "mean+sum", "mean+sum+max", "product", "product+max", "mean+product"]
    batch_norm: bool
    dropout: float
    layer_dropout: float
    node_attributes: bool
    degrees: bool
    marks: int
    self_loops: bool
    standardize: bool
    batch: int
    batch_rows: int
    batch_rows_max: int
    shuffle: bool
    epochs: int
    patience: int
    stop_on: Literal["loss", "metric", "metric+loss"]
    min_delta: float
    stop_below: float
    keep: Literal["best", "last"]
    lr: float
    lr_halve: int
    warmup: float
    schedule: Literal["constant", "cosine", "plateau"]
    lr_end: float
    plateau_patience: int
    plateau_factor: float
    optimizer: Literal["adam", "adamw"]
    weight_decay: float
    clip: float
    average: float
    ensemble: int
    class_weights: bool
    loss: Literal["mse", "mae"]
    engine: Literal["auto", "colors", "fused", "mixed", "gather-scatter"]
    device: str
    validation: float
    seed: int
    split_seed: int
    threads: int
    max_memory: int
    progress: bool | Callable[[dict[str, Any]], object] | None
    def __init__(
        self,
        *,
        layers: int = ...,
        width: int = ...,
        train_eps: bool = ...,
        pooling: Literal["mean", "sum", "max", "min", "mean+max", "sum+max", "mean+sum", "mean+sum+max", "product", "product+max", "mean+product"] = ...,
        batch_norm: bool = ...,
        dropout: float = ...,
        layer_dropout: float = ...,
        node_attributes: bool = ...,
        degrees: bool = ...,
        marks: int = ...,
        self_loops: bool = ...,
        standardize: bool = ...,
        batch: int = ...,
        batch_rows: int = ...,
        batch_rows_max: int = ...,
        shuffle: bool = ...,
        epochs: int = ...,
        patience: int = ...,
        stop_on: Literal["loss", "metric", "metric+loss"] = ...,
        min_delta: float = ...,
        stop_below: float = ...,
        keep: Literal["best", "last"] = ...,
        lr: float = ...,
        lr_halve: int = ...,
        warmup: float = ...,
        schedule: Literal["constant", "cosine", "plateau"] = ...,
        lr_end: float = ...,
        plateau_patience: int = ...,
        plateau_factor: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        weight_decay: float = ...,
        clip: float = ...,
        average: float = ...,
        ensemble: int = ...,
        class_weights: bool = ...,
        loss: Literal["mse", "mae"] = ...,
        engine: Literal["auto", "colors", "fused", "mixed", "gather-scatter"] = ...,
        device: str = ...,
        validation: float = ...,
        seed: int = ...,
        split_seed: int = ...,
        threads: int = ...,
        max_memory: int = ...,
        progress: bool | Callable[[dict[str, Any]], object] | None = ...,
    ) -> None: ...

class GCNClassifier(NetworkClassifier):
    layers: int
    width: int
    activation: Literal["identity", "relu", "logistic", "tanh", "gelu", "silu"]
    pooling: Literal["mean", "weighted-mean", "sum", "max", "min", "mean+max", "sum+max", "mean+sum", "mean+sum+max", "product", "product+max", "mean+product"]
    attention: Literal["scalar", "stack"]
    head: Literal["mlp", "linear", "none"]
    readout: Literal["last", "all"]
    norm: Literal["none", "batch", "layer"]
    pool_norm: Literal["none", "batch", "layer"]
    residual: bool
    jumping_knowledge: bool
    bias: bool
    dropout: float
    layer_dropout: float
    node_attributes: bool
    degrees: bool
    standardize: bool
    batch: int
    batch_rows: int
    batch_rows_max: int
    shuffle: bool
    epochs: int
    patience: int
    stop_on: Literal["loss", "metric", "metric+loss"]
    min_delta: float
    stop_below: float
    keep: Literal["best", "last"]
    lr: float
    lr_halve: int
    warmup: float
    schedule: Literal["constant", "cosine", "plateau"]
    lr_end: float
    plateau_patience: int
    plateau_factor: float
    optimizer: Literal["adam", "adamw"]
    weight_decay: float
    clip: float
    average: float
    ensemble: int
    class_weights: bool
    loss: Literal["mse", "mae"]
    engine: Literal["auto", "colors", "fused", "mixed", "gather-scatter"]
    device: str
    validation: float
    seed: int
    split_seed: int
    threads: int
    max_memory: int
    progress: bool | Callable[[dict[str, Any]], object] | None
    def __init__(
        self,
        *,
        layers: int = ...,
        width: int = ...,
        activation: Literal["identity", "relu", "logistic", "tanh", "gelu", "silu"] = ...,
        pooling: Literal["mean", "weighted-mean", "sum", "max", "min", "mean+max", "sum+max", "mean+sum", "mean+sum+max", "product", "product+max", "mean+product"] = ...,
        attention: Literal["scalar", "stack"] = ...,
        head: Literal["mlp", "linear", "none"] = ...,
        readout: Literal["last", "all"] = ...,
        norm: Literal["none", "batch", "layer"] = ...,
        pool_norm: Literal["none", "batch", "layer"] = ...,
        residual: bool = ...,
        jumping_knowledge: bool = ...,
        bias: bool = ...,
        dropout: float = ...,
        layer_dropout: float = ...,
        node_attributes: bool = ...,
        degrees: bool = ...,
        standardize: bool = ...,
        batch: int = ...,
        batch_rows: int = ...,
        batch_rows_max: int = ...,
        shuffle: bool = ...,
        epochs: int = ...,
        patience: int = ...,
        stop_on: Literal["loss", "metric", "metric+loss"] = ...,
        min_delta: float = ...,
        stop_below: float = ...,
        keep: Literal["best", "last"] = ...,
        lr: float = ...,
        lr_halve: int = ...,
        warmup: float = ...,
        schedule: Literal["constant", "cosine", "plateau"] = ...,
        lr_end: float = ...,
        plateau_patience: int = ...,
        plateau_factor: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        weight_decay: float = ...,
        clip: float = ...,
        average: float = ...,
        ensemble: int = ...,
        class_weights: bool = ...,
        loss: Literal["mse", "mae"] = ...,
        engine: Literal["auto", "colors", "fused", "mixed", "gather-scatter"] = ...,
        device: str = ...,
        validation: float = ...,
        seed: int = ...,
        split_seed: int = ...,
        threads: int = ...,
        max_memory: int = ...,
        progress: bool | Callable[[dict[str, Any]], object] | None = ...,
    ) -> None: ...

class GCNRegressor(NetworkRegressor):
    layers: int
    width: int
    activation: Literal["identity", "relu", "logistic", "tanh", "gelu", "silu"]
    pooling: Literal["mean", "weighted-mean", "sum", "max", "min", "mean+max", "sum+max", "mean+sum", "mean+sum+max", "product", "product+max", "mean+product"]
    attention: Literal["scalar", "stack"]
    head: Literal["mlp", "linear", "none"]
    readout: Literal["last", "all"]
    norm: Literal["none", "batch", "layer"]
    pool_norm: Literal["none", "batch", "layer"]
    residual: bool
    jumping_knowledge: bool
    bias: bool
    dropout: float
    layer_dropout: float
    node_attributes: bool
    degrees: bool
    standardize: bool
    batch: int
    batch_rows: int
    batch_rows_max: int
    shuffle: bool
    epochs: int
    patience: int
    stop_on: Literal["loss", "metric", "metric+loss"]
    min_delta: float
    stop_below: float
    keep: Literal["best", "last"]
    lr: float
    lr_halve: int
    warmup: float
    schedule: Literal["constant", "cosine", "plateau"]
    lr_end: float
    plateau_patience: int
    plateau_factor: float
    optimizer: Literal["adam", "adamw"]
    weight_decay: float
    clip: float
    average: float
    ensemble: int
    class_weights: bool
    loss: Literal["mse", "mae"]
    engine: Literal["auto", "colors", "fused", "mixed", "gather-scatter"]
    device: str
    validation: float
    seed: int
    split_seed: int
    threads: int
    max_memory: int
    progress: bool | Callable[[dict[str, Any]], object] | None
    def __init__(
        self,
        *,
        layers: int = ...,
        width: int = ...,
        activation: Literal["identity", "relu", "logistic", "tanh", "gelu", "silu"] = ...,
        pooling: Literal["mean", "weighted-mean", "sum", "max", "min", "mean+max", "sum+max", "mean+sum", "mean+sum+max", "product", "product+max", "mean+product"] = ...,
        attention: Literal["scalar", "stack"] = ...,
        head: Literal["mlp", "linear", "none"] = ...,
        readout: Literal["last", "all"] = ...,
        norm: Literal["none", "batch", "layer"] = ...,
        pool_norm: Literal["none", "batch", "layer"] = ...,
        residual: bool = ...,
        jumping_knowledge: bool = ...,
        bias: bool = ...,
        dropout: float = ...,
        layer_dropout: float = ...,
        node_attributes: bool = ...,
        degrees: bool = ...,
        standardize: bool = ...,
        batch: int = ...,
        batch_rows: int = ...,
        batch_rows_max: int = ...,
        shuffle: bool = ...,
        epochs: int = ...,
        patience: int = ...,
        stop_on: Literal["loss", "metric", "metric+loss"] = ...,
        min_delta: float = ...,
        stop_below: float = ...,
        keep: Literal["best", "last"] = ...,
        lr: float = ...,
        lr_halve: int = ...,
        warmup: float = ...,
        schedule: Literal["constant", "cosine", "plateau"] = ...,
        lr_end: float = ...,
        plateau_patience: int = ...,
        plateau_factor: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        weight_decay: float = ...,
        clip: float = ...,
        average: float = ...,
        ensemble: int = ...,
        class_weights: bool = ...,
        loss: Literal["mse", "mae"] = ...,
        engine: Literal["auto", "colors", "fused", "mixed", "gather-scatter"] = ...,
        device: str = ...,
        validation: float = ...,
        seed: int = ...,
        split_seed: int = ...,
        threads: int = ...,
        max_memory: int = ...,
        progress: bool | Callable[[dict[str, Any]], object] | None = ...,
    ) -> None: ...

class SAGEClassifier(NetworkClassifier):
    layers: int
    width: int
    activation: Literal["identity", "relu", "logistic", "tanh", "gelu", "silu"]
    pooling: Literal["mean", "weighted-mean", "sum", "max", "min", "mean+max", "sum+max", "mean+sum", "mean+sum+max", "product", "product+max", "mean+product"]
    attention: Literal["scalar", "stack"]
    head: Literal["mlp", "linear", "none"]
    readout: Literal["last", "all"]
    norm: Literal["none", "batch", "layer"]
    sum_norm: Literal["none", "batch", "layer"]
    pool_norm: Literal["none", "batch", "layer"]
    residual: bool
    jumping_knowledge: bool
    bias: bool
    dropout: float
    layer_dropout: float
    node_attributes: bool
    degrees: bool
    self_loops: bool
    standardize: bool
    batch: int
    batch_rows: int
    batch_rows_max: int
    shuffle: bool
    epochs: int
    patience: int
    stop_on: Literal["loss", "metric", "metric+loss"]
    min_delta: float
    stop_below: float
    keep: Literal["best", "last"]
    lr: float
    lr_halve: int
    warmup: float
    schedule: Literal["constant", "cosine", "plateau"]
    lr_end: float
    plateau_patience: int
    plateau_factor: float
    optimizer: Literal["adam", "adamw"]
    weight_decay: float
    clip: float
    average: float
    ensemble: int
    class_weights: bool
    loss: Literal["mse", "mae"]
    engine: Literal["auto", "colors", "fused", "mixed", "gather-scatter"]
    device: str
    validation: float
    seed: int
    split_seed: int
    threads: int
    max_memory: int
    progress: bool | Callable[[dict[str, Any]], object] | None
    def __init__(
        self,
        *,
        layers: int = ...,
        width: int = ...,
        activation: Literal["identity", "relu", "logistic", "tanh", "gelu", "silu"] = ...,
        pooling: Literal["mean", "weighted-mean", "sum", "max", "min", "mean+max", "sum+max", "mean+sum", "mean+sum+max", "product", "product+max", "mean+product"] = ...,
        attention: Literal["scalar", "stack"] = ...,
        head: Literal["mlp", "linear", "none"] = ...,
        readout: Literal["last", "all"] = ...,
        norm: Literal["none", "batch", "layer"] = ...,
        sum_norm: Literal["none", "batch", "layer"] = ...,
        pool_norm: Literal["none", "batch", "layer"] = ...,
        residual: bool = ...,
        jumping_knowledge: bool = ...,
        bias: bool = ...,
        dropout: float = ...,
        layer_dropout: float = ...,
        node_attributes: bool = ...,
        degrees: bool = ...,
        self_loops: bool = ...,
        standardize: bool = ...,
        batch: int = ...,
        batch_rows: int = ...,
        batch_rows_max: int = ...,
        shuffle: bool = ...,
        epochs: int = ...,
        patience: int = ...,
        stop_on: Literal["loss", "metric", "metric+loss"] = ...,
        min_delta: float = ...,
        stop_below: float = ...,
        keep: Literal["best", "last"] = ...,
        lr: float = ...,
        lr_halve: int = ...,
        warmup: float = ...,
        schedule: Literal["constant", "cosine", "plateau"] = ...,
        lr_end: float = ...,
        plateau_patience: int = ...,
        plateau_factor: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        weight_decay: float = ...,
        clip: float = ...,
        average: float = ...,
        ensemble: int = ...,
        class_weights: bool = ...,
        loss: Literal["mse", "mae"] = ...,
        engine: Literal["auto", "colors", "fused", "mixed", "gather-scatter"] = ...,
        device: str = ...,
        validation: float = ...,
        seed: int = ...,
        split_seed: int = ...,
        threads: int = ...,
        max_memory: int = ...,
        progress: bool | Callable[[dict[str, Any]], object] | None = ...,
    ) -> None: ...

class SAGERegressor(NetworkRegressor):
    layers: int
    width: int
    activation: Literal["identity", "relu", "logistic", "tanh", "gelu", "silu"]
    pooling: Literal["mean", "weighted-mean", "sum", "max", "min", "mean+max", "sum+max", "mean+sum", "mean+sum+max", "product", "product+max", "mean+product"]
    attention: Literal["scalar", "stack"]
    head: Literal["mlp", "linear", "none"]
    readout: Literal["last", "all"]
    norm: Literal["none", "batch", "layer"]
    sum_norm: Literal["none", "batch", "layer"]
    pool_norm: Literal["none", "batch", "layer"]
    residual: bool
    jumping_knowledge: bool
    bias: bool
    dropout: float
    layer_dropout: float
    node_attributes: bool
    degrees: bool
    self_loops: bool
    standardize: bool
    batch: int
    batch_rows: int
    batch_rows_max: int
    shuffle: bool
    epochs: int
    patience: int
    stop_on: Literal["loss", "metric", "metric+loss"]
    min_delta: float
    stop_below: float
    keep: Literal["best", "last"]
    lr: float
    lr_halve: int
    warmup: float
    schedule: Literal["constant", "cosine", "plateau"]
    lr_end: float
    plateau_patience: int
    plateau_factor: float
    optimizer: Literal["adam", "adamw"]
    weight_decay: float
    clip: float
    average: float
    ensemble: int
    class_weights: bool
    loss: Literal["mse", "mae"]
    engine: Literal["auto", "colors", "fused", "mixed", "gather-scatter"]
    device: str
    validation: float
    seed: int
    split_seed: int
    threads: int
    max_memory: int
    progress: bool | Callable[[dict[str, Any]], object] | None
    def __init__(
        self,
        *,
        layers: int = ...,
        width: int = ...,
        activation: Literal["identity", "relu", "logistic", "tanh", "gelu", "silu"] = ...,
        pooling: Literal["mean", "weighted-mean", "sum", "max", "min", "mean+max", "sum+max", "mean+sum", "mean+sum+max", "product", "product+max", "mean+product"] = ...,
        attention: Literal["scalar", "stack"] = ...,
        head: Literal["mlp", "linear", "none"] = ...,
        readout: Literal["last", "all"] = ...,
        norm: Literal["none", "batch", "layer"] = ...,
        sum_norm: Literal["none", "batch", "layer"] = ...,
        pool_norm: Literal["none", "batch", "layer"] = ...,
        residual: bool = ...,
        jumping_knowledge: bool = ...,
        bias: bool = ...,
        dropout: float = ...,
        layer_dropout: float = ...,
        node_attributes: bool = ...,
        degrees: bool = ...,
        self_loops: bool = ...,
        standardize: bool = ...,
        batch: int = ...,
        batch_rows: int = ...,
        batch_rows_max: int = ...,
        shuffle: bool = ...,
        epochs: int = ...,
        patience: int = ...,
        stop_on: Literal["loss", "metric", "metric+loss"] = ...,
        min_delta: float = ...,
        stop_below: float = ...,
        keep: Literal["best", "last"] = ...,
        lr: float = ...,
        lr_halve: int = ...,
        warmup: float = ...,
        schedule: Literal["constant", "cosine", "plateau"] = ...,
        lr_end: float = ...,
        plateau_patience: int = ...,
        plateau_factor: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        weight_decay: float = ...,
        clip: float = ...,
        average: float = ...,
        ensemble: int = ...,
        class_weights: bool = ...,
        loss: Literal["mse", "mae"] = ...,
        engine: Literal["auto", "colors", "fused", "mixed", "gather-scatter"] = ...,
        device: str = ...,
        validation: float = ...,
        seed: int = ...,
        split_seed: int = ...,
        threads: int = ...,
        max_memory: int = ...,
        progress: bool | Callable[[dict[str, Any]], object] | None = ...,
    ) -> None: ...

class MLPClassifier(NetworkClassifier):
    variant: Literal["deep-sets", "fingerprint"]
    width: int
    pooling: Literal["mean", "sum", "max", "min", "mean+max", "sum+max", "mean+sum", "mean+sum+max", "product", "product+max", "mean+product"]
    node_attributes: bool
    degrees: bool
    standardize: bool
    batch: int
    batch_rows: int
    batch_rows_max: int
    shuffle: bool
    epochs: int
    patience: int
    stop_on: Literal["loss", "metric", "metric+loss"]
    min_delta: float
    stop_below: float
    keep: Literal["best", "last"]
    lr: float
    lr_halve: int
    warmup: float
    schedule: Literal["constant", "cosine", "plateau"]
    lr_end: float
    plateau_patience: int
    plateau_factor: float
    optimizer: Literal["adam", "adamw"]
    weight_decay: float
    clip: float
    average: float
    ensemble: int
    class_weights: bool
    loss: Literal["mse", "mae"]
    engine: Literal["auto", "colors", "fused", "mixed", "gather-scatter"]
    device: str
    validation: float
    seed: int
    split_seed: int
    threads: int
    max_memory: int
    progress: bool | Callable[[dict[str, Any]], object] | None
    def __init__(
        self,
        *,
        variant: Literal["deep-sets", "fingerprint"] = ...,
        width: int = ...,
        pooling: Literal["mean", "sum", "max", "min", "mean+max", "sum+max", "mean+sum", "mean+sum+max", "product", "product+max", "mean+product"] = ...,
        node_attributes: bool = ...,
        degrees: bool = ...,
        standardize: bool = ...,
        batch: int = ...,
        batch_rows: int = ...,
        batch_rows_max: int = ...,
        shuffle: bool = ...,
        epochs: int = ...,
        patience: int = ...,
        stop_on: Literal["loss", "metric", "metric+loss"] = ...,
        min_delta: float = ...,
        stop_below: float = ...,
        keep: Literal["best", "last"] = ...,
        lr: float = ...,
        lr_halve: int = ...,
        warmup: float = ...,
        schedule: Literal["constant", "cosine", "plateau"] = ...,
        lr_end: float = ...,
        plateau_patience: int = ...,
        plateau_factor: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        weight_decay: float = ...,
        clip: float = ...,
        average: float = ...,
        ensemble: int = ...,
        class_weights: bool = ...,
        loss: Literal["mse", "mae"] = ...,
        engine: Literal["auto", "colors", "fused", "mixed", "gather-scatter"] = ...,
        device: str = ...,
        validation: float = ...,
        seed: int = ...,
        split_seed: int = ...,
        threads: int = ...,
        max_memory: int = ...,
        progress: bool | Callable[[dict[str, Any]], object] | None = ...,
    ) -> None: ...

class MLPRegressor(NetworkRegressor):
    variant: Literal["deep-sets", "fingerprint"]
    width: int
    pooling: Literal["mean", "sum", "max", "min", "mean+max", "sum+max", "mean+sum", "mean+sum+max", "product", "product+max", "mean+product"]
    node_attributes: bool
    degrees: bool
    standardize: bool
    batch: int
    batch_rows: int
    batch_rows_max: int
    shuffle: bool
    epochs: int
    patience: int
    stop_on: Literal["loss", "metric", "metric+loss"]
    min_delta: float
    stop_below: float
    keep: Literal["best", "last"]
    lr: float
    lr_halve: int
    warmup: float
    schedule: Literal["constant", "cosine", "plateau"]
    lr_end: float
    plateau_patience: int
    plateau_factor: float
    optimizer: Literal["adam", "adamw"]
    weight_decay: float
    clip: float
    average: float
    ensemble: int
    class_weights: bool
    loss: Literal["mse", "mae"]
    engine: Literal["auto", "colors", "fused", "mixed", "gather-scatter"]
    device: str
    validation: float
    seed: int
    split_seed: int
    threads: int
    max_memory: int
    progress: bool | Callable[[dict[str, Any]], object] | None
    def __init__(
        self,
        *,
        variant: Literal["deep-sets", "fingerprint"] = ...,
        width: int = ...,
        pooling: Literal["mean", "sum", "max", "min", "mean+max", "sum+max", "mean+sum", "mean+sum+max", "product", "product+max", "mean+product"] = ...,
        node_attributes: bool = ...,
        degrees: bool = ...,
        standardize: bool = ...,
        batch: int = ...,
        batch_rows: int = ...,
        batch_rows_max: int = ...,
        shuffle: bool = ...,
        epochs: int = ...,
        patience: int = ...,
        stop_on: Literal["loss", "metric", "metric+loss"] = ...,
        min_delta: float = ...,
        stop_below: float = ...,
        keep: Literal["best", "last"] = ...,
        lr: float = ...,
        lr_halve: int = ...,
        warmup: float = ...,
        schedule: Literal["constant", "cosine", "plateau"] = ...,
        lr_end: float = ...,
        plateau_patience: int = ...,
        plateau_factor: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        weight_decay: float = ...,
        clip: float = ...,
        average: float = ...,
        ensemble: int = ...,
        class_weights: bool = ...,
        loss: Literal["mse", "mae"] = ...,
        engine: Literal["auto", "colors", "fused", "mixed", "gather-scatter"] = ...,
        device: str = ...,
        validation: float = ...,
        seed: int = ...,
        split_seed: int = ...,
        threads: int = ...,
        max_memory: int = ...,
        progress: bool | Callable[[dict[str, Any]], object] | None = ...,
    ) -> None: ...

class KernelClassifier(KernelMachine):
    kernel: Literal["wl-st", "wl-sp", "2-lwl", "2-gwl", "2-wl"]
    iterations: int | None
    edge_labels: bool | None
    combine: Literal["product", "intersection"] | None
    normalize: bool | None
    gamma: float | None
    penalty: float | None
    tolerance: float | None
    solver: Literal["auto", "libsvm", "linear"] | None
    radius: int | Literal["all"] | None
    threads: int
    max_memory: int
    def __init__(
        self,
        *,
        kernel: Literal["wl-st", "wl-sp", "2-lwl", "2-gwl", "2-wl"] = ...,
        iterations: int | None = ...,
        edge_labels: bool | None = ...,
        combine: Literal["product", "intersection"] | None = ...,
        normalize: bool | None = ...,
        gamma: float | None = ...,
        penalty: float | None = ...,
        tolerance: float | None = ...,
        solver: Literal["auto", "libsvm", "linear"] | None = ...,
        radius: int | Literal["all"] | None = ...,
        threads: int = ...,
        max_memory: int = ...,
    ) -> None: ...
