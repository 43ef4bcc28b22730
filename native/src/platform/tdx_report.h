#pragma once

#include <array>
#include <cstdint>
#include <string>

using ReportData = std::array<uint8_t, 64>;
using TdReport = std::array<uint8_t, 1024>;

// Requests a report about this TD from the TDX module, through the kernel's device. Throws CodedError:
// ERR_TDX_DEVICE_MISSING, ERR_TDX_PERMISSION, ERR_TDX_FAILED.
TdReport read_td_report(const std::string& device_path, const ReportData& report_data);
