#include "twofold/wl/joint_run.h"

#include "twofold/base/error.h"
#include "twofold/base/interrupt.h"
#include "twofold/base/parallel.h"
#include "twofold/wl/certify.h"
#include "twofold/wl/color_numbers.h"
#include "twofold/wl/mix.h"

namespace twofold::wl {
namespace {

class JointRun {
 public:
  JointRun(Span<Objects* const> parts, const RefineOptions& options, bool exact_rounds)
      : parts_(parts), options_(options), exact_rounds_(exact_rounds) {
    for (const Objects* part : parts) s_.add(*part);
    const std::size_t size = s_.offsets.back();
    if (size >= std::size_t{1} << 29)
      throw Error(fmt::format("refining together needs fewer than 2^29 objects, there are {}", size));
    s_.colors.resize(size);
    s_.old_colors.assign(size, 0);
    s_.num_old_colors = 1;
    values_.resize(size);
    sums_.resize(size);
  }

  void start() {
    for_parts([&](std::size_t p, Span<std::uint64_t> values, Span<std::uint64_t>) {
      parts_[p]->start_values(values);
      for (std::uint64_t& value : values) value &= options_.hash_mask;
    });
    s_.num_colors = number_by(values_);
    if (exact_rounds_) make_exact(s_, Compare::kStart, options_.threads);
  }

  // Returns whether a color was split.
  bool step() {
    check_interrupt();
    s_.old_colors = s_.colors;
    s_.num_old_colors = s_.num_colors;
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = mix(s_.colors[i]) & options_.hash_mask;
    for_parts([&](std::size_t p, Span<std::uint64_t> values, Span<std::uint64_t> sums) {
      parts_[p]->neighborhood_sums({values.data(), values.size()}, sums, options_.threads);
      for (std::uint64_t& sum : sums) sum = mix(sum) & options_.hash_mask;
    });
    s_.num_colors = number_by(sums_);
    if (exact_rounds_) make_exact(s_, Compare::kSignature, options_.threads);
    return s_.num_colors > s_.num_old_colors;
  }

  // Whether the coloring is stable and finer than the initial one, exactly. Only for rounds that were not
  // exact.
  bool is_exactly_stable() const { return is_exact(s_, Compare::kBoth, false, options_.threads); }

  const Suggestion& suggestion() const { return s_; }

 private:
  std::size_t number_by(const std::vector<std::uint64_t>& hashes) {
    ColorNumbers numbers(hashes.size());
    for (std::size_t i = 0; i < hashes.size(); ++i) s_.colors[i] = numbers.number(s_.old_colors[i], hashes[i]);
    return numbers.size();
  }

  // Many small graphs side by side, a few large ones each with all threads.
  template <typename Body>
  void for_parts(Body body) {
    const auto call = [&](std::size_t p) {
      const std::size_t size = s_.offsets[p + 1] - s_.offsets[p];
      body(p, Span<std::uint64_t>(values_.data() + s_.offsets[p], size),
           Span<std::uint64_t>(sums_.data() + s_.offsets[p], size));
    };
    if (parts_.size() >= 4 * static_cast<std::size_t>(resolve_threads(options_.threads)))
      parallel_for(parts_.size(), options_.threads, call);
    else
      for (std::size_t p = 0; p < parts_.size(); ++p) call(p);
  }

  Span<Objects* const> parts_;
  const RefineOptions& options_;
  bool exact_rounds_;
  Suggestion s_;
  std::vector<std::uint64_t> values_;
  std::vector<std::uint64_t> sums_;
};

}  // namespace

Coloring refine_together(Span<Objects* const> parts, const WlTest& test, const RefineOptions& options) {
  // Until somebody looks, colors may be too coarse: hashes merge and never split. A coloring that is exactly
  // stable and finer than the initial one is then the true one, because the true one is the coarsest of that
  // kind. So one comparison at the end does; if it fails, hashes have collided and everything is done again,
  // round by round.
  bool exact_rounds = options.after_round != nullptr || options.max_rounds >= 0;
  for (;;) {
    JointRun run(parts, options, exact_rounds);
    run.start();
    Coloring coloring;
    coloring.test = test;
    coloring.offsets = run.suggestion().offsets;
    coloring.is_stable = run.suggestion().colors.empty();
    const auto show = [&] {
      coloring.colors = run.suggestion().colors;
      coloring.num_colors = run.suggestion().num_colors;
      return !options.after_round || options.after_round(coloring);
    };
    bool go_on = show();
    while (go_on &&
           (options.max_rounds < 0 || coloring.num_rounds < static_cast<std::size_t>(options.max_rounds))) {
      coloring.is_stable = !run.step();
      if (coloring.is_stable && options.max_rounds < 0) break;
      ++coloring.num_rounds;
      go_on = show();
    }
    if (exact_rounds || !coloring.is_stable || run.is_exactly_stable()) return coloring;
    exact_rounds = true;
  }
}

}  // namespace twofold::wl
