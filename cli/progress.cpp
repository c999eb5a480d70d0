#include "cli/progress.h"

#include <fmt/ostream.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>

#include "twofold/base/memory.h"
#include "twofold/base/printable.h"

namespace twofold::cli {
namespace {

constexpr int kLongestBar = 20;
constexpr int kShortestBar = 5;

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

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
  const long whole = std::lround(std::clamp(seconds, 0.0, 3.6e6));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

ProgressLine::ProgressLine(std::ostream& err, ProgressOptions options)
    : err_(err), options_(std::move(options)) {
  options_.label = shortened(printable(options_.label), 40);  // may be a file's name
  if (!options_.clock) options_.clock = steady_seconds;
  if (options_.columns == 0) options_.columns = terminal_columns(err_);
  start_ = options_.clock();
  next_ = start_ + options_.patience;
}

ProgressLine::~ProgressLine() {
  if (is_drawn_) err_ << "\r\x1b[K" << std::flush;
}

Progress ProgressLine::progress() {
  if (options_.quiet || options_.columns == 0) return {};
  return [this](std::uint64_t done, std::uint64_t total) { update(done, total); };
}

void ProgressLine::update(std::uint64_t done, std::uint64_t total) {
  const double now = options_.clock();
  if (now < next_) return;
  next_ = now + options_.interval;
  std::string line = text(done, total, now - start_);
  // A line that wraps cannot be drawn over; in the last column some terminals wrap already.
  line.resize(std::min(line.size(), static_cast<std::size_t>(std::max(options_.columns - 1, 0))));
  err_ << '\r' << line << "\x1b[K" << std::flush;
  is_drawn_ = true;
}

std::string ProgressLine::text(std::uint64_t done, std::uint64_t total, double seconds) const {
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  const std::string amount = format_amount(static_cast<double>(done), options_.unit);
  const std::string speed = format_amount(rate, options_.unit) + "/s";
  if (total == 0) return fmt::format("{}  {}, {}", options_.label, amount, speed);

  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const std::string head = fmt::format("{}  {:.0f}% ", options_.label, std::floor(100 * share));
  std::string tail =
      fmt::format("{} of {}, {}", amount, format_amount(static_cast<double>(total), options_.unit), speed);
  if (done > 0 && done < total)
    tail += fmt::format(", {} left", format_duration(static_cast<double>(total - done) / rate));
  // The bar takes what the words leave: two brackets, a space and the last column go too.
  const int room = options_.columns - static_cast<int>(head.size() + tail.size()) - 4;
  if (room < kShortestBar) return head + tail;
  const int width = std::min(room, kLongestBar);
  return fmt::format("{}[{:<{}}] {}", head, std::string(static_cast<std::size_t>(share * width), '#'), width,
                     tail);
}

}  // namespace twofold::cli
