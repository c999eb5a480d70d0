import inspect
import io
import json
import pickle

import numpy as np
import pytest

import twofold
from twofold import Graphs, _core
from twofold._learners import LEARNERS

NETWORKS = {name: kind for name, kind in LEARNERS.items() if name != "KernelClassifier"}
CLASSIFIERS = {name: kind for name, kind in LEARNERS.items() if name.endswith("Classifier")}
QUICK = dict(epochs=3, width=4)


def quick(kind, **more):
    return kind(**({} if kind is twofold.KernelClassifier else QUICK), **more)


@pytest.fixture(params=list(CLASSIFIERS.values()), ids=list(CLASSIFIERS))
def kind(request):
    return request.param


def test_every_option_of_the_table_is_a_keyword():
    for model in _core.models():
        if not model["is_network"]:
            assert {row["keyword"] for row in model["options"]} <= set(
                inspect.signature(twofold.KernelClassifier).parameters)
            continue
        classes = [kind for kind in NETWORKS.values() if kind._model == model["name"]]
        assert len(classes) == 2, "a classifier and a regressor"
        for one in classes:
            parameters = inspect.signature(one).parameters
            for row in model["options"]:
                assert parameters[row["keyword"]].default == row["default"]
                assert row["meaning"] in one.__doc__


def test_fit_predict_and_pickle(kind, triangle):
    model = quick(kind).fit(triangle)
    said = model.predict(triangle)
    assert said.shape == (228,) and set(said) <= {0, 1} and model.classes_.tolist() == [0, 1]
    assert model.score(triangle) == np.mean(said == triangle.targets)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(triangle), said)
    if hasattr(model, "predict_proba"):
        proba = model.predict_proba(triangle)
        np.testing.assert_allclose(proba.sum(axis=1), 1)
        np.testing.assert_array_equal(proba.argmax(axis=1), said)
    else:
        np.testing.assert_array_equal(model.decision_function(triangle) > 0, said == 1)


def test_marks_tell_circulant_graphs_apart_and_share_orbits():
    networkx = pytest.importorskip("networkx")
    graphs = [networkx.circulant_graph(11, [1, skip]) for skip in (2, 3)] * 6
    options = dict(pooling="mean", layers=4, width=8, epochs=150, lr=0.01)
    assert twofold.GINClassifier(**options).fit(graphs, [2, 3] * 6).score(graphs, [2, 3] * 6) == 0.5
    model = twofold.GINClassifier(marks=1, **options).fit(graphs, [2, 3] * 6)
    assert model.score(graphs, [2, 3] * 6) == 1
    assert len(set(model.explain(graphs[0], by="gradient").nodes)) == 1


def test_classes_keep_their_kind(triangle):
    for values in ([True, False], ["no", "yes"], [7, -3], [1.0, 2.0]):
        y = np.array(values)[triangle.targets]
        model = twofold.KernelClassifier(iterations=1).fit(triangle, y)
        assert model.classes_.dtype.kind == y.dtype.kind and set(model.classes_) == set(values)
        assert model.predict(triangle[:1]).dtype.kind == y.dtype.kind
        assert model.score(triangle, y) > 0.5


@pytest.mark.parametrize("name, options", [
    ("TwoWLClassifier", dict(radius=2, epochs=4)), ("GINClassifier", dict(epochs=3, train_eps=True)),
    ("GINClassifier", dict(epochs=2, ensemble=2)),
    ("GCNClassifier", dict(epochs=2)), ("SAGEClassifier", dict(epochs=2, dropout=0.1)),
    ("TwoGNNClassifier", dict(epochs=2, head="none")), ("MLPClassifier", dict(epochs=2, variant="fingerprint")),
    ("KernelClassifier", dict(kernel="wl-sp", penalty=0.1)), ("KernelClassifier", dict(kernel="2-lwl", iterations=1))])
def test_model_files_are_the_programs_byte_for_byte(name, options, program, tmp_path, triangle):
    model = LEARNERS[name](**options).fit(triangle)
    model.save(tmp_path / "python.model")
    word, keywords = model._model_and_keywords()
    flags = [part for key, value in options.items() if key != "kernel"
             for part in ("--" + key.replace("_", "-"), str(value).lower())]
    program("train", "TRIANGLE", "--model", word, *flags, "-o", tmp_path / "program.model", "--quiet")
    assert (tmp_path / "python.model").read_bytes() == (tmp_path / "program.model").read_bytes()

    said = json.loads(program("predict", tmp_path / "program.model", "TRIANGLE", "--json"))["predictions"]
    assert [str(one) for one in model.predict(triangle)] == [row["class"] for row in said]
    scores = model._predicted(triangle)[1]
    np.testing.assert_array_equal(scores, [row["scores"] for row in said])
    loaded = twofold.load_model(tmp_path / "program.model")
    assert type(loaded) is type(model)
    np.testing.assert_array_equal(loaded.predict(triangle), model.predict(triangle))
    assert type(model).load(tmp_path / "program.model").info_["model"] == word
    if name != "KernelClassifier":
        program("embed", tmp_path / "program.model", "TRIANGLE", "-o", tmp_path / "vectors.npy")
        np.testing.assert_array_equal(model.embed(triangle), np.load(tmp_path / "vectors.npy"))
    program("explain", tmp_path / "program.model", "TRIANGLE", "--graph", 5, "-o", tmp_path / "why.json")
    assert model.explain(triangle[4]).to_dict() == json.loads((tmp_path / "why.json").read_text())


