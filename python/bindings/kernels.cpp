// Graph kernels: Gram matrices and explicit features.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bindings/arrays.h"
#include "bindings/call.h"
#include "bindings/options.h"
#include "bindings/parts.h"
#include "twofold/base/interrupt.h"
#include "twofold/base/parallel.h"
#include "twofold/gram/feature_names.h"
#include "twofold/gram/gram.h"
#include "twofold/gram/sparse_counts.h"
#include "twofold/gram/vocabulary.h"

namespace twofold::python {
namespace {

model::LearnSettings kernel_settings(const std::string& kernel, const py::dict& keywords) {
  const model::Model& model = model::find_model(kernel);
  if (model.is_network)
    throw py::value_error(fmt::format("kernel: needed a kernel, found the network {}", kernel));
  return model::settings_of(model, config_of(model, keywords));
}

py::ssize_t signed_size(std::size_t size) { return static_cast<py::ssize_t>(size); }

// The block of the Gram matrix of all graphs whose rows and columns are asked for, as counts or cosines.
py::array gram_block(const std::string& kernel, const py::dict& keywords, const Data& columns,
                     const py::object& rows, int threads, std::uint64_t max_memory,
                     const py::object& progress) {
  const model::LearnSettings settings = kernel_settings(kernel, keywords);
  const Data row_data = rows.is_none() ? nullptr : rows.cast<Data>();
  gram::GramOptions options;
  options.threads = threads;
  options.max_memory = max_memory;
  options.progress = progress_to(progress);
  const std::size_t width = columns->graphs.size();
  const std::size_t height = row_data ? row_data->graphs.size() : width;
  std::vector<double> cosines;
  gram::GramMatrix matrix = without_gil([&] {
    gram::GramMatrix whole;
    if (!row_data) {
      whole = gram::gram_matrix(columns->graphs, settings.kernel, options);
    } else {
      std::vector<Graph> all = columns->graphs;
      all.insert(all.end(), row_data->graphs.begin(), row_data->graphs.end());
      whole = gram::gram_matrix(all, settings.kernel, options);
    }
    const std::size_t first = row_data ? width : 0;
    if (settings.normalize) {
      cosines.resize(height * width);
      parallel_for(height, threads, [&](std::size_t i) {
        std::vector<double> row;
        whole.normalized_row(first + i, row);
        std::copy(row.begin(), row.begin() + signed_size(width), cosines.begin() + signed_size(i * width));
      });
    } else if (row_data) {
      for (std::size_t i = 0; i < height; ++i)
        std::copy(whole.values.begin() + signed_size((first + i) * whole.size),
                  whole.values.begin() + signed_size((first + i) * whole.size + width),
                  whole.values.begin() + signed_size(i * width));
      whole.values.resize(height * width);
    }
    return whole;
  });
  if (settings.normalize) return array_of(std::move(cosines), {signed_size(height), signed_size(width)});
  return array_of(std::move(matrix.values), {signed_size(height), signed_size(width)});
}

// A vocabulary: the features of the graphs that it was fitted to.
class Features {
 public:
  Features(const std::string& kernel, const py::dict& keywords, std::uint64_t max_memory)
      : vocabulary_(kernel_settings(kernel, keywords).kernel), max_memory_(max_memory) {}

  void fit(const Data& data) {
    without_gil([&] {
      for (const Graph& g : data->graphs) {
        check_interrupt();
        vocabulary_.add(g, max_memory_);
      }
    });
  }

  // (counts, columns, row starts) of a CSR matrix; columns of later rounds after those of earlier ones.
  py::tuple counts(const Data& data, int threads) const {
    std::vector<std::int64_t> values, columns, starts;
    without_gil([&] {
      const gram::SparseCounts found = gram::find_counts(vocabulary_, data->graphs, threads, max_memory_);
      values.assign(found.counts.begin(), found.counts.end());
      columns.assign(found.columns.begin(), found.columns.end());
      starts.assign(found.starts.begin(), found.starts.end());
    });
    return py::make_tuple(array_of(std::move(values)), array_of(std::move(columns)),
                          array_of(std::move(starts)));
  }

  std::vector<std::string> names() const {
    return without_gil([&] { return gram::feature_names(vocabulary_); });
  }

 private:
  gram::Vocabulary vocabulary_;
  std::uint64_t max_memory_;
};

}  // namespace

void add_kernels(py::module_& module) {
  module.def("gram_block", gram_block);
  py::class_<Features>(module, "Features")
      .def(py::init<const std::string&, const py::dict&, std::uint64_t>())
      .def("fit", &Features::fit)
      .def("counts", &Features::counts)
      .def("names", &Features::names);
}

}  // namespace twofold::python
