#include "twofold/base/module.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#ifndef TWOFOLD_INSTALLED_LIBRARIES
#define TWOFOLD_INSTALLED_LIBRARIES "lib"
#endif

namespace twofold {
namespace {

// Where a module may lie, the likeliest first.
std::vector<std::string> module_places(const ModuleName& name) {
  if (const char* given = std::getenv(name.variable); given != nullptr && *given != '\0') return {given};
  std::vector<std::string> places;
  std::error_code failed;
  const auto beside = [&](const std::filesystem::path& file) {
    const auto folder = file.parent_path();
    places.push_back((folder / name.file).string());
    places.push_back((folder.parent_path() / name.file).string());  // of a build's tests
    places.push_back(
        (folder.parent_path() / TWOFOLD_INSTALLED_LIBRARIES / "twofold" / "modules" / name.file).string());
  };
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (!failed) beside(program);
  // A Python module has the library in itself.
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&open_module), &self) != 0 && self.dli_fname != nullptr)
    beside(self.dli_fname);
  return places;
}

}  // namespace

void* open_module(const ModuleName& name, std::string& trouble) {
  trouble.clear();
  for (const std::string& place : module_places(name)) {
    std::error_code failed;
    if (!std::filesystem::exists(place, failed)) {
      if (trouble.empty()) trouble = fmt::format("there is no {}", place);
      continue;
    }
    void* const module = dlopen(place.c_str(), RTLD_NOW | (name.shares_symbols ? RTLD_GLOBAL : RTLD_LOCAL));
    if (module == nullptr) {
      const char* const why = dlerror();
      trouble = why == nullptr ? place : why;
      return nullptr;
    }
    void* const entry = dlsym(module, name.symbol);
    trouble = entry == nullptr ? fmt::format("{} is of another version of twofold", place) : "";
    return entry;
  }
  return nullptr;
}

}  // namespace twofold
