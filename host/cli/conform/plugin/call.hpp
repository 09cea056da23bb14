// One call of a plugin's function, held to what plugin.h says of every call.
#pragma once

#include <switchyard/plugin.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace switchyard::cli::conform {

/// How the calls of this process are made.
struct CallForm {
  bool grows = false;          // structs have a tail that no plugin knows, and unknown extensions
  bool lacks_error = false;    // `error` is null
  void (*before)() = nullptr;  // is called right before the plugin's function
  void (*after)() = nullptr;   // and right after it, if it throws as well
};
CallForm& call_form();

/// What a call came to.
struct Answer {
  sy_status status = SY_OK;
  sy_reason reason = SY_REASON_NONE;
  std::string message;

  bool ok() const { return status == SY_OK; }
  std::string text() const;  // "SY_INVALID: its message"
};

/// Fails the case unless the call succeeded.
void require_ok(const Answer& answer, std::string_view slot);

/// Extensions of kinds that nobody has given out.
const sy_extension* unknown_extensions();

namespace detail {

/// What holds for every call, whatever it is.
class EveryCall {
 public:
  EveryCall(std::string_view slot, void* args, std::size_t size_bytes);
  sy_error* error();
  /// Fails the case for whatever the call did that none may.
  Answer check(sy_status status);
  [[noreturn]] void report_thrown();  // the exception in flight

 private:
  struct GrownError {
    sy_error error;
    std::array<unsigned char, 32> tail;
  };

  std::string_view slot_;
  void* args_;
  std::size_t size_bytes_;
  std::string before_;
  std::uint64_t arithmetic_;
  GrownError error_;
};

/// As long as the plugin's function runs.
class BareCall {
 public:
  BareCall() {
    if (call_form().before != nullptr) call_form().before();
  }
  ~BareCall() {
    if (call_form().after != nullptr) call_form().after();
  }
  BareCall(const BareCall&) = delete;
  BareCall& operator=(const BareCall&) = delete;
};

[[noreturn]] void fail_for_tail(std::string_view slot);

/// A struct with a tail that the plugin does not know.
template <typename Args>
struct Grown {
  Args args;
  std::array<unsigned char, 64> tail;
};

}  // namespace detail

/// Calls `function`, named `slot`. Fails the case if it throws, returns what is no status, leaves
/// the thread's arithmetic in another mode, or writes where it may not.
template <typename Args>
Answer call(std::string_view slot, sy_status (*function)(Args*, sy_error*), Args& args) {
  if (!call_form().grows) {
    detail::EveryCall every(slot, &args, sizeof(args));
    sy_status status = SY_OK;
    try {
      const detail::BareCall bare;
      status = function(&args, every.error());
    } catch (...) {
      every.report_thrown();
    }
    return every.check(status);
  }
  detail::Grown<Args> grown{args, {}};
  grown.tail.fill(0xff);
  grown.args.struct_size = sizeof(grown);
  if constexpr (requires { args.extensions; }) {
    if (args.extensions == nullptr) grown.args.extensions = unknown_extensions();
  }
  detail::EveryCall every(slot, &grown, sizeof(grown));
  sy_status status = SY_OK;
  try {
    const detail::BareCall bare;
    status = function(&grown.args, every.error());
  } catch (...) {
    every.report_thrown();
  }
  Answer answer = every.check(status);
  for (const unsigned char byte : grown.tail) {
    if (byte != 0xff) detail::fail_for_tail(slot);
  }
  const auto size = args.struct_size;
  args = grown.args;
  args.struct_size = size;
  if constexpr (requires { args.extensions; }) {
    if (args.extensions == unknown_extensions()) args.extensions = nullptr;
  }
  return answer;
}

/// The same of a call that must succeed.
template <typename Args>
void call_ok(std::string_view slot, sy_status (*function)(Args*, sy_error*), Args& args) {
  require_ok(call(slot, function, args), slot);
}

/// An args struct, or another, as its maker sets it up.
template <typename Struct>
Struct sized() {
  Struct made{};
  made.struct_size = sizeof(made);
  return made;
}

}  // namespace switchyard::cli::conform
