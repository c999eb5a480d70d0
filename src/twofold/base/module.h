#pragma once

#include <string>

namespace twofold {

/// A part of twofold that stands on a library not everybody has, opened when it is needed. It gives one symbol.
struct ModuleName {
  const char* file;      // libtwofold_….so
  const char* symbol;    // its one function
  const char* variable;  // of the environment: the path of another one
  // Whether what the module stands on opens libraries of its own that look for its symbols.
  bool shares_symbols = false;
};

/// The module's function, or null and in `trouble` why. It is looked for beside the program, or beside the
/// library this lies in, in the folder above (of a build's tests), and in lib/twofold/modules of an
/// installation; or only where the variable says.
void* open_module(const ModuleName& name, std::string& trouble);

}  // namespace twofold
