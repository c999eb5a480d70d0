#pragma once

#include <string>
#include <vector>

#include "twofold/io/rdkit_interface.h"

namespace twofold::io {

/// The module that knows SMILES, opened at the first call. It lies beside the program, in the folder `twofold`
/// of the installed libraries, or where the variable TWOFOLD_RDKIT says. Throws Error telling `purpose`, what
/// is missing and how to get it.
const TwofoldRdkit& rdkit(const std::string& purpose);

/// The Bemis-Murcko scaffold of each molecule as canonical SMILES; empty for one without rings. Throws Error
/// without the module, InputError for a SMILES that RDKit refuses.
std::vector<std::string> scaffolds(const std::vector<std::string>& smiles, int threads = 0);

}  // namespace twofold::io
