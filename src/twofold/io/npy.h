#pragma once

#include <string>
#include <string_view>

namespace twofold::io {

/// Whether a file begins as NumPy's .npy files do.
bool looks_like_npy(std::string_view content);

/// The strings of a NumPy array, one per line, in the order of the array (row by row): BREC's files hold graph6
/// so.
///
/// Takes arrays of bytes (`S`) or ASCII text (`U`) of any shape, versions 1 to 3 of the format, and of Python
/// objects that are bytes or texts (pickled_strings.h); nothing is ever executed, and other objects are refused
/// with words on how to save them as strings. Throws InputError `SOURCE: needed …, found …`. Memory: twice the
/// file; of Python objects some 60 bytes per string more.
std::string read_npy_lines(std::string_view content, const std::string& source);

}  // namespace twofold::io
