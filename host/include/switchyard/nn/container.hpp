#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <switchyard/nn/module.hpp>
#include <switchyard/number.hpp>
#include <switchyard/text.hpp>

namespace switchyard::nn {

namespace detail {
/// Holds the name of M, for messages; programs may be compiled without type information.
template <typename M>
constexpr std::string_view signature() {
  return __PRETTY_FUNCTION__;
}
}  // namespace detail

/// Modules by number, named "0", "1", ...; they are called by who holds the list.
///
///   nn::ModuleList layers;
///   for (int i = 0; i < 6; ++i) layers.append(nn::Linear(64, 64));
class SWITCHYARD_API ModuleList : public Module {
 public:
  /// An empty list, or one of copies of these modules, in their order.
  ModuleList() = default;
  /// A list of copies of these modules, in their order, which share their parameters.
  template <std::derived_from<Module>... M>
  requires(sizeof...(M) != 1 ||
           (!std::same_as<M, ModuleList> && ...)) explicit ModuleList(const M&... modules) {
    (append(modules), ...);
  }

  /// Adds a copy of the module, which shares its parameters, under the next number. Throws
  /// Error(invalid_argument) for a module that holds this list.
  template <std::derived_from<Module> M>
  requires std::copy_constructible<M>
  void append(const M& module) { append(std::to_string(size()), module); }
  /// The same with a name of one's own. Throws Error(invalid_argument) for a name that is empty,
  /// taken, or has a dot, and for a module that holds this list.
  template <std::derived_from<Module> M>
  requires std::copy_constructible<M>
  void append(Text name, const M& module) {
    auto own = std::make_shared<M>(module);
    static_cast<Module&>(*own).slot_ = nullptr;  // the list holds it, not a member
    append(name, std::shared_ptr<Module>(std::move(own)));
  }
  /// A module of any class, itself: one of another's children(), say. Throws
  /// Error(invalid_argument) for none, and for a name as above.
  /// @{
  void append(std::shared_ptr<Module> module) { append(std::to_string(size()), std::move(module)); }
  void append(Text name, std::shared_ptr<Module> module);
  /// @}

  /// How many there are.
  [[nodiscard]] std::size_t size() const { return children().size(); }
  /// By number, from the end with -1. Throws Error(invalid_argument) where there is none.
  Module& operator[](Int index) const;
  /// The same as what it is: `net.at<nn::Linear>(0).weight`. Throws Error(invalid_argument) if it
  /// is another.
  template <std::derived_from<Module> M>
  M& at(Int index) const {
    M* module = dynamic_cast<M*>(&(*this)[index]);
    if (!module) refuse(index, detail::signature<M>());
    return *module;
  }

 private:
  [[noreturn]] void refuse(Int index, std::string_view wanted) const;
};

/// Modules by names of one's own, in the order in which they came; called by who holds them.
///
///   nn::ModuleDict choices;
///   choices.insert("conv", nn::Conv2d(10, 10, 3));
///   choices.insert("pool", nn::MaxPool2d(3));
///   Tensor y = choices["pool"](x);
class SWITCHYARD_API ModuleDict : public Module {
 public:
  /// Adds a copy of the module, which shares its parameters. Throws Error(invalid_argument) for a
  /// name that is empty, taken, or has a dot, and for a module that holds this one.
  template <std::derived_from<Module> M>
  requires std::copy_constructible<M>
  void insert(Text name, const M& module) {
    auto own = std::make_shared<M>(module);
    static_cast<Module&>(*own).slot_ = nullptr;  // the list holds it, not a member
    insert(name, std::shared_ptr<Module>(std::move(own)));
  }
  /// A module of any class, itself. Throws Error(invalid_argument) for none, too.
  void insert(Text name, std::shared_ptr<Module> module);

  /// How many there are, whether one has that name, and all names in the order in which they came.
  /// @{
  [[nodiscard]] std::size_t size() const { return children().size(); }
  [[nodiscard]] bool contains(Text name) const { return find(name) != nullptr; }
  [[nodiscard]] std::vector<std::string> keys() const;
  /// @}
  /// Throws Error(invalid_argument) that lists the names that there are.
  Module& operator[](Text name) const;
  /// The same as what it is: `choices.at<nn::Conv2d>("conv").weight`. Throws
  /// Error(invalid_argument) if it is another.
  template <std::derived_from<Module> M>
  M& at(Text name) const {
    M* module = dynamic_cast<M*>(&(*this)[name]);
    if (!module) refuse(name, detail::signature<M>());
    return *module;
  }

 private:
  [[nodiscard]] Module* find(std::string_view name) const;
  [[noreturn]] void refuse(std::string_view name, std::string_view wanted) const;
};

/// Modules one after the other: what one gives, the next one takes. Without modules it gives its
/// input.
class SWITCHYARD_API Sequential : public ModuleList {
 public:
  Sequential() = default;
  /// Copies of these modules, in their order, which share their parameters.
  template <std::derived_from<Module>... M>
  requires(sizeof...(M) != 1 ||
           (!std::same_as<M, Sequential> && ...)) explicit Sequential(const M&... modules) {
    (append(modules), ...);
  }

  Tensor forward(const Tensor& x) override;
};

}  // namespace switchyard::nn
