#pragma once

#include <nlohmann/json.hpp>

#include "twofold/wl/pair_certificate.h"

namespace twofold::testing {

/// The line that `wl pairs --certify` writes.
inline nlohmann::json line_of(const wl::PairCertificate& found) {
  nlohmann::json line;
  if (found.verdict == wl::PairCertificate::Verdict::kNotToldApart) return {{"verdict", "not told apart"}};
  if (found.verdict == wl::PairCertificate::Verdict::kIsomorphic)
    return {{"verdict", "isomorphic"}, {"image", found.image}};
  line = {{"verdict", "distinguished"}, {"test", test_name(found.test)}, {"marks", found.test.marks},
          {"rounds", found.rounds},     {"graph", found.graph + 1},      {"nodes", found.nodes},
          {"counts", found.counts}};
  if (found.test.kind == wl::Kind::kRows) {
    if (found.test.radius.is_all())
      line["radius"] = "all";
    else
      line["radius"] = found.test.radius.steps();
  }
  return line;
}

}  // namespace twofold::testing
