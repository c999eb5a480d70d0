#include "twofold/svm/svc.h"

#include <svm.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>

#include "twofold/base/error.h"
#include "twofold/base/memory.h"

namespace twofold::svm {
namespace {

struct FreeModel {
  void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
};

void be_silent(const char*) {}

std::size_t pair_index(std::size_t a, std::size_t b, std::size_t num_classes) {
  return a * (2 * num_classes - a - 1) / 2 + (b - a - 1);
}

// libsvm numbers the classes by their first training graph; we by their own number.
// `begin` has the first support vector of each class, and one past the last.
void take_pair(const svm_model& model, const std::vector<std::size_t>& begin, std::size_t i, std::size_t j,
               std::size_t libsvm_pair, Svc& svc) {
  const auto a = static_cast<std::size_t>(model.label[i]), b = static_cast<std::size_t>(model.label[j]);
  const double sign = a < b ? 1 : -1;
  const std::size_t pair = pair_index(std::min(a, b), std::max(a, b), svc.num_classes);
  std::vector<Support>& supports = svc.supports[pair];
  const auto add = [&](std::size_t c, const double* values) {
    for (std::size_t s = begin[c]; s < begin[c + 1]; ++s)  // one of another pair has a 0 here
      if (values[s] != 0)
        supports.push_back({static_cast<std::uint32_t>(model.sv_indices[s] - 1), sign * values[s]});
  };
  add(i, model.sv_coef[j - 1]);
  add(j, model.sv_coef[i]);
  std::sort(supports.begin(), supports.end(),
            [](const Support& x, const Support& y) { return x.graph < y.graph; });
  svc.rho[pair] = sign * model.rho[libsvm_pair];
}

}  // namespace

double Svc::coefficient(std::size_t pair, std::size_t graph) const {
  for (const Support& support : supports[pair])
    if (support.graph == graph) return support.coefficient;
  return 0;
}

std::vector<double> Svc::decisions(Span<const double> kernel_values) const {
  TWOFOLD_CHECK(kernel_values.size() == num_graphs, "{} kernel values for {} training graphs",
                kernel_values.size(), num_graphs);
  std::vector<double> result;
  result.reserve(num_pairs());
  for (std::size_t pair = 0; pair < num_pairs(); ++pair) {
    double sum = 0;
    for (const Support& support : supports[pair]) sum += support.coefficient * kernel_values[support.graph];
    result.push_back(sum - rho[pair]);
  }
  return result;
}

std::string libsvm_version() { return std::to_string(::libsvm_version); }

std::uint32_t voted_class(Span<const double> decisions, std::size_t num_classes) {
  std::vector<std::size_t> votes(num_classes, 0);
  std::size_t pair = 0;
  for (std::size_t a = 0; a < num_classes; ++a)
    for (std::size_t b = a + 1; b < num_classes; ++b) ++votes[decisions[pair++] > 0 ? a : b];
  return static_cast<std::uint32_t>(std::max_element(votes.begin(), votes.end()) - votes.begin());
}

std::vector<double> class_scores(Span<const double> decisions, std::size_t num_classes) {
  if (num_classes == 2) return {decisions[0], -decisions[0]};
  std::vector<double> votes(num_classes, 0);
  std::size_t pair = 0;
  for (std::size_t a = 0; a < num_classes; ++a)
    for (std::size_t b = a + 1; b < num_classes; ++b) ++votes[decisions[pair++] > 0 ? a : b];
  return votes;
}

Svc train_svc(const KernelRow& kernel, Span<const std::uint32_t> class_of, std::size_t num_classes,
              const SvcOptions& options, std::uint64_t max_memory) {
  const std::size_t n = class_of.size();
  if (!(options.penalty > 0) || !std::isfinite(options.penalty))
    throw UsageError(fmt::format("needed a penalty C > 0, found {}", options.penalty));
  if (n == 0) throw InputError("svm: needed training graphs, found none");
  std::vector<bool> is_there(num_classes, false);
  for (const std::uint32_t c : class_of) {
    TWOFOLD_CHECK(c < num_classes, "class {} of {}", c, num_classes);
    is_there[c] = true;
  }
  Svc svc;
  svc.num_classes = num_classes;
  svc.num_graphs = n;
  svc.supports.resize(num_classes * (num_classes - 1) / 2);
  for (std::size_t a = 0; a < num_classes; ++a)
    for (std::size_t b = a + 1; b < num_classes; ++b) svc.rho.push_back(is_there[a] || !is_there[b] ? -1 : 1);
  if (std::count(is_there.begin(), is_there.end(), true) < 2) return svc;

  // A precomputed kernel's row: its number from 1 under index 0, the values, and -1 as end.
  require_memory(fmt::format("training the SVM on {} graphs", n), sizeof(svm_node) * n * (n + 2),
                 resolve_memory_limit(max_memory));
  std::vector<svm_node> nodes(n * (n + 2));
  std::vector<svm_node*> rows(n);
  std::vector<double> targets(n), values(n);
  for (std::size_t i = 0; i < n; ++i) {
    kernel(i, values);
    for (std::size_t j = 0; j < n; ++j)
      if (!std::isfinite(values[j]))
        throw InputError(fmt::format("svm: kernel value {} is {}", i * n + j, values[j]));
    rows[i] = nodes.data() + i * (n + 2);
    rows[i][0] = {0, static_cast<double>(i + 1)};
    for (std::size_t j = 0; j < n; ++j) rows[i][j + 1] = {static_cast<int>(j + 1), values[j]};
    rows[i][n + 1] = {-1, 0};
    targets[i] = class_of[i];
  }
  const svm_problem problem{static_cast<int>(n), targets.data(), rows.data()};
  svm_parameter parameter{};
  parameter.svm_type = C_SVC;
  parameter.kernel_type = PRECOMPUTED;
  // libsvm does not look whether it got the memory it asked for, so it is made sure of: some lists of n values,
  // and a cache, which changes the time alone.
  const std::uint64_t left = resolve_memory_limit(0);
  require_memory(fmt::format("training the SVM on {} graphs", n), (std::uint64_t{1} << 20) + 512 * n, left);
  constexpr double kMega = 1 << 20;
  parameter.cache_size = std::min(options.cache, static_cast<double>(left) / 4 / kMega);
  parameter.eps = options.tolerance;
  parameter.C = options.penalty;
  parameter.shrinking = 1;
  static std::once_flag once;
  std::call_once(once, [] { svm_set_print_string_function(be_silent); });
  if (const char* reason = svm_check_parameter(&problem, &parameter))
    throw UsageError(fmt::format("svm: {}", reason));
  const std::unique_ptr<svm_model, FreeModel> model(svm_train(&problem, &parameter));

  std::vector<std::size_t> begin = {0};
  for (int c = 0; c < model->nr_class; ++c)
    begin.push_back(begin.back() + static_cast<std::size_t>(model->nSV[c]));
  std::size_t libsvm_pair = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(model->nr_class); ++i)
    for (std::size_t j = i + 1; j < static_cast<std::size_t>(model->nr_class); ++j)
      take_pair(*model, begin, i, j, libsvm_pair++, svc);
  return svc;
}

}  // namespace twofold::svm
