#include "kernels/panel_products.h"

#include <algorithm>

#include "kernels/avx512.h"

namespace {

bool has_avx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c") && __builtin_cpu_supports("fma");
}

}  // namespace

const PanelProducts& panel_products() {
  static const PanelProducts& products = has_avx512_vnni() ? avx512::kPanelProducts : avx2::kPanelProducts;
  return products;
}

bool panel_products_are_supported() { return has_avx512_vnni() || has_avx2(); }

const PanelFormat* PanelFormat::of(ggml_type type) {
  const PanelProducts& products = panel_products();
  const PanelFormat* found = std::find_if(products.formats, products.formats_end,
                                          [&](const PanelFormat& format) { return format.type == type; });
  return found == products.formats_end ? nullptr : found;
}
