#include "twofold/train/kernel_learner.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "twofold/base/error.h"
#include "twofold/gram/gram.h"
#include "twofold/model/model_table.h"
#include "twofold/model/seen_data.h"
#include "twofold/svm/gaussian.h"
#include "twofold/svm/linear_svc.h"
#include "twofold/svm/solver.h"
#include "twofold/svm/svc.h"

namespace twofold::train {
namespace {

// A Gram matrix, in this process or shared with others.
struct Gram {
  std::size_t size = 0;
  const std::int64_t* values = nullptr;
  gram::GramMatrix own;
  std::shared_ptr<const record::Blob> shared;

  std::int64_t raw(std::size_t i, std::size_t j) const { return values[i * size + j]; }
  double plain(std::size_t i, std::size_t j, bool normalize) const {
    if (!normalize) return static_cast<double>(raw(i, j));
    if (i == j) return raw(i, i) > 0 ? 1 : 0;
    const double squares = static_cast<double>(raw(i, i)) * static_cast<double>(raw(j, j));
    return squares > 0 ? static_cast<double>(raw(i, j)) / std::sqrt(squares) : 0;
  }
};

// What a machine is given of a matrix.
struct KernelValues {
  std::shared_ptr<const Gram> gram;
  bool normalize = false;
  double gamma = 0;

  double at(std::size_t i, std::size_t j) const {
    const double value = gram->plain(i, j, normalize);
    if (gamma == 0) return value;
    return svm::gaussian(gamma, gram->plain(i, i, normalize), gram->plain(j, j, normalize), value);
  }
};

// Adds what a machine says of one graph.
void add_prediction(const std::vector<double>& decisions, std::size_t num_classes,
                    model::Predictions& predictions) {
  predictions.class_of.push_back(svm::voted_class(decisions, num_classes));
  const std::vector<double> scores = svm::class_scores(decisions, num_classes);
  predictions.scores.insert(predictions.scores.end(), scores.begin(), scores.end());
}

class FittedSvc : public model::Fitted {
 public:
  FittedSvc(KernelValues kernel, std::vector<std::uint32_t> train, svm::Svc svc)
      : kernel_(std::move(kernel)), train_(std::move(train)), svc_(std::move(svc)) {}

  model::Predictions predict(Span<const std::uint32_t> graphs) override {
    model::Predictions predictions;
    std::vector<double> row(train_.size());
    for (const std::uint32_t g : graphs) {
      for (std::size_t i = 0; i < train_.size(); ++i) row[i] = kernel_.at(g, train_[i]);
      add_prediction(svc_.decisions(row), svc_.num_classes, predictions);
    }
    return predictions;
  }

 private:
  KernelValues kernel_;
  std::vector<std::uint32_t> train_;
  svm::Svc svc_;
};

class FittedLinear : public model::Fitted {
 public:
  FittedLinear(std::shared_ptr<const gram::SparseCounts> counts, bool normalize, svm::LinearSvc svc)
      : counts_(std::move(counts)), normalize_(normalize), svc_(std::move(svc)) {}

  model::Predictions predict(Span<const std::uint32_t> graphs) override {
    model::Predictions predictions;
    for (const std::uint32_t g : graphs)
      add_prediction(svc_.decisions(*counts_, g, normalize_), svc_.num_classes, predictions);
    return predictions;
  }

 private:
  std::shared_ptr<const gram::SparseCounts> counts_;
  bool normalize_;
  svm::LinearSvc svc_;
};

class KernelLearner : public model::Learner {
 public:
  KernelLearner(gram::KernelKind kind, model::LearnerInput input) : kind_(kind), input_(std::move(input)) {
    if (input_.task.about != TargetOf::kGraphs)
      throw UsageError(
          fmt::format("{} compares graphs: needed a network to learn {} (2-wl-gnn, 2-gnn, gin, gcn, "
                      "sage, mlp)",
                      gram::kernel_name(kind_), model::to_string(input_.task.about)));
    if (!input_.task.is_classification())
      throw UsageError(fmt::format("{} learns one class per graph; this dataset has {}",
                                   gram::kernel_name(kind),
                                   input_.task.is_yes_no() ? "several targets" : "real targets"));
  }

