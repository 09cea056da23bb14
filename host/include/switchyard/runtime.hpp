#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <switchyard/device.hpp>
#include <switchyard/error.hpp>
#include <switchyard/export.hpp>
#include <switchyard/operation.hpp>
#include <switchyard/text.hpp>

namespace switchyard {

struct Engine;

/// A device as its plugin's probe lists it, opened or not.
struct DeviceInfo {
  std::string id;                  ///< "plugin:0"
  std::string description;         ///< the processor, for people
  bool built = false;              ///< the plugin was compiled with what the device needs
  bool available = false;          ///< it can be opened here and now
  std::string reason;              ///< why not, and how to fix it; "" if available
  std::uint64_t memory_bytes = 0;  ///< 0: not known
  std::string architecture;        ///< that kernels are compiled for, "sm_90"; "" if not known
  std::string uuid;                ///< of the processor, in every process; "" if not known
  std::string pci_address;         ///< "0000:3b:00.0"; "" if it has none
};

/// A plugin that the configuration names.
struct PluginInfo {
  std::string name;                 ///< as the configuration names it
  std::string library;              ///< the file that was opened, or the configured name
  std::string version;              ///< its own, "" if it is not loaded
  std::string abi;                  ///< the negotiated version, "0.2"
  bool loaded = false;              ///< the library was opened, and takes part
  bool required = false;            ///< a runtime does not start without it
  bool built = false;               ///< compiled with what one of its devices needs
  bool available = false;           ///< one of its devices can be used
  std::string reason;               ///< why it was not loaded or is not available
  std::vector<DeviceInfo> devices;  ///< as its probe lists them
};

/// A kind of fallback that happened: after a refusal an op ran on another device than the one asked
/// for, or by the kernel on the host that the program has registered.
struct FallbackInfo {
  std::string op, from, to, code, reason;  ///< the op, both devices ("host" of such a kernel), why
  std::uint64_t count = 0;                 ///< how often it happened
  std::uint64_t bytes_copied = 0;          ///< from one device to the other
  double time_ms = 0;                      ///< of the calls that fell back
};

/// Told of one call that fell back: `count` is 1, and bytes and time are its own.
using FallbackHook = std::function<void(const FallbackInfo&)>;

/// The plugins, devices and routing rules of one configuration. Copies share them. Tensors, models,
/// operations and devices keep what they need alive, whatever goes first: functions may be called
/// on a tensor after the last Runtime has gone. Any thread may use it. In a child of fork() a
/// device has no threads any more: what one that needs them was asked for is
/// Error(device_unavailable), and the others compute on the calling thread. Children that shall use
/// all processors call exec.
class SWITCHYARD_API Runtime {
 public:
  /// The configuration that SWITCHYARD_CONFIG names, else the installed default. Throws
  /// Error(config) for a bad configuration and Error(plugin) if a required plugin does not load.
  Runtime();
  // Moving copies, so that a runtime which was moved from is still one.
  Runtime(const Runtime&) = default;
  Runtime& operator=(const Runtime&) = default;
  /// The configuration of a TOML file, or of TOML text. Throw as above; a file that cannot be read
  /// is Error(config), too.
  /// @{
  [[nodiscard]] static Runtime from_file(const std::filesystem::path& file);
  [[nodiscard]] static Runtime from_text(Text toml);
  /// @}

  /// Goes over to the configuration as its file says now, or to that of another file or text, while
  /// other threads go on: what is called from then on is routed by it, and what is under way ends
  /// as it began. A configuration that is wrong changes nothing. Tensors, models and handles of
  /// devices stay what they are. A plugin whose section stays the same keeps its devices; one whose
  /// section is another is loaded again, and its devices are new ones of the same name: the old
  /// ones serve who holds them, and close with the runtime. What is not configured any more is not
  /// given out. Quantized chains of a model stay joined as the devices of the order had them when
  /// it was loaded: load it again where none of the new order has such ops.
  ///
  /// Throw as the constructors do, and Error(config) for a setting that only a start takes up:
  /// limits.*, precision.*, and of [host] all but log_level; reload() also where the configuration
  /// was a text.
  /// @{
  void reload() const;
  void reload_from_file(const std::filesystem::path& file) const;
  void reload_from_text(Text toml) const;
  /// @}

  /// All that the configuration names, loaded or not.
  [[nodiscard]] std::vector<PluginInfo> plugins() const;

  /// Whether the plugin of "plugin" or "plugin:1" was compiled with what the device needs, and
  /// whether it can be used here and now. False for a name that is not configured.
  /// @{
  [[nodiscard]] bool is_built(Text device) const;
  [[nodiscard]] bool is_available(Text device) const;
  /// @}
  /// Opens a device by name, "plugin" or "plugin:1"; "host" is Device::host(). Throws
  /// Error(device_unavailable) with the reason if it is not.
  [[nodiscard]] Device device(Text name) const;
  /// The device that the order asks first, of those that are available.
  [[nodiscard]] Device default_device() const;

  /// An op of ONNX, in its newest form, or of another domain. With `placement` the op asks for that
  /// device first, and its results are copied back to it. Throw Error(not_found) if there is no
  /// such op, and Error(invalid_argument) for an attribute that it does not have, and for a
  /// device of another runtime.
  /// @{
  [[nodiscard]] Operation operation(Text op, AttributeArguments attributes = {},
                                    Text domain = "") const;
  [[nodiscard]] Operation operation_on(const Device& placement, Text op,
                                       AttributeArguments attributes = {}, Text domain = "") const;
  /// @}

  /// What fell back since the start or the last reset.
  [[nodiscard]] std::vector<FallbackInfo> fallbacks() const;
  /// Counts from 0 again, for all threads.
  void reset_fallbacks() const;
  /// Calls `hook` at each fallback from now on, on the thread that called the op, when the op has
  /// run or is enqueued; an empty one is none. Several threads may be in it at once. What it throws
  /// ends the call, whose results are lost then. Fallbacks of ops that it calls are counted, and
  /// not told. It costs a call that falls back a few strings, and others nothing.
  void set_fallback_hook(FallbackHook hook) const;

  /// For the library's own use.
  explicit Runtime(std::shared_ptr<Engine> engine) : engine_(std::move(engine)) {}
  /// For the library's own use.
  const std::shared_ptr<Engine>& engine() const { return engine_; }

 private:
  std::shared_ptr<Engine> engine_;
};

/// This library's version, "0.1.0".
[[nodiscard]] SWITCHYARD_API std::string_view version();

}  // namespace switchyard
