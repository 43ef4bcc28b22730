#pragma once

// Zeroes the unused stack of the calling thread below its current frame, where earlier calls left their variables.
void wipe_unused_stack();
