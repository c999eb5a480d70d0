#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "twofold/compute/activation.h"
#include "twofold/compute/net_shape.h"
#include "twofold/model/task.h"
#include "twofold/pairs/radius.h"

namespace twofold::model {

using compute::Activation;
using compute::Gate;
using compute::Norm;
using compute::Pooling;

enum class ModelKind { k2WlGnn, k2Gnn, kGin, kGcn, kSage, kMlp };
/// Where the scores of the weighted mean come from: a linear map of a row's last features, or a second stack of
/// convolutions with a score per channel.
enum class Attention { kScalar, kStack };
/// What follows pooling: one hidden layer and a linear one, a linear one alone, or nothing (the last
/// convolution has a channel per output, and rows are pooled into the answer).
enum class Head { kMlp, kLinear, kNone };
/// Which layers' rows are pooled: the last's, or every layer's with a head of its own, added up.
enum class Readout { kLast, kAll };
/// The structure-blind baselines: a layer per node before the sum (`deep-sets`), or the sum of the raw features
/// (`fingerprint`).
enum class MlpForm { kPerVertex, kSumOfFeatures };

/// The most layers and features that options can ask for.
inline constexpr int kMostLayers = 64;
inline constexpr int kMostWidth = 4096;

/// Channels of a convolution, side by side, that share an activation.
struct ChannelGroup {
  int channels = 1;
  Activation activation = Activation::kIdentity;
};
/// A convolution of a 2-wl-gnn whose channels are not all alike, as train/simulate.h makes them.
struct LayerForm {
  Activation inner_activation = Activation::kIdentity;
  std::vector<ChannelGroup> groups;

  int channels() const;
};

/// Everything that shapes a network but its input columns. All models take and give the same shapes: graphs in,
/// a row of `outputs` values per graph out (binary: one logit, of the second class; multi-class: a logit per
/// class; regression: one value).
struct ModelOptions {
  ModelKind model = ModelKind::k2WlGnn;
  /// 2-wl-gnn: pairs of nodes up to this distance are rows.
  pairs::Radius radius = pairs::Radius(2);
  /// Convolutions; with Head::kNone the last of them gives the outputs. gin: those after its first MLP.
  /// mlp has none.
  int layers = 3;
  int width = 32;
  /// Of the convolutions and of the head's hidden layer. gin and mlp always take relu.
  Activation activation = Activation::kTanh;
  /// 2-wl-gnn: the one around each triple.
  Activation inner_activation = Activation::kRelu;
  /// 2-wl-gnn, 2-gnn: three columns in front that say what a row is (loop, edge, indirect pair).
  bool indicators = true;
  /// Convolutions have biases. gin and mlp always do.
  bool bias = true;
  /// The initial features are joined to the input of every convolution but the first. Not gin, mlp.
  bool jumping_knowledge = true;
  /// gin, mlp: not the weighted mean.
  Pooling pooling = Pooling::kWeightedMean;
  /// Poolings whose values stand beside it. Not with the weighted mean, nor without a head.
  std::vector<Pooling> joined = {};
  Attention attention = Attention::kStack;
  /// 2-wl-gnn, 2-gnn: pool the rows of single nodes only.
  bool loops_only = false;
  /// 2-wl-gnn, 2-gnn: loops, edges and indirect pairs are pooled each for itself, side by side.
  bool pool_by_kind = false;
  /// gin, mlp: kMlp only.
  Head head = Head::kMlp;
  /// 2-wl-gnn, 2-gnn, gcn, sage; gin always reads all.
  Readout readout = Readout::kLast;

  // Forms of a layer of 2-wl-gnn, 2-gnn, gcn and sage. What goes into the activation is normalized …
  Norm norm = Norm::kNone;
  // … and (not gcn) the sum over triples or neighbors.
  Norm sum_norm = Norm::kNone;
  // What is pooled is normalized before a head reads it: each value over the graphs of the batch, or each graph
  // over its values. So sums of large graphs are of the size of those of small ones to the optimizer.
  Norm pool_norm = Norm::kNone;
  // 2-wl-gnn: without a gate the sum is added, and a second map with an activation follows.
  Gate gate = Gate::kLinear;
  // A layer's rows are added to the rows before, where both have as many channels.
  bool residual = false;

