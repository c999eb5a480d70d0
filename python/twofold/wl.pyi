from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

_Radius = int | Literal["all"] | None

class Coloring:
    objects: npt.NDArray[np.int64]
    colors: npt.NDArray[np.int64]

class CycleCounts:
    lengths: range
    graph: npt.NDArray[np.uint64]
    nodes: npt.NDArray[np.uint64]
    edges: npt.NDArray[np.uint64]

def classes(graphs: Any, test: str = "1-wl", radius: _Radius = None, marks: int = 0, threads: int = 0, max_memory: int = 0) -> npt.NDArray[np.int64]: ...
def pairs(graphs: Any, test: str = "1-wl", radius: _Radius = None, marks: int = 0, threads: int = 0, max_memory: int = 0) -> npt.NDArray[np.bool_]: ...
def distinguishes(g: Any, h: Any, test: str = "2-wl", radius: _Radius = 2, marks: int = 0, threads: int = 0, max_memory: int = 0) -> bool: ...
def hash(graphs: Any, test: str = "2-wl", radius: _Radius = None, marks: int = 0, threads: int = 0, max_memory: int = 0) -> Any: ...
def colors(graphs: Any, test: str = "1-wl", radius: _Radius = None, marks: int = 0, rounds: int | None = None, threads: int = 0, max_memory: int = 0) -> Any: ...
def count_cycles(graphs: Any, shortest: int = 3, longest: int = 7, threads: int = 0, progress: Callable[[int, int], object] | None = None) -> Any: ...
