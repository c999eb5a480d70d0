#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/eval/splits.h"

namespace twofold::eval {

/// Outer folds whose graphs come in groups, as molecules by their scaffold: all graphs of a group stand in one
/// part of a fold, so that what is tested is unlike what was learnt from. Groups go, the largest first and
/// equals in random order, to the fold that tests the fewest graphs; in each fold a tenth of the others, in
/// whole groups, is for validation. Classes are not balanced.
///
/// `group_of` has a number per graph. The same seed gives the same splits, on every machine. Throws UsageError
/// for fewer than 2 folds, InputError for fewer groups than folds and one more.
Splits make_group_splits(Span<const std::uint32_t> group_of, int num_folds, std::uint64_t seed);

/// About that share of the graphs in whole groups for validation; no test graphs. Groups of more than half the
/// share are learnt from. 0 holds out none.
Fold hold_out_groups(Span<const std::uint32_t> group_of, double share, std::uint64_t seed);

/// The fold that the data says: `train`, `validation` or `test` per graph (Dataset::parts). A part that no
/// graph is given to is empty.
Fold fold_of_parts(const std::vector<std::string>& parts);

/// Equal texts get equal numbers, by first sight.
std::vector<std::uint32_t> groups_of(const std::vector<std::string>& texts);

}  // namespace twofold::eval
