#pragma once

// The part of OpenSSL's memory that holds private keys: never swapped out, excluded from core dumps, surrounded by
// guard pages, and zeroed as it is freed.

// Creates the heap, once per process. Keys that already exist stay where they are. Never throws.
void make_key_heap();

// Whether the heap exists and the kernel granted all of its protection.
bool is_key_heap_locked();
