#pragma once

namespace switchyard {

class Device;
class OpenDevice;
class OpenStream;
class Runtime;
struct AutocastState;

/// What the innermost scopes of a thread say: all that <switchyard/context.hpp> carries to another
/// thread, and every function of a tensor looks at. The scopes own what it points to.
struct ThreadContext {
  /// The stream that stands in the place of a device's own.
  const OpenDevice* stream_device = nullptr;
  OpenStream* stream = nullptr;
  /// Whether functions record what gradients need.
  bool grad_mode = true;
  /// Null where nothing is converted.
  AutocastState* autocast = nullptr;
  /// A device brings its runtime along, and a runtime says nothing of devices: a device of another
  /// runtime never meets it.
  const Runtime* runtime = nullptr;
  const Device* device = nullptr;
};
inline thread_local constinit ThreadContext thread_context;

}  // namespace switchyard
