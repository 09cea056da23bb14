/// @file
/// The one exception type of the host.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include <switchyard/export.hpp>

namespace switchyard {

/// What went wrong, by what a caller can do about it.
enum class ErrorKind {
  invalid_argument,  ///< a call or command line that makes no sense: a wrong dtype, value or state
  shape_mismatch,    ///< shapes that do not fit each other, or the function
  not_found,         ///< a file, an entry or a name that does not exist
  io,                ///< a file that the system does not let read or write
  config,            ///< the configuration: its syntax, a key, a value, the file itself
  model,             ///< what a file of a model or of data holds: truncated, invalid, an unknown op
  plugin,            ///< a plugin that is missing, broken, of another ABI, or that misbehaves
  out_of_memory,     ///< host or device memory, after everything that could be released was
  unsupported,       ///< no device in the order does it, or a fallback was denied
  device_unavailable,  ///< a device that is not configured, is not there, or was taken out of use
  device_lost,         ///< a device failed, and what it held is gone: make tensors and streams anew
  transient,           ///< a device failed for now: the same call may succeed
  cancelled,           ///< ended by its caller, through a CancellationToken
  deadline,            ///< ended because its caller's deadline passed
  peer_lost,  ///< another rank of a communicator is gone, was aborted or came too late: make anew
  internal,   ///< a bug of the host
};

/// "invalid_argument", "shape_mismatch", ...: the enumerator's own name.
[[nodiscard]] SWITCHYARD_API std::string_view name_of(ErrorKind kind);

/// Every function of the host reports failure by throwing this and nothing else of its own. Data
/// sets, samplers and functions of users may throw it, too. Copies share what they say and do not
/// throw; what one copy is told later, others do not say.
class SWITCHYARD_API Error : public std::exception {
 public:
  /// `line` says what is wrong, where, and how to fix it. Names in it may come out of any file: it
  /// is kept without control characters, as one line of at most 4 KiB. A line that begins with
  /// "[name] " is from the function of that name.
  Error(ErrorKind kind, const std::string& line);
  Error(const Error&) noexcept;
  Error& operator=(const Error&) noexcept;
  ~Error() override;

  /// The line, without a newline at its end.
  [[nodiscard]] const char* what() const noexcept override;
  /// What went wrong, by what can be done about it.
  [[nodiscard]] ErrorKind kind() const noexcept;
  /// True if the same call, unchanged, may succeed later: of transient failures alone. Out of
  /// memory may pass, but only after the program gives some back.
  [[nodiscard]] bool is_retryable() const noexcept;

  /// The public function that the program called, as "masked_fill"; of an op that a program calls
  /// by its name, that name; "" outside of functions of tensors.
  [[nodiscard]] std::string_view function() const noexcept;
  /// The op at which it failed, as "Where"; "" where no op was run.
  [[nodiscard]] std::string_view op() const noexcept;
  /// The device that failed or refused, as "NAME:0"; "" if none did, or several.
  [[nodiscard]] std::string_view device() const noexcept;
  /// The plugin's code for why, as "DTYPE"; "" if it gave none. The codes are those that a trail of
  /// `Model::explain` shows.
  [[nodiscard]] std::string_view plugin_code() const noexcept;

  /// The same in other words, as with more of where it was.
  Error& set_line(const std::string& line);
  /// Each sets one of the above, in this copy, and gives it back. A function's name also stands in
  /// front of the line, in the place of an op's: "[Where] shapes ..." becomes "[masked_fill] shapes
  /// ...".
  /// @{
  Error& set_kind(ErrorKind kind);
  Error& set_function(std::string_view name);
  Error& set_op(std::string_view name);
  Error& set_device(std::string_view name);
  Error& set_plugin_code(std::string_view code);
  /// @}

 private:
  struct Details;
  Details& own_details();
  std::shared_ptr<const Details> details_;
};

}  // namespace switchyard
