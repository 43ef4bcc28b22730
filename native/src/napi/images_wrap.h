#pragma once

#include <napi.h>

#include "chat/image_places.h"

// Copies the pixels: JavaScript may change or free its buffers while a thread reads them.
ChatImages read_images(const Napi::Array& array, bool counts);
