"""python_bench.py FOLDER PROGRAM: what Python costs over the program, on the TU datasets NCI1 and MUTAG in FOLDER.

Needs the built package (PYTHONPATH=build/PRESET/python), networkx and scikit-learn. Times are the best of several, on one
thread, in seconds. Answers are compared before anything is timed.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time


def best(work, times=5):
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def nci1(folder, program):
    import numpy as np
    import twofold
    from twofold import Graphs
    path = folder / "NCI1"
    graphs = Graphs.load(path)
    objects = graphs.to_networkx()
    first = np.concatenate([[0], np.cumsum(graphs.num_nodes)])
    # Both directions of every edge, as PyG has them.
    ends = [graph.edges.T + start for graph, start in zip(graphs, first)]
    index = np.concatenate([part for one in ends for part in (one, one[::-1])], axis=1)
    batch = np.repeat(np.arange(len(graphs)), graphs.num_nodes)
    labels = np.concatenate([graph.node_labels for graph in graphs])
    kernel = twofold.WLSubtree(5, threads=1)

    def from_networkx():
        return Graphs.from_networkx(objects, threads=1)

    def from_arrays():
        return Graphs.from_arrays(index, batch, node_labels=labels, threads=1)

    with tempfile.TemporaryDirectory() as scratch:
        matrix = os.path.join(scratch, "k.npy")

        def ask():
            start = time.perf_counter()
            said = json.loads(subprocess.run([program, "gram", path, "--kernel", "wl-st", "--iterations", "5", "--threads", "1",
                                              "-o", matrix, "--json"], capture_output=True, check=True).stdout)
            return said["seconds"], time.perf_counter() - start

        both = [ask() for _ in range(5)]
        truth = np.load(matrix)
    for made in (from_networkx, from_arrays):
        assert (kernel.fit_transform(made()) == truth).all()
    gram = best(lambda: kernel.fit_transform(graphs))
    print(f"NCI1, WLSubtree(5): program {min(one[0] for one in both):.3f} (its own time), {min(one[1] for one in both):.3f} "
          f"(with reading and writing); fit_transform {gram:.3f}")
    for name, made in (("networkx", from_networkx), ("arrays", from_arrays)):
        convert = best(made)
        whole = best(lambda: kernel.fit_transform(made()))
        print(f"  from {name}: {whole:.3f}, of this the conversion {convert:.3f} ({100 * convert / whole:.0f} %); "
              f"{6.8 / whole:.0f} times GraKeL's 6.8 s")


def mutag(folder, program):
    import twofold
    from sklearn.model_selection import StratifiedKFold, cross_val_score
    path = folder / "MUTAG"
    graphs = twofold.Graphs.load(path)
    options = dict(epochs=100, patience=0, stop_below=0.0)
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    start = time.perf_counter()
    scores = cross_val_score(twofold.TwoWLClassifier(threads=1, **options), graphs, graphs.targets, cv=folds)
    here = time.perf_counter() - start
    flags = [part for key, value in options.items() for part in ("--" + key.replace("_", "-"), str(value))]
    with tempfile.TemporaryDirectory() as scratch:
        # One configuration, trained once per fold: as many trainings of as many epochs. Preset "" is every default.
        (pathlib.Path(scratch) / "one.toml").write_text("")
        default = twofold.TwoWLClassifier().get_params()
        table = twofold._core.check_options("2-wl-gnn", {key: default[key] for key in twofold.TwoWLClassifier._options})
        table.update({key.replace("_", "-"): value for key, value in options.items()})
        flags = [part for key, value in table.items() for part in (f"--{key}", str(value).lower() if isinstance(value, bool) else str(value))]
        start = time.perf_counter()
        subprocess.run([program, "evaluate", path, "--model", "2-wl-gnn", "--repeats", "1", "--threads", "1", "-o",
                        os.path.join(scratch, "run"), "--quiet", *flags], check=True, capture_output=True)
        there = time.perf_counter() - start
    print(f"MUTAG, ten folds of 100 epochs: cross_val_score {here:.2f} ({100 * scores.mean():.1f} %), evaluate {there:.2f}; "
          f"{here / there:.2f} times")


def importing():
    code = "import time; start = time.perf_counter(); import twofold; print(time.perf_counter() - start)"
    times = [float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
             for _ in range(7)]
    print(f"import twofold: {min(times):.3f}")


if __name__ == "__main__":
    importing()
    nci1(pathlib.Path(sys.argv[1]), sys.argv[2])
    mutag(pathlib.Path(sys.argv[1]), sys.argv[2])
