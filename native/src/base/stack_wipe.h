#pragma once

// Zeroes the unused stack of the calling thread, below its current frame: earlier calls left their variables there.
void wipe_unused_stack();
