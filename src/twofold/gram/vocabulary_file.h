#pragma once

#include <string>
#include <string_view>

#include "twofold/gram/vocabulary.h"
#include "twofold/record/json_reader.h"
#include "twofold/record/tensor_file.h"

namespace twofold::gram {

/// A kernel as keys of a configuration: kernel, iterations, edge_labels, radius (2-wl), combine (if not
/// product).
void write_kernel(const Kernel& kernel, nlohmann::ordered_json& config);
/// The reverse. Throws InputError naming place, need and what was found.
Kernel read_kernel(const record::JsonView& fields, const std::string& source);

/// The tables of a vocabulary as tensors, two a table.
void add_tables(const Vocabulary& vocabulary, record::TensorFile& file);
/// How many tensors that are.
std::size_t num_table_tensors(const Kernel& kernel);
/// The reverse. Throws InputError naming `source` for what cannot be a vocabulary of this kernel.
Vocabulary read_tables(const Kernel& kernel, const record::TensorFile& file, const std::string& source);

/// A file of its own, so that further graphs get the same columns. The same vocabulary gives the same bytes.
std::string encode_vocabulary(const Vocabulary& vocabulary);
/// Throws InputError naming `source` for anything else.
Vocabulary decode_vocabulary(std::string_view bytes, const std::string& source);

}  // namespace twofold::gram
