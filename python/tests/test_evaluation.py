import filecmp
import json
import os

import pytest

import twofold


def files_below(folder):
    """Names of the files that the promise is about: not timing, not locks."""
    return sorted(os.path.relpath(os.path.join(path, name), folder) for path, _, names in os.walk(folder)
                  for name in names if "timing" not in os.path.relpath(path, folder) and not name.startswith("."))


@pytest.mark.parametrize("model, options", [
    ("wl-st", dict(iterations=[1, 2], penalty=[0.1, 1.0])), ("gin", dict(width=4, epochs=2)),
    ("2-wl-gnn", dict(lr=0.01, epochs=2, radius=[1, 2], pooling="mean"))])
def test_run_folders_are_the_programs_byte_for_byte(model, options, program, tmp_path):
    run = twofold.evaluate("TRIANGLE", model, tmp_path / "python", folds=3, repeats=2, preset="quick", **options)
    text = lambda value: ",".join(map(str, value if isinstance(value, list) else [value]))
    flags = [part for name, value in options.items() for part in ("--" + name, text(value))]
    said = json.loads(program("evaluate", "TRIANGLE", "--model", model, "-o", tmp_path / "program", "--folds", 3,
                              "--repeats", 2, "--preset", "quick", *flags, "--quiet", "--json"))
    names = files_below(tmp_path / "program")
    assert names == files_below(tmp_path / "python") and "result.json" in names and "twins.json" in names
    _, different, failed = filecmp.cmpfiles(tmp_path / "program", tmp_path / "python", names, shallow=False)
    assert not different and not failed
    for key in ("test_mean", "test_std", "metric"):
        assert run.result[key] == said[key]
    again = twofold.read_run(tmp_path / "program")
    assert again.test_mean == run.test_mean and len(again.folds) == 3 and len(again.tasks) == len(run.tasks)
    assert len(again.predictions) == 228 and len(again.splits) == 3


def test_a_run_goes_on_where_it_was_stopped(tmp_path):
    seen = []

    def stop(event):
        seen.append(event["event"])
        if seen.count("finished") == 2:
            raise KeyboardInterrupt

    arguments = dict(folds=3, iterations=[1, 2])
    with pytest.raises(KeyboardInterrupt):
        twofold.evaluate("TRIANGLE", "wl-st", tmp_path / "run", progress=stop, **arguments)
    assert twofold.read_run(tmp_path / "run").result is None
    whole = twofold.evaluate("TRIANGLE", "wl-st", tmp_path / "run", **arguments)
    other = twofold.evaluate("TRIANGLE", "wl-st", **arguments)
    assert whole.result == other.result and other.path is None


def test_graphs_in_memory(triangle):
    run = twofold.evaluate(triangle[:120], "wl-sp", folds=2, iterations=1, penalty=1.0)
    assert run.result["folds"][0]["test"] > 50 and "wl-sp" in repr(run)


@pytest.mark.parametrize("change, kind, words", [
    (dict(model="resnet"), ValueError, "needed a model"), (dict(folds=-1), ValueError, "folds: needed"),
    (dict(repeats=0), ValueError, "repeats: needed"), (dict(metric="joy"), ValueError, "joy"),
    (dict(iterations=-1), ValueError, "iterations: needed an integer in 0..1000, found -1"),
    (dict(iterations=[]), ValueError, "iterations: needed a value or several"),
    (dict(epochs=3), TypeError, "epochs is no option of wl-st"), (dict(preset="wild"), ValueError, "wild"),
    (dict(splits="/nowhere.json"), FileNotFoundError, "nowhere"), (dict(seed=-1), ValueError, "seed: needed"),
    (dict(progress=1), TypeError, "progress"),
])
def test_mistakes(change, kind, words):
    arguments = {"model": "wl-st", **change}
    with pytest.raises(kind, match=words):
        twofold.evaluate("TRIANGLE", **arguments)


def test_folders_of_others(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("")
    with pytest.raises(RuntimeError, match="thesis.tex"):
        twofold.evaluate("TRIANGLE", "wl-st", tmp_path / "mine", iterations=1)
    with pytest.raises(FileNotFoundError):
        twofold.read_run(tmp_path / "mine")
    twofold.evaluate("TRIANGLE", "wl-st", tmp_path / "run", iterations=1, folds=2)
    with pytest.raises(ValueError, match="holds another evaluation"):
        twofold.evaluate("TRIANGLE", "wl-st", tmp_path / "run", iterations=2, folds=2)
