#pragma once

// Marks a function that libllama-common resolves to the addon's version instead of its own: the dynamic loader searches
// the addon, which was opened first, before the libraries that it depends on.
#define EXPORTED __attribute__((visibility("default")))
