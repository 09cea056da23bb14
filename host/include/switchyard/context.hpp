/// What scopes say, carried from one thread to another.
#pragma once

#include <memory>

#include <switchyard/export.hpp>

namespace switchyard {

/// All that the scopes of a thread say, at one moment: the runtime (RuntimeScope), the device
/// (DeviceScope), the stream (StreamScope), whether gradients are recorded (GradMode, NoGrad) and
/// what is converted (Autocast). A task takes it along to the thread that goes on with it:
///
///   std::thread([context = Context::current()] {
///     const ContextScope scope(context);
///     ...  // functions do here what they do where current() was called
///   });
///
/// It keeps the runtime, the device and the stream. What no scope says stays what
/// set_default_runtime() and set_default_device() say when it is asked for. Cheap to copy; any
/// thread may use it, several at once, too.
class SWITCHYARD_API Context {
 public:
  /// That of a thread without scopes: gradients are recorded, nothing is converted.
  Context();
  // Moving copies, so that a context which was moved from is still one.
  Context(const Context&) = default;
  Context& operator=(const Context&) = default;
  /// That of this thread, now.
  [[nodiscard]] static Context current();

  struct State;

 private:
  friend class ContextScope;
  explicit Context(std::shared_ptr<const State> state);
  std::shared_ptr<const State> state_;
};

/// Puts a context in the place of this thread's own, until the scope ends: scopes outside of it do
/// not count inside, and scopes inside of it nest as ever. Weights that an Autocast of the context
/// converts are converted once in each such scope.
class SWITCHYARD_API ContextScope {
 public:
  /// The context counts from here to the end of the scope.
  [[nodiscard]] explicit ContextScope(const Context& context);
  ~ContextScope();
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;

  struct State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace switchyard
