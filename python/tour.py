# %%
# ## Which graphs can be told apart?
#
# Two triangles and a hexagon: every node has two neighbors, so color refinement (1-WL) sees no difference. The 2-WL test
# of the paper does: it looks at pairs of nodes, at radius 1 at nodes and edges.
import networkx as nx
import twofold
from twofold import Graphs, wl

two_triangles = nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))
hexagon = nx.cycle_graph(6)
for test, radius in (("1-wl", None), ("2-wl", 1), ("2-wl", 2)):
    print(test, radius, wl.distinguishes(two_triangles, hexagon, test=test, radius=radius))

# %%
# ## A dataset
#
# TRIANGLE comes with twofold: the class of a graph is the color of its one triangle of equal colors. `Graphs.load` reads files too.
graphs = Graphs.load("TRIANGLE")
print(graphs)
print(graphs[0], graphs.targets[:12])

# %%
# ## Explicit features
#
# The features of a graph kernel are counts of colors, and their names say what they are, whatever other graphs there are.
kernel = twofold.WLSubtree(iterations=1).fit(graphs)
counts = kernel.features()
print(type(counts).__name__, counts.shape)
print(kernel.get_feature_names_out()[:3])

# %%
# ## Kernels in scikit-learn
#
# Support vector machines on three kernels, by scikit-learn's cross-validation.
from sklearn.model_selection import cross_val_score

for name in ("wl-st", "wl-sp", "2-lwl"):
    scores = cross_val_score(twofold.KernelClassifier(kernel=name), graphs, graphs.targets, cv=5)
    print(f"{name:5}  {100 * scores.mean():5.1f} %")

# %%
# ## A network, and why it says so
#
# The 2-WL-GNN. The picture shows what the answer loses without a node or an edge.
model = twofold.TwoWLClassifier(epochs=200, radius=1).fit(graphs)
print(f"{100 * model.score(graphs):.1f} % of the graphs it has seen, {len(model.history_)} epochs")
model.explain(graphs[200])

# %%
# Its numbers, as arrays:
why = model.explain(graphs[200])
strongest = abs(why.edge_contributions).argsort()[-3:]
print(sorted(tuple(map(int, edge)) for edge in why.edges[strongest]))

# %%
# ## The fair protocol
#
# Nested cross-validation with the folders of the program.
run = twofold.evaluate(graphs, "wl-sp", iterations=[1, 2], folds=5)
print(run)
