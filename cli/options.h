#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>

namespace twofold::cli {

// Options that mean the same in every command are declared here and nowhere else.

/// `--json`: the result is one JSON object on standard output.
void declare_json(CLI::App& app, bool& json);
/// `--quiet`: no words and no progress on standard error.
void declare_quiet(CLI::App& app, bool& quiet);
/// `--threads N`: 0 takes all available ones. Never changes a result.
void declare_threads(CLI::App& app, int& threads);
/// `--seed N`.
void declare_seed(CLI::App& app, std::uint64_t& seed);
/// `-o, --output PATH`.
CLI::Option* declare_output(CLI::App& app, std::string& path, const std::string& meaning);
/// `--max-memory SIZE`, in bytes; 0 (the default) takes nine tenths of what the machine has.
void declare_max_memory(CLI::App& app, std::uint64_t& bytes);

}  // namespace twofold::cli