  /// 2-wl-gnn: what each convolution is made of, in place of width, activation and inner_activation; empty: all
  /// alike. Then `layers` is their number, `width` the channels of the last (with a head), the activation that
  /// of the head alone, and there are biases and no jumping knowledge.
  std::vector<LayerForm> layer_forms;

  /// gin: learn how much a node counts beside its neighbors (1 + eps); else eps is 0.
  bool train_eps = false;
  /// gin: normalize each linear map of its MLPs over the nodes of a batch, but not those of the first MLP where
  /// the input is a single column.
  bool batch_norm = true;
  /// The part of what a graph reads out (gin: of each layer's readout) that is left out in training, 0 to below
  /// 1. Not mlp.
  double dropout = 0;
  /// The part of what every layer but the first reads that is left out in training, and of sparse node features
  /// too; 0 to below 1. Not mlp. Not on colors.
  double layer_dropout = 0;
  MlpForm mlp_form = MlpForm::kPerVertex;

  /// See real node attributes, if there are any; always for 2-wl-gnn and 2-gnn.
  bool node_attributes = true;
  /// Node degrees as labels; for graphs without node labels.
  bool degree_features = false;
  /// gin, gcn, sage: a node with a self-loop in the data is its own neighbor (gcn adds one anyway).
  bool self_loops = true;

  /// 2-wl-gnn, gin: 1 reads every graph once for each of its nodes, with that node marked, and pools over all
  /// of these copies (graph/marked_union.h). Not with the radius `all`.
  int marks = 0;

  /// What a row of outputs is about. A node's is read out of its own row (its loop's), a link's of those of
  /// both ends and, 2-wl-gnn and 2-gnn, beside them that of the pair, zeros where it has none.
  TargetOf about = TargetOf::kGraphs;
  TaskKind task = TaskKind::kBinary;
  int outputs = 1;
};
bool operator==(const ModelOptions& a, const ModelOptions& b);

/// A network of that kind that check_options accepts. What train and evaluate start from stands in the option
/// table (model_table.h).
ModelOptions plain_options(ModelKind model);

/// Groups of rows that are read out each for itself: 3 by kind, 2 of links where pairs are rows, else 1.
std::size_t num_kinds(const ModelOptions& options);

/// Whether rows are pairs of nodes (2-wl-gnn, 2-gnn), or nodes.
bool has_pair_rows(ModelKind model);

/// Throws UsageError, naming the option, need and found, for values out of range and for combinations that the
/// model does not have.
void check_options(const ModelOptions& options);

// By the words of the command line; parsing throws UsageError with the known words.
ModelKind parse_model(const std::string& word);
/// One, or several with + between: the first is ModelOptions::pooling, the others are joined to it.
std::vector<Pooling> parse_poolings(const std::string& words);
std::string to_string(const std::vector<Pooling>& poolings);
/// All that rows are pooled by.
std::vector<Pooling> all_poolings(const ModelOptions& options);
Readout parse_readout(const std::string& word);
Norm parse_norm(const std::string& word);
Gate parse_gate(const std::string& word);
Attention parse_attention(const std::string& word);
Head parse_head(const std::string& word);
MlpForm parse_mlp_form(const std::string& word);
/// A layer `inner: N activation + N activation`, layers divided by `; `: `relu: 3 identity + 32 logistic`.
std::vector<LayerForm> parse_layer_forms(const std::string& text);
std::string to_string(const std::vector<LayerForm>& forms);
const char* to_string(ModelKind model);
const char* to_string(Pooling pooling);
const char* to_string(Readout readout);
const char* to_string(Norm norm);
const char* to_string(Gate gate);
const char* to_string(Attention attention);
const char* to_string(Head head);
const char* to_string(MlpForm form);

}  // namespace twofold::model
