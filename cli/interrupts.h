#pragma once

#include <string>

namespace twofold::cli {

// What INT and TERM do from the first moment of a process on. They are held back until there is someone to
// answer them: while libraries are loaded, and while twofold turns into twofold-torch.

/// From now on an interrupt removes unfinished files, says the last words and ends the process with 130; also
/// one that was held back.
void leave_on_interrupts();

/// Holds interrupts back, also in the program that takes this process over (exec).
void hold_interrupts();
/// The reverse, where nothing took over.
void release_interrupts();

/// What an interrupted process says last, from now on.
void say_when_interrupted(const std::string& text);

}  // namespace twofold::cli
