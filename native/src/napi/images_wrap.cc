#include "napi/images_wrap.h"

#include <algorithm>
#include <cstring>

ChatImages read_images(const Napi::Array& array, bool counts) {
  ChatImages images;
  images.counts = counts;
  for (uint32_t index = 0; index < array.Length(); ++index) {
    const auto object = array.Get(index).As<Napi::Object>();
    const auto pixels = object.Get("pixels").As<Napi::Uint8Array>();
    const auto identity = object.Get("identity").As<Napi::Uint8Array>();
    RawImage& image = images.images.emplace_back();
    image.width = object.Get("width").As<Napi::Number>().Uint32Value();
    image.height = object.Get("height").As<Napi::Number>().Uint32Value();
    image.pixels.assign(pixels.Data(), pixels.Data() + pixels.ByteLength());
    std::memcpy(image.identity.data(), identity.Data(), std::min(identity.ByteLength(), sizeof image.identity));
  }
  return images;
}
