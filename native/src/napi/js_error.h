#pragma once

#include <napi.h>

#include <exception>

// Converts a C++ exception to a JavaScript Error: `code` for a CodedError, RangeError for ERR_OUT_OF_RANGE.
Napi::Value to_js_error(Napi::Env env, std::exception_ptr failure);

// Runs `body` and rethrows its exceptions as JavaScript errors.
template <typename Body>
auto with_js_errors(Napi::Env env, Body body) -> decltype(body()) {
  try {
    return body();
  } catch (const Napi::Error&) {
    throw;
  } catch (...) {
    throw Napi::Error(env, to_js_error(env, std::current_exception()));
  }
}
