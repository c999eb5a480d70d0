#include "twofold/io/rdkit.h"

#include <mutex>

#include "twofold/base/error.h"
#include "twofold/base/module.h"
#include "twofold/base/parallel.h"

namespace twofold::io {
namespace {

constexpr ModuleName kModule = {"libtwofold_rdkit.so", "twofold_rdkit", "TWOFOLD_RDKIT"};

struct Opened {
  const TwofoldRdkit* table = nullptr;
  std::string trouble;
};

Opened open_rdkit() {
  Opened opened;
  const auto entry = reinterpret_cast<const TwofoldRdkit* (*)()>(open_module(kModule, opened.trouble));
  if (entry == nullptr) return opened;
  if (entry()->interface_number == kTwofoldRdkitInterface)
    opened.table = entry();
  else
    opened.trouble = fmt::format("{} is of another version of twofold", kModule.file);
  return opened;
}

}  // namespace

const TwofoldRdkit& rdkit(const std::string& purpose) {
  static std::once_flag once;
  static Opened opened;
  std::call_once(once, [] { opened = open_rdkit(); });
  if (opened.table == nullptr)
    throw Error(
        fmt::format("{} needs RDKit, and this twofold finds none: {}. Install librdkit-dev and build twofold "
                    "anew, or set TWOFOLD_RDKIT to the path of {}",
                    purpose, opened.trouble, kModule.file));
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
