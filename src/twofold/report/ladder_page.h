#pragma once

#include <string>

#include "twofold/report/page.h"
#include "twofold/wl/ladder.h"

namespace twofold::report {

/// The page of `twofold reproduce ladder -o`: what each test tells apart, how that grows with the radius, what
/// networks say if they were asked, and how long it took. `command` makes it again.
Page ladder_page(const wl::Ladder& ladder, const std::string& command);

}  // namespace twofold::report
