#pragma once

#include "cli/interrupts.h"

// For the files with main() alone: whoever includes this must call leave_on_interrupts(), or its process and
// all it starts stay deaf. Interrupts are held back before the constructors of all libraries run, which take
// most of a second in twofold-torch.

// A sanitizer must have the first word in a process, so nothing of ours may run before it.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TWOFOLD_HAS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define TWOFOLD_HAS_SANITIZER
#endif
#endif

#ifndef TWOFOLD_HAS_SANITIZER
namespace twofold::cli {
inline void hold_at_start(int, char**, char**) { hold_interrupts(); }
__attribute__((section(".preinit_array"), used)) static void (*const kAtStart)(int, char**,
                                                                               char**) = hold_at_start;
}  // namespace twofold::cli
#endif
