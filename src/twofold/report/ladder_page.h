#pragma once

#include <string>

#include "twofold/report/page.h"
#include "twofold/wl/ladder.h"

namespace twofold::report {

/// A row per test, a column per family: how many pairs are told apart, or how many classes there are. The first
/// row says how many pairs or graphs there are in all.
Table ladder_table(const wl::Ladder& ladder);

/// The page of `twofold wl ladder -o`: what each test tells apart, how that grows with the radius, what
/// networks say if they were asked, and how long it took. `command` makes it again.
Page ladder_page(const wl::Ladder& ladder, const std::string& command);

}  // namespace twofold::report
