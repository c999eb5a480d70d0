#include "cli/progress.h"

#include <fmt/ostream.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>

#include "cli/printable_output.h"
#include "cli/text_width.h"
#include "twofold/base/memory.h"
#include "twofold/base/printable.h"

namespace twofold::cli {
namespace {

constexpr int kLongestBar = 20;
constexpr int kShortestBar = 5;
constexpr std::size_t kShortestLabel = 8;

std::string format_amount(double amount, const std::string& unit) {
  if (unit.empty()) return format_bytes(static_cast<std::uint64_t>(std::llround(amount)));
  return amount < 10 && amount != std::floor(amount) ? fmt::format("{:.1f} {}", amount, unit)
                                                     : fmt::format("{:.0f} {}", amount, unit);
}

}  // namespace

int terminal_columns(const std::ostream& err) {
  if (&err != &std::cerr || isatty(STDERR_FILENO) == 0) return 0;
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

std::string format_duration(double seconds) {
  const long whole = std::lround(std::clamp(seconds, 0.0, 3.6e9));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

ProgressLine::ProgressLine(std::ostream& err, ProgressOptions options)
    : err_(err), options_(std::move(options)) {
  options_.label = printable(options_.label);  // may be a file's name; fit_line cuts it
  if (!options_.clock) options_.clock = steady_seconds;
  start_ = options_.clock();
  next_ = start_ + options_.patience;
}

ProgressLine::~ProgressLine() {
  if (is_drawn_) err_ << line_start << line_rest_cleared << std::flush;
}

// Asked anew each time: windows change their size.
int ProgressLine::columns() const { return options_.columns > 0 ? options_.columns : terminal_columns(err_); }

Progress ProgressLine::progress() {
  if (options_.quiet || columns() == 0) return {};
  return [this](std::uint64_t done, std::uint64_t total) { update(done, total); };
}

void ProgressLine::update(std::uint64_t done, std::uint64_t total) {
  const double now = options_.clock();
  if (now < next_) return;
  next_ = now + options_.interval;
  // A line that wraps cannot be drawn over; in the last column some terminals wrap already.
  const auto room = static_cast<std::size_t>(std::max(columns() - 1, 0));
  err_ << line_start << cut_end(text(done, total, now - start_, room), room) << line_rest_cleared << std::flush;
  is_drawn_ = true;
}

std::string ProgressLine::text(std::uint64_t done, std::uint64_t total, double seconds,
                               std::size_t room) const {
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  const std::string amount = format_amount(static_cast<double>(done), options_.unit);
  const std::string speed = format_amount(rate, options_.unit) + "/s";
  // The label takes what the words leave: all of it, its end, or nothing.
  const auto labeled = [&](const std::string& words) {
    const std::size_t taken = text_width(words) + 2;
    if (taken + std::min(kShortestLabel, text_width(options_.label)) > room) return words;
    return cut_front(options_.label, room - taken) + "  " + words;
  };
  if (total == 0) return labeled(fmt::format("{}, {}", amount, speed));

  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const std::string percent = fmt::format("{:.0f}% ", std::floor(100 * share));
  const std::string amounts =
      fmt::format("{} of {}", amount, format_amount(static_cast<double>(total), options_.unit));
  std::string left;
  if (done > 0 && done < total)
    left = fmt::format("{} left", format_duration(static_cast<double>(total - done) / rate));
  const std::string tail = amounts + ", " + speed + (left.empty() ? "" : ", " + left);
  // The bar takes what the words leave: two brackets and a space go too.
  const std::string words = percent + tail;
  const std::size_t taken = text_width(options_.label) + 2 + text_width(words) + 3;
  if (taken + kShortestBar <= room) {
    const std::size_t width = std::min(room - taken, static_cast<std::size_t>(kLongestBar));
    const auto filled = static_cast<std::size_t>(share * static_cast<double>(width));
    return fmt::format("{}  {}[{:<{}}] {}", options_.label, percent, std::string(filled, '#'), width, tail);
  }
  if (text_width(words) + 2 + kShortestLabel <= room) return labeled(words);
  for (const std::string& shorter : {percent + amounts + (left.empty() ? "" : ", " + left), percent + left})
    if (text_width(shorter) <= room) return labeled(shorter);
  return left.empty() ? percent : left;
}

std::string fit_line(ProgressParts parts, std::size_t room) {
  const auto joined = [&](const std::string& label) {
    std::string line = label.empty() ? "" : label + ": ";
    for (const std::string& detail : parts.details) line += detail + "; ";
    return line + parts.end;
  };
  while (!parts.details.empty()) {
    // A label that can be told by its beginning is better than a detail less.
    const std::size_t others = text_width(joined("")) + 2;
    if (others + std::min(text_width(parts.label), 2 * kShortestLabel) <= room)
      return joined(cut_end(parts.label, room - others));
    parts.details.pop_back();
  }
  const std::size_t others = text_width(parts.end) + 2;
  if (parts.label.empty() || others + kShortestLabel > room) return cut_end(parts.end, room);
  return joined(cut_end(parts.label, room - others));
}

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace twofold::cli
