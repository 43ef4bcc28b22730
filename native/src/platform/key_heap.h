#pragma once

// The part of OpenSSL's memory where it keeps private keys: never written to a swap area, left out of core dumps,
// between two pages that nobody may touch, and zeroed piece by piece as it is freed.

// Makes it, once for the process and for good; keys that exist already stay where they are. Never throws.
void make_key_heap();

// Whether it was made and the kernel granted all of that.
bool is_key_heap_locked();