  model::FitResult fit(const model::Config& config, const model::LabeledGraphs& train,
                       const model::LabeledGraphs& /*validation*/,
                       const model::FitOptions& /*options*/) override {
    const bool normalize = config.at("normalize").get<bool>();
    svm::SvcOptions options;
    options.penalty = config.at("penalty").get<double>();
    options.tolerance = config.at("tolerance").get<double>();
    if (is_linear(config)) {
      const std::shared_ptr<const gram::SparseCounts> counts = counts_of(kernel_of(config));
      svm::LinearSvc svc = svm::train_linear({counts.get(), train.graphs, normalize}, train.class_of,
                                             input_.task.class_names.size(), options);
      model::FitResult result;
      result.notes["passes"] = svc.passes;
      result.fitted = std::make_unique<FittedLinear>(counts, normalize, std::move(svc));
      return result;
    }
    const KernelValues kernel{gram_of(kernel_of(config)), normalize, settings_of(config).gamma};
    const std::size_t n = train.size();
    const auto kernel_row = [&](std::size_t i, std::vector<double>& row) {
      for (std::size_t j = 0; j < n; ++j) row[j] = kernel.at(train.graphs[i], train.graphs[j]);
    };
    svm::Svc svc =
        svm::train_svc(kernel_row, train.class_of, input_.task.class_names.size(), options, input_.max_memory);

    std::vector<bool> is_support(n, false);
    for (const auto& supports : svc.supports)
      for (const svm::Support& support : supports) is_support[support.graph] = true;
    model::FitResult result;
    result.notes["support_vectors"] = std::count(is_support.begin(), is_support.end(), true);
    result.fitted = std::make_unique<FittedSvc>(kernel, train.graphs, std::move(svc));
    return result;
  }

  model::FitCost measure(const model::Config& config, const model::LabeledGraphs& train,
                         const model::LabeledGraphs& validation, Clock clock) override {
    const double start = seconds_on(clock);
    if (is_linear(config))
      counts_of(kernel_of(config));
    else
      gram_of(kernel_of(config));
    const double prepare = seconds_on(clock) - start;
    model::FitCost cost = Learner::measure(config, train, validation, clock);
    cost.prepare = prepare;
    return cost;
  }

  bool is_deterministic() const override { return true; }

  model::TwinClasses twins(const std::vector<model::Config>& grid) override {
    const std::vector<gram::Kernel> finest = finest_of(grid);
    const model::GraphData seen = model::seen_data(gram::kernel_name(kind_), grid);
    const std::string given = describe_seen(model::data_of(input_.graphs), seen);
    if (kind_ == gram::KernelKind::kWlSubtree) {
      wl::ClassifyOptions options;
      options.threads = input_.threads;
      options.max_memory = input_.max_memory;
      model::TwinClasses twins = model::wl_twins(input_.graphs, wl::parse_test("1-wl"), seen, options);
      twins.seen_by += given;
      return twins;
    }
    model::TwinClasses twins;
    for (const gram::Kernel& kernel : finest)
      twins.seen_by += (twins.seen_by.empty() ? "" : " and ") + gram::describe(kernel);
    twins.seen_by += given;
    if (std::all_of(grid.begin(), grid.end(), [&](const model::Config& config) { return is_linear(config); }))
      find_twins_by_counts(finest, twins);
    else
      find_twins_by_matrix(finest, twins);
    return twins;
  }

 private:
  model::LearnSettings settings_of(const model::Config& config) const {
    return model::settings_of(model::find_model(gram::kernel_name(kind_)), config);
  }
  gram::Kernel kernel_of(const model::Config& config) const { return settings_of(config).kernel; }
  bool is_linear(const model::Config& config) const {
    const model::LearnSettings settings = settings_of(config);
    return svm::resolve_solver(settings.solver, settings.kernel, settings.gamma, input_.graphs.size()) ==
           svm::Solver::kLinear;
  }

  // Two vectors of counts are the same iff both have with themselves what they have with each other,
  // multiplied or by the smaller one; integers, so this is exact.
  void find_twins_by_matrix(const std::vector<gram::Kernel>& finest, model::TwinClasses& twins) {
    std::vector<std::shared_ptr<const Gram>> grams;
    for (const gram::Kernel& kernel : finest) grams.push_back(gram_of(kernel));
    const auto are_twins = [&](std::uint32_t g, std::uint32_t h) {
      return std::all_of(grams.begin(), grams.end(), [&](const auto& gram) {
        return gram->raw(g, g) == gram->raw(g, h) && gram->raw(h, h) == gram->raw(g, h);
      });
    };
    std::map<std::int64_t, std::vector<std::uint32_t>> by_norm;  // the first graph of each class
    std::uint32_t next = 0;
    for (std::uint32_t g = 0; g < input_.graphs.size(); ++g) {
      auto& firsts = by_norm[grams[0]->raw(g, g)];
      const auto same =
          std::find_if(firsts.begin(), firsts.end(), [&](std::uint32_t first) { return are_twins(g, first); });
      if (same != firsts.end()) {
        twins.class_of.push_back(twins.class_of[*same]);
        continue;
      }
      firsts.push_back(g);
      twins.class_of.push_back(next++);
    }
  }

