"""The fair protocol, with the run folders of the program."""

import operator
import os

from . import _core
from ._graphs import Graphs, threads_or_all
from ._lazy import np


class Run:
    """An evaluation: what its folder says.

    run, result      run.json and result.json as dicts; result is None while tasks are open
    tasks            a dict per finished task
    folds, predictions    tables: pandas' DataFrames where pandas is installed, else lists of dicts
    splits           a dict of index arrays per fold: train, validation, test
    """

    def __init__(self, path, said):
        self.path = path
        self.run = said["run"]
        self.result = said["result"]
        self.tasks = said["tasks"]
        self._said = said

    @property
    def splits(self):
        return [{key: np.array(graphs) for key, graphs in fold.items()} for fold in self._said["splits"]]

    @property
    def folds(self):
        """A row per fold: scores and the chosen configuration."""
        rows = []
        for number, fold in enumerate((self.result or {}).get("folds", [])):
            row = {"fold": number + 1}
            for key, value in fold.items():
                if key == "config" and isinstance(value, dict):
                    row.update({f"config.{name}": chosen for name, chosen in value.items()})
                elif not isinstance(value, (dict, list)):
                    row[key] = value
            rows.append(row)
        return _table(rows)

    @property
    def predictions(self):
        """A row per tested graph, or None while tasks are open."""
        text = self._said["predictions"]
        if text is None:
            return None
        import csv
        import io
        frame = _pandas()
        if frame is not None:
            return frame.read_csv(io.StringIO(text))
        return list(csv.DictReader(io.StringIO(text)))

    @property
    def test_mean(self):
        return None if self.result is None else self.result.get("test_mean")

    @property
    def test_std(self):
        return None if self.result is None else self.result.get("test_std")

    def __repr__(self):
        text = f"<twofold.Run: {self.run['model']}"
        if self.test_mean is None:
            return text + ", unfinished>"
        return text + f", {self.result['metric']} {self.test_mean:.2f} ± {self.test_std:.2f}>"


def _pandas():
    try:
        import pandas
    except ImportError:
        return None
    return pandas


def _table(rows):
    frame = _pandas()
    return rows if frame is None else frame.DataFrame(rows)


def read_run(path):
    """Reads a run folder of `twofold evaluate`, here or in the program."""
    path = os.fspath(path)
    return Run(path, _core.read_run(path))


def evaluate(graphs, model="2-wl-gnn", output=None, *, preset="default", splits=None, search="grid", folds=0, repeats=3,
             metric=None, seed=1, split_seed=1, target=None, task=None, blind=False, refit=None, inner_folds=1, threads=0,
             max_memory=0, progress=None, **options):
    """Nested cross-validation as `twofold evaluate` does it: the same run folder, byte for byte (docs/evaluation.md).

    graphs     Graphs, what can be made into them, or the path of a dataset
    model      a word of --model, as "2-wl-gnn" or "wl-st"
    output     the run folder; an evaluation in it that was interrupted goes on. None: kept nowhere
    refit      whether final runs learn from the validation graphs too; None: as `--refit auto` does
    inner_folds  choose by cross-validation over training and validation graphs in so many parts; 1: by one holdout
    options    options of the model: one value, or a list of several to choose from
    progress   a function of one dict per event (started, progress, finished, failed), or True for a bar

    >>> import twofold
    >>> run = twofold.evaluate("TRIANGLE", "wl-st", iterations=[1, 2], penalty=1.0, folds=3)
    >>> run.result["metric"], len(run.result["folds"])
    ('accuracy', 3)
    """
    if isinstance(graphs, (str, os.PathLike)):
        graphs = Graphs.load(graphs, threads)
    graphs = Graphs.of(graphs)
    how = {"preset": preset or "", "dataset": graphs._path or graphs.name,
           "splits": "" if splits is None else os.fspath(splits), "folds": operator.index(folds),
           "repeats": operator.index(repeats), "metric": metric or "", "search": search, "seed": operator.index(seed),
           "split_seed": operator.index(split_seed),
           "target": [] if target is None else [target] if isinstance(target, str) else [str(one) for one in target],
           "task": task or "", "blind": bool(blind), "refit": None if refit is None else bool(refit),
           "inner_folds": operator.index(inner_folds),
           "threads": threads_or_all(threads), "max_memory": max_memory}
    for name in ("seed", "split_seed"):
        if not 0 <= how[name] < 2 ** 64:
            raise ValueError(f"{name}: needed an integer in 0..2^64-1, found {how[name]}")
    if progress is True:
        progress = _bar()
    elif progress is not None and not callable(progress):
        raise TypeError(f"progress: needed a function, True or None, found {progress!r}")
    if output is not None:
        path = os.fspath(output)
        _core.evaluate(graphs._data, model, path, options, how, progress)
        return read_run(path)
    import tempfile
    with tempfile.TemporaryDirectory(prefix="twofold-") as folder:
        path = os.path.join(folder, "run")
        _core.evaluate(graphs._data, model, path, options, how, progress)
        run = read_run(path)
        run.path = None
        return run


def _bar():
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    bar = tqdm(unit="task")

    def tell(event):
        if event["event"] == "finished":
            bar.update(1)

    return tell
