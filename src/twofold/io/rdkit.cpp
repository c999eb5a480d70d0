#include "twofold/io/rdkit.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <mutex>

#include "twofold/base/error.h"
#include "twofold/base/parallel.h"

#ifndef TWOFOLD_INSTALLED_LIBRARIES
#define TWOFOLD_INSTALLED_LIBRARIES "lib"
#endif

namespace twofold::io {
namespace {

constexpr const char* kModule = "libtwofold_rdkit.so";

// Where the module may lie, the likeliest first.
std::vector<std::string> module_places() {
  if (const char* given = std::getenv("TWOFOLD_RDKIT"); given != nullptr && *given != '\0') return {given};
  std::vector<std::string> places;
  std::error_code failed;
  const auto beside = [&](const std::filesystem::path& file) {
    const auto folder = file.parent_path();
    places.push_back((folder / kModule).string());
    places.push_back((folder.parent_path() / kModule).string());  // of a build's tests
    places.push_back(
        (folder.parent_path() / TWOFOLD_INSTALLED_LIBRARIES / "twofold" / "modules" / kModule).string());
  };
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (!failed) beside(program);
  // A Python module has the library in itself.
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&rdkit), &self) != 0 && self.dli_fname != nullptr)
    beside(self.dli_fname);
  return places;
}

struct Opened {
  const TwofoldRdkit* table = nullptr;
  std::string trouble;
};

Opened open_module() {
  Opened opened;
  for (const std::string& place : module_places()) {
    std::error_code failed;
    if (!std::filesystem::exists(place, failed)) {
      if (opened.trouble.empty()) opened.trouble = fmt::format("there is no {}", place);
      continue;
    }
    void* const module = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (module == nullptr) {
      const char* const why = dlerror();
      opened.trouble = why == nullptr ? place : why;
      return opened;
    }
    const auto entry = reinterpret_cast<const TwofoldRdkit* (*)()>(dlsym(module, "twofold_rdkit"));
    if (entry == nullptr || entry()->interface_number != kTwofoldRdkitInterface) {
      opened.trouble = fmt::format("{} is of another version of twofold", place);
      return opened;
    }
    opened.table = entry();
    return opened;
  }
  return opened;
}

}  // namespace

const TwofoldRdkit& rdkit(const std::string& purpose) {
  static std::once_flag once;
  static Opened opened;
  std::call_once(once, [] { opened = open_module(); });
  if (opened.table == nullptr)
    throw Error(
        fmt::format("{} needs RDKit, and this twofold finds none: {}. Install librdkit-dev and build twofold "
                    "anew, or set TWOFOLD_RDKIT to the path of {}",
                    purpose, opened.trouble, kModule));
  return *opened.table;
}

std::vector<std::string> scaffolds(const std::vector<std::string>& smiles, int threads) {
  const TwofoldRdkit& module = rdkit("a split by scaffolds");
  std::vector<std::string> found(smiles.size());
  parallel_for(smiles.size(), threads, [&](std::size_t i) {
    char* const text = module.scaffold(smiles[i].c_str());
    if (text == nullptr)
      throw InputError(fmt::format("molecule {}: RDKit finds no scaffold of {}", i + 1, in_quotes(smiles[i])));
    found[i] = text;
    module.release_text(text);
  });
  return found;
}

}  // namespace twofold::io
