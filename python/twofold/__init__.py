"""Higher-order Weisfeiler-Leman graph learning: the 2-WL-GNN, graph kernels and exact WL tests.

>>> import twofold
>>> graphs = twofold.Graphs.load("TRIANGLE")
>>> len(graphs)
228
>>> twofold.WLSubtree(iterations=2).fit_transform(graphs[:3]).shape
(3, 3)
>>> twofold.wl.distinguishes(twofold.Graphs.from_graph6("EhEG")[0], twofold.Graphs.from_graph6("EwCW")[0])
True

Everything takes `twofold.Graphs`, and what can be made into them: networkx graphs, PyG data, igraph graphs, RDKit
molecules, adjacency matrices, or lists of these. Learners and kernels are scikit-learn estimators; none of the
packages is needed, nor loaded before it is used.
"""

from . import _core
from . import wl
from ._graphs import Graph, Graphs
from ._kernels import KERNELS
from ._learners import LEARNERS, Explanation, load_model
from ._evaluation import Run, evaluate, read_run

__version__ = _core.version

globals().update(KERNELS)
globals().update(LEARNERS)

__all__ = ["Graph", "Graphs", "Explanation", "Run", "evaluate", "load_model", "read_run", "wl", *KERNELS, *LEARNERS]
