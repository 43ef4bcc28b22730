#include "platform/tdx_report.h"

#include <fcntl.h>
#include <sys/ioctl.h>

#include <cerrno>
#include <cstring>

#include "base/coded_error.h"
#include "base/file_descriptor.h"

namespace {

// The same as in Linux' include/uapi/linux/tdx-guest.h, which older distributions lack.
struct TdxReportRequest {
  uint8_t report_data[64];
  uint8_t td_report[1024];
};
constexpr unsigned long kGetReport0 = _IOWR('T', 1, TdxReportRequest);
static_assert(kGetReport0 == 0xC4405401);

// The TDX module may be busy with another report.
constexpr int kTriesMax = 16;

[[noreturn]] void fail(const char* doing, const std::string& path, int error) {
  const char* code = "ERR_TDX_FAILED";
  if (error == ENOENT || error == ENODEV || error == ENXIO) code = "ERR_TDX_DEVICE_MISSING";
  if (error == EACCES || error == EPERM) code = "ERR_TDX_PERMISSION";
  throw CodedError(code, std::string(doing) + " " + path + ": " + std::strerror(error));
}

}  // namespace

TdReport read_td_report(const std::string& device_path, const ReportData& report_data) {
  const FileDescriptor device(open(device_path.c_str(), O_RDWR | O_CLOEXEC));
  if (!device.is_open()) fail("could not open", device_path, errno);
  TdxReportRequest request{};
  std::memcpy(request.report_data, report_data.data(), report_data.size());
  for (int attempt = 1; ioctl(device.value(), kGetReport0, &request) != 0; ++attempt) {
    const int error = errno;
    if ((error != EINTR && error != EBUSY && error != EAGAIN) || attempt == kTriesMax) {
      fail("could not get a TDREPORT from", device_path, error);
    }
  }
  TdReport report;
  std::memcpy(report.data(), request.td_report, report.size());
  return report;
}
