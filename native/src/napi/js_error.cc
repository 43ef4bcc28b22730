#include "napi/js_error.h"

#include <cstring>
#include <utility>

#include "base/coded_error.h"

Napi::Value to_js_error(Napi::Env env, std::exception_ptr failure) {
  try {
    std::rethrow_exception(std::move(failure));
  } catch (const CodedError& error) {
    Napi::Error converted = std::strcmp(error.code(), "ERR_OUT_OF_RANGE") == 0
                                ? Napi::Error(Napi::RangeError::New(env, error.what()))
                                : Napi::Error::New(env, error.what());
    converted.Value().Set("code", error.code());
    return converted.Value();
  } catch (const std::exception& error) {
    Napi::Error converted = Napi::Error::New(env, error.what());
    converted.Value().Set("code", "ERR_NATIVE");
    return converted.Value();
  } catch (...) {
    return Napi::Error::New(env, "unknown native failure").Value();
  }
}
