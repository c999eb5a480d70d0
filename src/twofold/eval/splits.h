#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "twofold/model/targets.h"

namespace twofold::eval {

/// The graphs of one outer fold, by index from 0. Together they are all graphs, each once. (Of nodes and links,
/// which these may be as well, some may have no part.)
struct Fold {
  // Learnt from, in this order (networks that do not shuffle take their batches in it).
  std::vector<std::uint32_t> train;
  // Chosen by.
  std::vector<std::uint32_t> validation;
  // Reported; ascending where we made it.
  std::vector<std::uint32_t> test;
};
bool operator==(const Fold& a, const Fold& b);

/// Outer folds. Folds that we draw test each graph once; splits of a file may be drawn anew, so that a graph is
/// tested by several.
using Splits = std::vector<Fold>;

/// Stratified outer folds (their sizes, and how many graphs of a class each tests, differ by at most one) and
/// in each a stratified holdout of a tenth for validation. Real targets are not stratified.
///
/// Nodes and links of several graphs are held out graph by graph, and not stratified.
/// The same seed gives the same splits, on every machine. Throws UsageError for fewer than 2 folds, InputError
/// naming the class if one has fewer graphs than there are folds.
Splits make_splits(const model::Targets& targets, int num_folds, std::uint64_t seed);

/// A share of all graphs held out for validation, of every class the same as near as can be; no test graphs. 0
/// holds out none. Both parts are ascending. The same seed gives the same graphs, on every machine.
Fold hold_out(const model::Targets& targets, double share, std::uint64_t seed);

/// The training and validation graphs of a fold parted anew, into `count` stratified parts of about one size:
/// one fold per part, which validates on it and trains on all others; no test graphs. The same seed gives the
/// same parts, on every machine. Throws UsageError for fewer than 2 parts, InputError if there are fewer graphs
/// than parts, or only one of some class, which no other part could learn from.
Splits inner_folds(const Fold& fold, const model::Targets& targets, int count, std::uint64_t seed);

/// Reads the form of the paper's experiments: [{"test": [0, …], "model_selection": [{"train": […],
/// "validation": […]}]}, …]. Throws InputError, naming `source` and the fold, if the text has another form, an
/// index is out of range or stands twice, a part is empty, a fold leaves graphs out (as a file of another
/// dataset does), or two folds test just the same graphs.
Splits parse_splits(const std::string& text, std::size_t num_graphs, const std::string& source);

/// The same for nodes or links, of which some may have no part; one fold may stand alone, as {"train": […],
/// "validation": […], "test": […]}. `what` they are is for messages: `nodes`.
Splits parse_item_splits(const std::string& text, std::size_t num_items, const std::string& source,
                         const std::string& what);
/// Whichever the targets need. Throws InputError also if the target of a named node or link is not known, and
/// for a class that no node or link to train on has.
Splits parse_splits(const std::string& text, const model::Targets& targets, const std::string& source);

/// The same form, a fold per line.
std::string format_splits(const Splits& splits);

}  // namespace twofold::eval