def test_given_targets_are_those_of_the_graphs(triangle):
    own = twofold.GINClassifier(**QUICK).fit(triangle)
    given = twofold.GINClassifier(**QUICK).fit(triangle, triangle.targets)
    assert own._core_model.encode() == given._core_model.encode()


def test_regression(triangle, tmp_path, program):
    y = triangle.num_edges / 10 + 0.05
    model = twofold.GINRegressor(epochs=5).fit(triangle, y)
    assert model.predict(triangle).shape == (228,) and model.score(triangle, y) <= 1
    two = twofold.TwoWLRegressor(**QUICK).fit(triangle, np.stack([y, -y], axis=1))
    assert two.predict(triangle).shape == (228, 2)
    graphs = Graphs(triangle, targets=y, name="edges")
    graphs.save(tmp_path / "edges.jsonl")
    twofold.GINRegressor(epochs=3).fit(Graphs.load(tmp_path / "edges.jsonl")).save(tmp_path / "python.model")
    program("train", tmp_path / "edges.jsonl", "--model", "gin", "--epochs", 3, "-o", tmp_path / "program.model")
    assert (tmp_path / "python.model").read_bytes() == (tmp_path / "program.model").read_bytes()
    with pytest.raises(TypeError, match="needed a GINClassifier, found a GINRegressor"):
        twofold.GINClassifier.load(tmp_path / "python.model")
    missing = np.where(np.arange(228) % 3 == 0, np.nan, y)
    assert np.isfinite(twofold.GINRegressor(**QUICK).fit(triangle, missing).predict(triangle)).all()


def test_explanations(triangle):
    model = twofold.TwoWLClassifier(**QUICK, radius=2).fit(triangle)
    why = model.explain(triangle[5])
    assert why.nodes.shape == (triangle[5].num_nodes,) and why.edges.shape[1] == 2 and why.by == "removal"
    assert len(why.edges) == len(why.edge_contributions) == triangle[5].num_edges
    why = model.explain(triangle[5], by="gradient")
    assert len(why.pairs) == len(why.pair_contributions) > 0
    assert why._repr_svg_().startswith("<svg") and "predicted class" in repr(why)
    with pytest.raises(ValueError, match="attention"):
        model.explain(triangle[5], by="attention")
    with pytest.raises(ValueError, match="needed one graph"):
        model.explain(triangle)
    votes = twofold.KernelClassifier().fit(triangle).explain(triangle[5])
    assert votes.by == "votes"


def test_a_tensor_without_copying(triangle):
    torch = pytest.importorskip("torch")
    model = twofold.GINClassifier(**QUICK).fit(triangle)
    tensor = model.embed(triangle, tensor=True)
    assert tensor.dtype == torch.float32 and tuple(tensor.shape) == model.embed(triangle).shape


def test_progress(triangle, capfd):
    seen = []
    twofold.GINClassifier(**QUICK, progress=seen.append).fit(triangle)
    assert [epoch["epoch"] for epoch in seen] == [1, 2, 3] and "validation_loss" in seen[0]
    twofold.GINClassifier(**QUICK, progress=True).fit(triangle)

    def stop(epoch):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        twofold.GINClassifier(epochs=1000, progress=stop).fit(triangle)
    with pytest.raises(TypeError, match="progress: needed a function"):
        twofold.GINClassifier(progress=3).fit(triangle)


