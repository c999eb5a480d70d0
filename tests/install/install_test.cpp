#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/transcript.h"

namespace twofold::testing {
namespace {

// One long test: what is installed is what the examples are built against, elsewhere, as a user would.
TEST(Install, GivesProgramsAndAPackageThatTheExamplesBuildAgainst) {
  const TemporaryFolder folder;
  const auto run = [&](const std::string& command) {
    const auto result = run_in_shell(command, folder.path());
    EXPECT_EQ(result.exit_code, 0) << "$ " << command << "\n" << result.out << result.err;
    return result.out;
  };
  run("cmake --install '" TWOFOLD_BINARY_DIR "' --prefix \"$PWD/prefix\"");
  EXPECT_NE(run("prefix/bin/twofold version").find("twofold "), std::string::npos);
  run("prefix/bin/twofold train TRIANGLE --epochs 1 --quiet");
#ifdef TWOFOLD_TORCH
  EXPECT_NE(run("prefix/bin/twofold-torch version --verbose").find("libtorch"), std::string::npos);
#endif
  // Without CMake: the flags of pkg-config.
  run("PKG_CONFIG_PATH=$(dirname $(find prefix -name twofold.pc)); export PKG_CONFIG_PATH;"
      "sed -i \"s|^prefix=.*|prefix=$PWD/prefix|\" $PKG_CONFIG_PATH/twofold.pc;"
      "g++ '" TWOFOLD_SOURCE_DIR "/examples/0_datasets.cpp' -o plain " +
      std::string(TWOFOLD_COMPILE_FLAGS) + " $(pkg-config --cflags --libs twofold) && ./plain");
  run("cmake -G Ninja -S '" TWOFOLD_SOURCE_DIR "/examples' -B examples -DCMAKE_PREFIX_PATH=\"$PWD/prefix\"" +
      std::string(TWOFOLD_EXAMPLE_FLAGS));
  run("cmake --build examples");
  const std::string said = run("examples/0_datasets");
  EXPECT_NE(said.find("node 0 has the neighbors 1 2 3"), std::string::npos) << said;
  EXPECT_NE(said.find("TRIANGLE has 228 graphs"), std::string::npos) << said;
  for (const std::string& file : files_below("examples", ".cpp")) {
    const std::string name = std::filesystem::path(file).stem().string();
#ifndef TWOFOLD_TORCH
    if (name == "3_convolve") continue;  // needs twofold::torch
#endif
    // Trained by the one behind it.
    if (name == "4_predict") continue;
    EXPECT_NE(run("examples/" + name), "") << name;
  }
  EXPECT_EQ(run("examples/4_predict triangle.model").substr(0, 6), "class ");
}

// The package that people install, in a root with no other package: what is in it is there, and works.
TEST(Package, InstallsProgramLibraryManPagesAndCompletionsIntoACleanRoot) {
  const TemporaryFolder folder;
  const auto run = [&](const std::string& command) {
    const auto result = run_in_shell(command, folder.path());
    EXPECT_EQ(result.exit_code, 0) << "$ " << command << "\n" << result.out << result.err;
    return result.out;
  };
  // Its dependencies are looked up but not there to be installed; packages/try.sh does that in a whole Debian.
  run("cpack --config '" TWOFOLD_BINARY_DIR
      "/CPackConfig.cmake' -B package -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip");
  const std::string fields = run("dpkg-deb --field package/*.deb Package Depends");
  EXPECT_NE(fields.find("Package: twofold"), std::string::npos) << fields;
  EXPECT_NE(fields.find("libarchive"), std::string::npos) << "needed the libraries it links, found " << fields;
  // RDKit is opened when it is needed: who has no molecules need not have it.
  EXPECT_EQ(fields.find("librdkit"), std::string::npos) << fields;
  // And MPI, for training on several ranks.
  EXPECT_EQ(fields.find("libopenmpi"), std::string::npos) << fields;
  const std::string recommends = run("dpkg-deb --field package/*.deb Recommends");
  EXPECT_EQ(recommends.find("librdkit1") != std::string::npos,
            run("dpkg-deb --contents package/*.deb").find("libtwofold_rdkit.so") != std::string::npos)
      << recommends;
  run("mkdir -p root/var/lib/dpkg/info root/var/lib/dpkg/updates && touch root/var/lib/dpkg/status");
  run("dpkg --root=\"$PWD/root\" --force-depends --force-not-root --force-bad-path --install package/*.deb");
  EXPECT_NE(run("root/usr/bin/twofold data info TRIANGLE").find("228"), std::string::npos);
  for (const char* file :
       {"root/usr/share/man/man1/twofold.1", "root/usr/share/man/man1/twofold-data-info.1",
        "root/usr/share/zsh/vendor-completions/_twofold",
        "root/usr/share/fish/vendor_completions.d/twofold.fish", "root/usr/include/twofold/graph/graph.h"})
    EXPECT_TRUE(std::filesystem::exists(folder.path() + "/" + file)) << file;
  EXPECT_EQ(run("find root -name twofold.pc -o -name twofoldConfig.cmake -o -name libtwofold_wl.a | wc -l"),
            "3\n");
  // No page has a line that roff does not know, and bash completes the words of a command.
  EXPECT_EQ(run("for page in root/usr/share/man/man1/*.1; do man --warnings -l $page 2>&1 > page.txt; done"),
            "");
  EXPECT_EQ(run("source root/usr/share/bash-completion/completions/twofold; COMP_WORDS=(twofold data gene); "
                "COMP_CWORD=2; _twofold; echo ${COMPREPLY[@]}"),
            "generate\n");
  run("zsh -n root/usr/share/zsh/vendor-completions/_twofold");
  EXPECT_EQ(run("fish -c 'source root/usr/share/fish/vendor_completions.d/twofold.fish; "
                "complete -C \"twofold data gene\" | cut -f 1'"),
            "generate\n");
}

}  // namespace
}  // namespace twofold::testing
