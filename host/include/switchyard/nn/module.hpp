#pragma once

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <switchyard/device.hpp>
#include <switchyard/dims.hpp>
#include <switchyard/export.hpp>
#include <switchyard/hook.hpp>
#include <switchyard/number.hpp>
#include <switchyard/state_dict.hpp>
#include <switchyard/tensor.hpp>
#include <switchyard/text.hpp>

namespace switchyard {
class OnnxLayer;
}

namespace switchyard::nn {

class Module;

/// What `{2, 3}` is where a module takes extents first, of any one type of integers; Dims alone
/// would leave open whether the module itself is meant.
template <Integer T>
using Extents = std::initializer_list<T>;

namespace detail {
template <Integer T>
Dims to_dims(Extents<T> extents) {
  Dims dims;
  for (const T extent : extents) dims.push_back(static_cast<std::int64_t>(extent));
  return dims;
}
}  // namespace detail

/// Tensors with their names, "fc1.weight", in an order of their own.
using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

/// A child of a module.
struct NamedModule {
  std::string name;                ///< without a dot; it stands before those of what is below
  std::shared_ptr<Module> module;  ///< never null
};

/// The names in which a file and a module differ.
struct IncompatibleKeys {
  std::vector<std::string> missing;     ///< of the module, not in the state
  std::vector<std::string> unexpected;  ///< in the state, not of the module
};

/// A layer, or a network of layers. One of your own:
///
///   struct Net : nn::Module {
///     nn::Linear fc1 = register_module("fc1", nn::Linear(784, 512));
///     nn::Linear fc2 = register_module("fc2", nn::Linear(512, 10));
///     Tensor scale = register_parameter("scale", ones({10}));
///
///     Tensor forward(const Tensor& x) override { return fc2(relu(fc1(x))) * scale; }
///   };
///
/// A module is a handle: a copy shares the parameters, buffers, children and training mode of what
/// it was copied from. What is registered is seen by parameters(), to(), state_dict() and so on;
/// names are those of PyTorch, "fc1.weight". Parameters and buffers stay the same tensors for as
/// long as the module lives: to(), load_state_dict() and optimizers change what they hold, so that
/// who took them before (an optimizer, a member like `scale`) sees the change. Hence a member that
/// holds a tensor is not to be assigned to: the module would not know. Write into it:
/// `scale.copy_(other)` under NoGrad.
///
/// A member that is a module may be replaced: `net.fc2 = nn::Linear(512, 100)` registers the new
/// one under the old name, in all copies of `net`. An optimizer keeps the parameters that it was
/// made with: make it afterwards. Other copies of the old `fc2` cannot be assigned to, as nobody
/// can tell what is to become of the registered one: that is an Error(invalid_argument).
///
/// A module may be used by one thread at a time, but for calls of a const one in eval mode.
class SWITCHYARD_API Module {
 public:
  virtual ~Module();

  /// What the module computes of one tensor. Throws Error(invalid_argument) for modules that take
  /// others.
  virtual Tensor forward(const Tensor& x);
  /// The same, with the hooks of the module around it.
  Tensor operator()(const Tensor& x);
  /// The same for networks that serve: in eval mode any number of threads may call a const module
  /// at once, as long as nobody changes it meanwhile (trains, moves or loads it, or adds hooks). So
  /// a forward() of one's own must not change its module in eval mode. In training mode this is an
  /// Error(invalid_argument): call eval() first.
  Tensor operator()(const Tensor& x) const;

  /// Hooks belong to a module and its copies, not to its children. They are called where it is
  /// called with one tensor, as `net(x)`: neither where forward() is, nor where a module takes
  /// other arguments. Those of one kind are called in the order in which they were registered, each
  /// with what the one before has left, by the thread that calls the module; what one throws, the
  /// call throws. All three throw Error(invalid_argument) for an empty function.
  ///
  /// Before forward(): what the hook returns is the input in place of the one given.
  RemovableHandle register_forward_pre_hook(
      Hook<Tensor, Module& /*module*/, const Tensor& /*input*/> hook);
  /// After forward(): what the hook returns is the output in place of the one made.
  RemovableHandle register_forward_hook(
      Hook<Tensor, Module& /*module*/, const Tensor& /*input*/, const Tensor& /*output*/> hook);
  /// When a backward pass has computed the gradients of the output and of the input of one call, in
  /// the thread that runs the pass: what the hook returns, of the shape, dtype and device of the
  /// input, is the gradient of the input in place of the one computed. Where the input requires no
  /// gradient that is an empty tensor, for which the hook must not return another. The module is
  /// called with gradients recorded, else there is no backward pass; its input and output are then
  /// tensors of their own, which share the elements of those given.
  RemovableHandle register_full_backward_hook(
      Hook<Tensor, const Tensor& /*grad_input*/, const Tensor& /*grad_output*/> hook);

  /// What is learned, in the order of registration, children after what a module has itself. A
  /// tensor that is registered twice comes once.
  [[nodiscard]] std::vector<Tensor> parameters() const;
  /// The same with their names.
  [[nodiscard]] NamedTensors named_parameters() const;
  /// What else belongs to the module: running means and so on.
  [[nodiscard]] std::vector<Tensor> buffers() const;
  /// The same with their names.
  [[nodiscard]] NamedTensors named_buffers() const;
  /// The modules directly below this one, in the order of registration.
  [[nodiscard]] const std::vector<NamedModule>& children() const;
  /// This module, as "", and all below it.
  std::vector<std::pair<std::string, Module*>> named_modules();
  /// What stands between the brackets of the module's text: "in_features=784, ..."; nothing unless
  /// a class says more of itself.
  virtual std::string extra_repr() const { return {}; }
  /// Appends to an ONNX graph what the module computes of one tensor in eval mode: for a class of
  /// one's own, which export_onnx cannot know; <switchyard/onnx_export.hpp> shows one. False,
  /// unless a class overrides it: the module cannot be exported.
  virtual bool write_onnx(OnnxLayer& /*layer*/) const { return false; }

