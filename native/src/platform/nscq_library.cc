#include "platform/nscq_library.h"

#include <cstring>
#include <functional>

#include "base/coded_error.h"
#include "platform/shared_library.h"

// Types, sizes, paths and numbers are those of the public nscq_attestation.h (version 2 of the interface).
namespace {

using NscqReturn = int8_t;
using NscqSession = void*;
using NscqCallback = void (*)();

constexpr NscqReturn kSuccess = 0;
constexpr uint32_t kMountDevices = 1;
constexpr size_t kSwitchesMax = 64;

struct SessionResult {
  NscqReturn result;
  NscqSession session;
};

struct Uuid {
  uint8_t bytes[16];
};

struct Label {
  char text[64];
};

struct Report {
  uint32_t size;
  uint8_t bytes[0x2000];
};

struct Certificate {
  uint8_t bytes[0x1400];
  uint32_t size;
};

void require(NscqReturn result, const char* what) {
  // Values above zero are warnings, which attestation treats as failures.
  if (result == kSuccess) return;
  throw CodedError("ERR_NSCQ_FAILED", std::string(what) + ": NSCQ error " + std::to_string(result));
}

class Session {
 public:
  explicit Session(const SharedLibrary& library) : library_(library) {
    const SessionResult made = library.function<SessionResult(uint32_t)>("nscq_session_create")(kMountDevices);
    require(made.result, "nscq_session_create");
    session_ = made.session;
  }
  ~Session() {
    if (const auto destroy = library_.find<void(NscqSession)>("nscq_session_destroy")) destroy(session_);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void set_input(const GpuNonce& nonce) const {
    GpuNonce copy = nonce;
    const auto set = library_.function<NscqReturn(NscqSession, uint32_t, void*, uint32_t)>("nscq_session_set_input");
    require(set(session_, 0, copy.data(), copy.size()), "nscq_session_set_input");
  }

  // A `Value` as the library passes it to its callback, once for each switch that matches the path.
  template <typename Value, typename Each>
  void observe(const std::string& path, Each each) const {
    Observation<Each> seen{each, kSuccess};
    const auto take = +[](const Uuid*, NscqReturn result, Value value, void* data) {
      auto& observation = *static_cast<Observation<Each>*>(data);
      if (result != kSuccess) {
        observation.result = result;
      } else {
        observation.each(value);
      }
    };
    const auto observe = library_.function<NscqReturn(NscqSession, const char*, NscqCallback, void*, uint32_t)>(
        "nscq_session_path_observe");
    require(observe(session_, path.c_str(), reinterpret_cast<NscqCallback>(take), &seen, 0), path.c_str());
    require(seen.result, path.c_str());
  }

  std::string label(const Uuid& uuid) const {
    Label label{};
    const auto name = library_.function<NscqReturn(const Uuid*, Label*, uint32_t)>("nscq_uuid_to_label");
    require(name(&uuid, &label, 0), "nscq_uuid_to_label");
    return {label.text, strnlen(label.text, sizeof label.text)};
  }

 private:
  // The library is written in C: no exception may pass through it.
  template <typename Each>
  struct Observation {
    Each each;
    NscqReturn result;
  };

  const SharedLibrary& library_;
  NscqSession session_ = nullptr;
};

std::vector<std::string> switch_labels(const Session& session) {
  std::vector<Uuid> uuids;
  uuids.reserve(kSwitchesMax);
  size_t count = 0;
  session.observe<const Uuid*>("/drv/nvswitch/{device}/uuid", [&](const Uuid* uuid) {
    count++;
    if (uuid != nullptr && uuids.size() < kSwitchesMax) uuids.push_back(*uuid);
  });
  if (count != uuids.size()) {
    throw CodedError("ERR_NSCQ_FAILED", "the driver reports " + std::to_string(count) + " switches");
  }
  std::vector<std::string> labels;
  labels.reserve(uuids.size());
  for (const Uuid& uuid : uuids) labels.push_back(session.label(uuid));
  return labels;
}

// The bytes that the library reports for the one switch of `path`.
template <typename Value>
std::vector<uint8_t> read_bytes(const Session& session, const std::string& path) {
  Value shown{};
  size_t count = 0;
  session.observe<Value>(path, [&](const Value& value) {
    count++;
    shown = value;
  });
  if (count != 1 || shown.size == 0 || shown.size > sizeof shown.bytes) {
    throw CodedError("ERR_NSCQ_FAILED", path + " gave " + std::to_string(count) + " answers, the last of " +
                                            std::to_string(shown.size) + " bytes");
  }
  return {shown.bytes, shown.bytes + shown.size};
}

}  // namespace

std::vector<SwitchEvidence> read_switch_evidence(const std::string& library_path, const GpuNonce& nonce) {
  const SharedLibrary library(library_path, "NVIDIA's library for switches", "ERR_NSCQ_MISSING", "ERR_NSCQ_FAILED");
  const Session session(library);
  std::vector<SwitchEvidence> evidence;
  for (const std::string& uuid : switch_labels(session)) {
    session.set_input(nonce);
    const std::string path = "/" + uuid + "/config/";
    evidence.push_back({uuid,
                        {read_bytes<Report>(session, path + "attestation_report"),
                         read_bytes<Certificate>(session, path + "certificate")}});
  }
  return evidence;
}
