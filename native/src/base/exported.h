#pragma once

// A function that libllama-common finds here before it finds its own, because the dynamic loader searches the addon,
// which was opened, before the libraries that it needs.
#define EXPORTED __attribute__((visibility("default")))