  /// Calls `f` with all modules below this one, and then with this one.
  void apply(const std::function<void(Module&)>& f);

  /// Brings parameters, their gradients and buffers to a device, or converts those of
  /// floating-point types to another. Throws Error(invalid_argument) for a type that is none.
  /// @{
  void to(const Device& device);
  void to(DType dtype);
  void to(const Device& device, DType dtype);
  /// @}

  /// Whether to behave as in training (dropout, batch statistics), here and below; true at first.
  /// @{
  void train(Flag training = true);
  void eval() { train(false); }
  [[nodiscard]] bool is_training() const;
  /// @}

  /// Whether gradients of the parameters, here and below, are computed from now on.
  void requires_grad_(Flag requires_grad = true);
  /// Drops the gradients, or makes them zeros.
  void zero_grad(Flag set_to_none = true);

  /// Parameters and persistent buffers by name. They share the elements: clone() what must not
  /// change with the training.
  [[nodiscard]] StateDict state_dict() const;
  /// Copies the elements of `state` into the tensors of those names. Throws Error(invalid_argument)
  /// that lists all names that are missing, unexpected (unless `strict` is false) or of another
  /// shape; then nothing has changed.
  IncompatibleKeys load_state_dict(const StateDict& state, Flag strict = true);
  /// The same to and from a safetensors file, which PyTorch reads and writes as well. Throw
  /// Error(io) or Error(not_found) for a file that the system does not let read or write, and
  /// Error(model) for one that is damaged.
  /// @{
  void save(const std::filesystem::path& path) const;
  IncompatibleKeys load(const std::filesystem::path& path, Flag strict = true);
  /// @}

 protected:
  Module();
  Module(const Module& other);
  /// What derived classes copy member by member begins with this.
  Module& operator=(const Module& other);

  /// Notes a tensor as learned and gives it back, on the current device if it is a host value; a
  /// tensor that holds nothing is only given back. Throws Error(invalid_argument) for a name with a
  /// dot, or one that is taken.
  Tensor register_parameter(Text name, const Tensor& value, Flag requires_grad = true);
  /// Notes a tensor that is not learned; not part of state_dict() unless it is `persistent`.
  Tensor register_buffer(Text name, const Tensor& value, Flag persistent = true);
  /// What is registered as learned, here and not below, in that order.
  [[nodiscard]] NamedTensors own_parameters() const;
  /// Notes a module as a child and gives it back, for the member that is to hold it. The child that
  /// is noted is a copy: it shares the tensors, but has other members of its own.
  template <std::derived_from<Module> M>
  M register_module(Text name, const M& module) {
    const Registration registration(*this, name, std::make_shared<M>(module), assignment<M>(),
                                    module);
    return module;
  }
  /// The same for a member that holds the module already.
  template <std::derived_from<Module> M>
  requires(!std::is_const_v<M>) M register_module(Text name, M& module) {
    const Registration registration(*this, name, std::make_shared<M>(module), assignment<M>(),
                                    module);
    registration.take_in(module);
    return module;
  }

 private:
  struct Entry;
  struct State;
  struct Slot;
  struct NextCopy;
  struct Hooks;
  class BackwardCall;
  using Assignment = void (*)(Module& to, const Module& from);
  friend class ModuleDict;
  friend class ModuleList;

  /// A child that is being registered. While it lives, the next copy of `module` is the member that
  /// holds it.
  class SWITCHYARD_API Registration {
   public:
    Registration(Module& parent, std::string_view name, std::shared_ptr<Module> child,
                 Assignment assign, const Module& module);
    ~Registration();
    Registration(const Registration&) = delete;
    Registration& operator=(const Registration&) = delete;
    void take_in(Module& member) const;

   private:
    Module& parent_;
    std::shared_ptr<Slot> slot_;
  };

  /// How a module of that class is assigned to; null for a class that does not allow it.
  template <typename M>
  static constexpr Assignment assignment() {
    if constexpr (std::is_copy_assignable_v<M>) {
      return
          [](Module& to, const Module& from) { static_cast<M&>(to) = static_cast<const M&>(from); };
    } else {
      return nullptr;
    }
  }

  Hooks& hooks();
  void check_name(std::string_view name) const;
  bool holds_below(const State& state) const;
  void add_child(std::string_view name, std::shared_ptr<Module> child);
  static NextCopy& next_copy();
  void share(std::shared_ptr<State> state);
  std::vector<Module*> others_in_place() const;
  /// Calls `visit` with the name and the state of this module and all below it.
  template <typename Visit>
  void each(const std::string& prefix, const Visit& visit) const;
  [[nodiscard]] NamedTensors named(std::vector<Entry> State::*list) const;
  [[nodiscard]] NamedTensors persistent_tensors() const;

  std::shared_ptr<State> state_;
  std::shared_ptr<Slot> slot_;  // as a member, or a copy of one; none for other modules
};

/// The module and all below it, laid out and worded as PyTorch prints modules, with the words of
/// Python for what is true, false or none:
///
///   Sequential(
///     (0): Linear(in_features=784, out_features=512, bias=True)
///     (1): ReLU()
///   )
///
/// A class goes by its name without namespaces. Numbers that options hold as doubles have a point.
[[nodiscard]] SWITCHYARD_API std::string to_string(const Module& module);
/// Writes to_string(module).
SWITCHYARD_API std::ostream& operator<<(std::ostream& stream, const Module& module);

}  // namespace switchyard::nn