@pytest.mark.parametrize("options, kind, words", [
    (dict(epochs=0), ValueError, "epochs: needed an integer in 1..1000000, found 0"),
    (dict(epochs="many"), TypeError, "epochs: needed an integer in 1..1000000, found 'many'"),
    (dict(epochs=2.5), TypeError, "epochs: needed an integer"),
    (dict(epochs=True), TypeError, "epochs: needed an integer"),
    (dict(epochs=10 ** 30), (TypeError, ValueError), "epochs: needed an integer"),
    (dict(lr=float("nan")), ValueError, "lr: needed a number in 1e-12..1000, found nan"),
    (dict(lr=[1]), TypeError, "lr: needed"),
    (dict(pooling="median"), ValueError, "pooling: needed mean, .* found 'median'"),
    (dict(pooling=3), TypeError, "pooling: needed"),
    (dict(bias=1), TypeError, "bias: needed true or false, found 1"),
    (dict(radius=0), ValueError, "radius: needed 1, 2, … or all, found 0"),
    (dict(radius="far"), ValueError, "radius: needed 1, 2, … or all, found 'far'"),
    (dict(validation=2), ValueError, "validation: needed a number in 0..0.9, found 2"),
    (dict(validation="x"), TypeError, "validation: needed a number"),
    (dict(seed=-1), ValueError, "seed: needed an integer in 0"),
    (dict(seed="x"), TypeError, ""),
    (dict(engine="gather-scatter", epochs=1), (ValueError, RuntimeError), "gather-scatter"),
])
def test_wrong_options_are_named(options, kind, words, triangle):
    with pytest.raises(kind, match=words):
        twofold.TwoWLClassifier(**options).fit(triangle)


def test_wrong_targets(triangle, kind):
    model = quick(kind)
    for y, words in ((triangle.targets[:5], "needed 228 targets, one per graph, found 5"),
                     (np.full(228, np.nan), "NaN"), (np.linspace(0, 1, 228), "real numbers"),
                     (np.zeros(228, dtype=int), "two classes or more"), (np.zeros((228, 2)), "shape"),
                     (np.zeros((228, 2, 2)), "dimensions")):
        with pytest.raises(ValueError, match=words):
            model.fit(triangle, y)
    with pytest.raises(ValueError, match="needed a class per graph, found none"):
        model.fit(triangle.without_targets())
    with pytest.raises(ValueError, match="not fitted"):
        quick(kind).predict(triangle)
    with pytest.raises(ValueError):
        model.fit([], [])
    with pytest.raises(TypeError):
        model.fit([1, 2], [0, 1])


def test_graphs_that_do_not_fit_the_network(triangle):
    model = twofold.GINClassifier(**QUICK).fit(triangle)
    labelled = Graphs.from_arrays([[0], [1]], node_labels=[7, 8])
    with pytest.raises(ValueError, match="label"):
        twofold.GINClassifier(**QUICK).fit(Graphs.from_arrays([[0, 2], [1, 3]], [0, 0, 1, 1], node_labels=[1, 2, 1, 2]),
                                           [0, 1]).predict(labelled)
    assert model.predict([]).shape == (0,) and model.embed([]).shape[0] == 0


def test_model_files_that_are_none(tmp_path):
    with pytest.raises(FileNotFoundError):
        twofold.load_model(tmp_path / "nothing")
    (tmp_path / "bad").write_bytes(b"\x08\0\0\0\0\0\0\0notamodel")
    with pytest.raises(ValueError, match="bad"):
        twofold.load_model(tmp_path / "bad")
    with pytest.raises(IsADirectoryError):
        twofold.load_model(tmp_path)


def test_kernel_options_that_a_kernel_lacks(triangle):
    with pytest.raises(ValueError, match="kernel: needed wl-st, .* found 'rbf'"):
        twofold.KernelClassifier(kernel="rbf").fit(triangle)
    with pytest.raises(TypeError):
        twofold.KernelClassifier(epochs=3)


def test_text_labels_go_by_name(tmp_path):
    """Texts are numbered in each file's own order; the model's numbers count, as in the program's predict."""
    def write(name, rows):
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return Graphs.load(path)

    def path_graph(labels, target):
        n = len(labels)
        return {"nodes": n, "edges": [[i, i + 1] for i in range(n - 1)], "node_labels": labels,
                "edge_labels": ["single"] * (n - 2) + ["double"], "target": target}

    rows = [path_graph([["C", "N", "O", "S"][(i * k) % 4] for k in range(3 + i % 4)], i % 2) for i in range(40)]
    all_graphs = write("all.jsonl", rows)
    # No C and no single bond: other numbers for the same names.
    new_row = path_graph(["S", "O"], 1)
    alone = write("alone.jsonl", [new_row])
    together = write("together.jsonl", [*rows, new_row])
    last = len(rows)
    for kind in (twofold.GINClassifier, twofold.TwoWLClassifier):
        model = kind(epochs=5, width=8).fit(all_graphs)
        np.testing.assert_allclose(model.predict_proba(alone)[0], model.predict_proba(together)[last], atol=1e-6)
        np.testing.assert_allclose(model.embed(alone)[0], model.embed(together)[last], atol=1e-5)
        here, there = model.explain(alone[0]), model.explain(together[last])
        np.testing.assert_allclose(here.nodes, there.nodes, atol=1e-5)
        np.testing.assert_allclose(here.edge_contributions, there.edge_contributions, atol=1e-5)
    kernel = twofold.KernelClassifier(iterations=1).fit(all_graphs)
    np.testing.assert_allclose(kernel.explain(alone[0]).nodes, kernel.explain(together[last]).nodes)
