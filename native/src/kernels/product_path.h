#pragma once

#include <string>

// The instructions that compute QuantisedMatmul's products with nine and more rows. The bits are the same on both
// paths.
struct ProductPath {
  bool uses_amx;
  std::string why_not;  // Empty if AMX is used or the CPU has none.
};

// This process's path: AMX where CPU and kernel offer it and a trial of some microseconds, at the first call, finds the
// same bits as on VNNI in less time.
const ProductPath& product_path();

// Whether CPU and kernel offer AMX to this process.
bool may_use_amx();

// The trial alone. Requires a process that may use AMX.
ProductPath try_amx();