  void find_twins_by_counts(const std::vector<gram::Kernel>& finest, model::TwinClasses& twins) {
    using Row = std::vector<std::uint64_t>;
    std::map<Row, std::uint32_t> class_of_row;
    std::vector<std::shared_ptr<const gram::SparseCounts>> all;
    for (const gram::Kernel& kernel : finest) all.push_back(counts_of(kernel));
    for (std::uint32_t g = 0; g < input_.graphs.size(); ++g) {
      Row row;
      for (const auto& counts : all) {
        row.push_back(counts->starts[g + 1] - counts->starts[g]);
        for (std::uint64_t at = counts->starts[g]; at < counts->starts[g + 1]; ++at)
          row.insert(row.end(), {counts->columns[at], counts->counts[at]});
      }
      const auto next = static_cast<std::uint32_t>(class_of_row.size());
      twins.class_of.push_back(class_of_row.emplace(std::move(row), next).first->second);
    }
  }

  // Colors know nothing of targets and folds, so the counts of all graphs serve every fold.
  std::shared_ptr<const gram::SparseCounts> counts_of(const gram::Kernel& kernel) {
    const auto known =
        std::find_if(counts_.begin(), counts_.end(), [&](const auto& one) { return one.first == kernel; });
    if (known != counts_.end()) return known->second;
    gram::Vocabulary vocabulary(kernel);
    auto counts =
        std::make_shared<gram::SparseCounts>(gram::add_counts(vocabulary, input_.graphs, input_.max_memory));
    counts_.emplace_back(kernel, counts);
    return counts;
  }

  // More iterations see more, and labels too: for each radius, the finest kernel of the grid sees what all of
  // that radius see. Radii are not compared: within few rounds none sees all that another does.
  std::vector<gram::Kernel> finest_of(const std::vector<model::Config>& grid) const {
    std::vector<gram::Kernel> finest;
    for (const model::Config& config : grid) {
      const gram::Kernel kernel = kernel_of(config);
      const auto same = std::find_if(finest.begin(), finest.end(),
                                     [&](const gram::Kernel& one) { return one.radius == kernel.radius; });
      if (same == finest.end()) {
        finest.push_back(kernel);
        continue;
      }
      same->iterations = std::max(same->iterations, kernel.iterations);
      same->edge_labels = same->edge_labels || kernel.edge_labels;
    }
    return finest;
  }

  std::shared_ptr<const Gram> gram_of(const gram::Kernel& kernel) {
    const std::string radius = kind_ == gram::KernelKind::kRows ? "-r" + to_string(kernel.radius) : "";
    const std::string name = fmt::format("gram-{}{}-{}{}{}", gram::kernel_name(kernel.kind), radius,
                                         kernel.iterations, kernel.edge_labels ? "-edges" : "",
                                         kernel.combine == gram::Combine::kIntersection ? "-intersection" : "");
    std::shared_ptr<const Gram>& known = grams_[name];
    if (known) return known;
    auto gram = std::make_shared<Gram>();
    gram->size = input_.graphs.size();
    const gram::GramOptions how{input_.threads, input_.max_memory, {}};
    if (input_.cache == nullptr) {
      gram->own = gram::gram_matrix(input_.graphs, kernel, how);
      gram->values = gram->own.values.data();
    } else {
      // One process makes it, by blocks; it then lies in memory once for all.
      gram->shared = input_.cache->get(name, [&](const record::BlobSink& sink) {
        gram::gram_blocks(input_.graphs, kernel, how, [&](const gram::GramMatrix& rows) {
          sink({reinterpret_cast<const char*>(rows.values.data()), rows.values.size() * sizeof(std::int64_t)});
        });
      });
      TWOFOLD_CHECK(gram->shared->bytes().size() == gram->size * gram->size * sizeof(std::int64_t));
      gram->values = gram->shared->as<std::int64_t>();
    }
    known = std::move(gram);
    return known;
  }

  gram::KernelKind kind_;
  model::LearnerInput input_;
  std::map<std::string, std::shared_ptr<const Gram>> grams_;
  std::vector<std::pair<gram::Kernel, std::shared_ptr<const gram::SparseCounts>>> counts_;
};

}  // namespace

std::vector<model::LearnerFactory> kernel_learners() {
  std::vector<model::LearnerFactory> factories;
  for (const char* name : {"wl-st", "wl-sp", "2-lwl", "2-gwl", "2-wl"})
    factories.push_back({name,
                         [kind = gram::parse_kernel(name)](const model::LearnerInput& input) {
                           return std::make_unique<KernelLearner>(kind, input);
                         },
                         {{"libsvm", svm::libsvm_version()}}});
  return factories;
}

}  // namespace twofold::train
