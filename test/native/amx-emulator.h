#pragma once

#include <cstdint>

// Runs the tile instructions of Intel AMX on a CPU that lacks them, for tests.

// What the instructions of all threads did.
struct AmxCounts {
  uint64_t configurations, zeroed, loads, loaded_bytes, products, multiplied, stores, stored_bytes;
};

// From now on, a tile instruction is emulated instead of ending the process. A use that a CPU would refuse (a register
// without a shape, shapes that do not fit each other) still ends it.
void install_amx_emulator();

AmxCounts amx_counts();
