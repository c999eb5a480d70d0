#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace twofold::cli {

/// JSON on one line, without its end; bytes that are no UTF-8 become the replacement character.
std::string json_text(const nlohmann::ordered_json& json);

}  // namespace twofold::cli
