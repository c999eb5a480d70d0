import pickle

import numpy as np
import pytest
import scipy.sparse

import twofold
from conftest import rich_graphs
from twofold import Graphs
from twofold._kernels import KERNELS


@pytest.fixture(params=list(KERNELS.values()), ids=list(KERNELS))
def kind(request):
    return request.param


def test_every_kernel_of_the_program_has_a_class():
    assert {"WLSubtree", "WLShortestPath", "TwoLWL", "TwoGWL"} <= set(KERNELS)


@pytest.mark.parametrize("options", [{}, dict(edge_labels=True), dict(normalize=True)])
def test_transform_is_the_block_of_the_whole_matrix(kind, options):
    graphs = Graphs.from_arrays(**rich_graphs(12))
    whole = kind(2, **options).fit_transform(graphs)
    kernel = kind(2, **options).fit(graphs[:7])
    assert whole.dtype == (float if options.get("normalize") else np.int64)
    np.testing.assert_array_equal(kernel.transform(graphs[7:]), whole[7:, :7])
    np.testing.assert_array_equal(kernel.fit_transform(graphs[:7]), whole[:7, :7])


def test_features_give_the_matrix(kind):
    graphs = Graphs.from_arrays(**rich_graphs(10))
    kernel = kind(2, edge_labels=True).fit(graphs[:6])
    fitted, new = kernel.features(), kernel.features(graphs[6:])
    assert fitted.format == "csr" and fitted.dtype == np.int64
    assert fitted.shape[1] == len(kernel.get_feature_names_out()) == len(set(kernel.get_feature_names_out()))
    np.testing.assert_array_equal((fitted @ fitted.T).toarray(), kernel.transform(graphs[:6]))
    np.testing.assert_array_equal((new @ fitted.T).toarray(), kernel.transform(graphs[6:]))


def test_column_names_do_not_depend_on_the_other_graphs(kind):
    graphs = Graphs.from_arrays(**rich_graphs(8))
    first, second = kind(1).fit(graphs), kind(1).fit(graphs[::-1])
    by_name = lambda kernel: dict(zip(kernel.get_feature_names_out(), kernel.features(graphs[3:4]).toarray()[0]))
    there, here = by_name(first), by_name(second)
    assert there == here and any(there.values())


def test_the_program_gives_the_same_matrix(kind, program, tmp_path, triangle):
    program("gram", "TRIANGLE", "--kernel", kind._kernel, "--iterations", 2, "-o", tmp_path / "k.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "k.npy"), kind(2).fit_transform(triangle))


def test_the_program_writes_the_same_features(kind, program, tmp_path, triangle):
    program("features", "TRIANGLE", "--kernel", kind._kernel, "--iterations", 2, "-o", tmp_path / "x.npz",
            "--names", tmp_path / "names.txt")
    written = scipy.sparse.load_npz(tmp_path / "x.npz")
    kernel = kind(2).fit(triangle)
    assert written.format == "csr" and written.dtype == np.int64
    assert (written != kernel.features(triangle)).nnz == 0
    assert (tmp_path / "names.txt").read_text().split() == list(kernel.get_feature_names_out())


def test_parameters():
    kernel = twofold.WLSubtree(4, normalize=True)
    assert kernel.get_params()["iterations"] == 4 and repr(kernel) == "WLSubtree(iterations=4, normalize=True)"
    assert kernel.set_params(iterations=2).iterations == 2
    with pytest.raises(ValueError, match="Invalid parameter 'depth'"):
        kernel.set_params(depth=1)
    with pytest.raises(TypeError):
        twofold.WLSubtree(depth=1)
    graphs = Graphs.from_graph6("DQc")
    with pytest.raises(ValueError, match="iterations: needed an integer in 0..1000, found -1"):
        twofold.WLSubtree(-1).fit(graphs)
    with pytest.raises(TypeError, match="iterations: needed an integer in 0..1000, found 1.5"):
        twofold.WLSubtree(1.5).fit(graphs)
    with pytest.raises(TypeError, match="normalize: needed true or false, found 'yes'"):
        twofold.WLSubtree(normalize="yes").fit(graphs)
    with pytest.raises(ValueError, match="not fitted"):
        twofold.WLSubtree().transform(graphs)
    assert twofold.WLSubtree(np.int64(2), normalize=np.bool_(True)).fit_transform(graphs).tolist() == [[1.0]]


def test_edge_cases(kind):
    assert kind(1).fit_transform([]).shape == (0, 0)
    lone = Graphs.from_arrays([], [], num_graphs=2)
    assert kind(1).fit_transform(lone).tolist() == [[0, 0], [0, 0]]
    assert kind(1).fit(Graphs.from_graph6("DQc")).transform([]).shape == (0, 1)


def test_too_little_memory_is_a_memory_error(triangle):
    with pytest.raises(MemoryError, match="needs .* of memory, the limit is"):
        twofold.WLSubtree(3, max_memory=1000).fit_transform(triangle)


def test_pickle(kind, triangle):
    kernel = kind(1).fit(triangle[:5])
    kernel.features()
    again = pickle.loads(pickle.dumps(kernel))
    np.testing.assert_array_equal(again.transform(triangle[5:8]), kernel.transform(triangle[5:8]))
    assert (again.features(triangle[5:8]) != kernel.features(triangle[5:8])).nnz == 0


def test_in_a_pipeline(triangle):
    pytest.importorskip("sklearn")
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import SVC
    pipeline = make_pipeline(twofold.WLSubtree(), SVC(kernel="precomputed"))
    search = GridSearchCV(pipeline, {"wlsubtree__iterations": [0, 2]}, cv=3).fit(triangle, triangle.targets)
    assert search.best_score_ > 0.4
