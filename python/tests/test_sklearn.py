"""scikit-learn's own tools on graphs."""

import numpy as np
import pytest

import twofold
from test_learners import CLASSIFIERS, QUICK, quick
from twofold import Graphs

pytest.importorskip("sklearn")
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score, train_test_split
from sklearn.utils import estimator_checks

ALL = [*twofold._kernels.KERNELS.values(), *twofold._learners.LEARNERS.values()]


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.__name__)
def test_clone_and_parameters(kind):
    model = kind(threads=1)
    copy = clone(model)
    assert copy is not model and copy.get_params() == model.get_params()
    assert is_classifier(model) == kind.__name__.endswith("Classifier")
    assert is_regressor(model) == kind.__name__.endswith("Regressor")


# check_estimator gives arrays of numbers as X, which no learner on graphs takes. These of its checks do not fit, or
# get by with what they make themselves; the others either fit arrays (all of check_estimators_*, check_classifiers_*,
# check_transformer_*, check_fit_*, check_n_features_*, check_dtype_*, check_methods_*, check_dict_unchanged, …) or
# want n_features_in_, and what they stand for is tested on graphs below.
@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("check", ["check_no_attributes_set_in_init", "check_parameters_default_constructible",
                                   "check_get_params_invariance", "check_set_params", "check_estimators_unfitted_graphs",
                                   "check_estimator_get_tags_default_keys"])
def test_checks_of_scikit_learn(kind, check):
    if check == "check_estimators_unfitted_graphs":
        from sklearn.exceptions import NotFittedError
        method = "predict" if hasattr(kind, "predict") else "transform"
        with pytest.raises(NotFittedError):
            getattr(kind(), method)(Graphs.from_graph6("DQc"))
        return
    getattr(estimator_checks, check)(kind.__name__, kind())


def small(triangle):
    return triangle[:38]


# check_dict_unchanged, check_fit_idempotent, check_dont_overwrite_attributes, check_estimators_pickle,
# check_methods_subset_invariance, check_methods_sample_order_invariance, check_estimators_fit_returns_self, on graphs.
@pytest.mark.parametrize("kind", CLASSIFIERS.values(), ids=list(CLASSIFIERS))
def test_the_same_laws_on_graphs(kind, triangle):
    graphs, y = small(triangle), small(triangle).targets
    model = quick(kind)
    before = set(vars(model))
    assert model.fit(graphs, y) is model
    public = {name for name in vars(model) if not name.startswith("_")} - before
    assert all(name.endswith("_") for name in public), public
    state = {name: value for name, value in vars(model).items() if name in model.get_params()}
    said = model.predict(graphs)
    assert {name: value for name, value in vars(model).items() if name in model.get_params()} == state
    order = np.random.default_rng(0).permutation(len(graphs))
    np.testing.assert_array_equal(model.predict(graphs[order]), said[order])
    np.testing.assert_array_equal([model.predict(graphs[i:i + 1])[0] for i in range(4)], said[:4])
    np.testing.assert_array_equal(model.fit(graphs, y).predict(graphs), said)
    np.testing.assert_array_equal(model.predict(list(graphs)), said)


def test_cross_validation_and_searches(triangle):
    scores = cross_val_score(twofold.KernelClassifier(kernel="wl-sp"), triangle, triangle.targets, cv=5)
    assert scores.shape == (5,) and scores.mean() > 0.6
    search = GridSearchCV(twofold.GINClassifier(epochs=5), {"width": [4, 8], "lr": np.array([0.001, 0.01])}, cv=2)
    search.fit(triangle, triangle.targets)
    assert search.best_params_["width"] in (4, 8) and search.predict(triangle).shape == (228,)
    search = GridSearchCV(twofold.KernelClassifier(), {"kernel": ["wl-st", "wl-sp"]}, cv=2, n_jobs=2, scoring="roc_auc")
    assert 0.5 < search.fit(triangle, triangle.targets).best_score_ <= 1
    assert cross_val_predict(twofold.GINClassifier(**QUICK), triangle, triangle.targets, cv=2,
                             method="predict_proba").shape == (228, 2)
    assert cross_val_score(twofold.GINRegressor(**QUICK), triangle, triangle.num_edges, cv=2).shape == (2,)


def test_train_test_split_and_lists(triangle):
    nx = pytest.importorskip("networkx")
    train, test, y_train, y_test = train_test_split(triangle, triangle.targets, random_state=0, stratify=triangle.targets)
    assert isinstance(train, Graphs) and len(train) + len(test) == 228
    assert twofold.KernelClassifier(kernel="wl-sp").fit(train, y_train).score(test, y_test) > 0.55
    listed = small(triangle).to_networkx()
    assert cross_val_score(twofold.KernelClassifier(), listed, small(triangle).targets, cv=2).shape == (2,)


def test_wrapped_by_others(triangle):
    model = CalibratedClassifierCV(twofold.KernelClassifier(kernel="wl-sp"), cv=3)
    assert model.fit(triangle, triangle.targets).predict_proba(triangle).shape == (228, 2)


def test_a_slice_knows_the_labels_of_the_whole(mutag_path):
    graphs = Graphs.load(mutag_path)  # one fold has an edge label that no other graph has
    scores = cross_val_score(twofold.GINClassifier(**QUICK), graphs, graphs.targets, cv=10, error_score="raise")
    assert scores.shape == (10,)
    scores = cross_val_score(twofold.TwoWLClassifier(**QUICK), graphs, graphs.targets, cv=10, error_score="raise")
    assert scores.shape == (10,)
