#pragma once

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

namespace switchyard {

/// A function that is called when something has been computed. What it returns takes the place of
/// that, unless it is an empty tensor; one that returns nothing changes nothing. `Result` is
/// Tensor.
template <typename Result, typename... Arguments>
class Hook {
 public:
  Hook() = default;
  /// Any function of these arguments, which is kept; a null pointer to one is no hook.
  template <std::invocable<Arguments...> Function>
  requires(!std::same_as<std::remove_cvref_t<Function>, Hook>) Hook(Function function) {
    if constexpr (requires { function == nullptr; }) {
      if (function == nullptr) return;
    }
    if constexpr (std::is_void_v<std::invoke_result_t<Function&, Arguments...>>) {
      function_ = [own = std::move(function)](Arguments... arguments) mutable {
        own(std::forward<Arguments>(arguments)...);
        return Result();
      };
    } else {
      function_ = std::move(function);
    }
  }

  /// False for one that holds no function.
  explicit operator bool() const { return static_cast<bool>(function_); }
  /// Calls the function, which there must be; throws what it throws.
  Result operator()(Arguments... arguments) const {
    return function_(std::forward<Arguments>(arguments)...);
  }

 private:
  std::function<Result(Arguments...)> function_;
};

/// A hook that was registered, to be taken out again. Copies mean the same one. It stays registered
/// when the handle goes away.
class RemovableHandle {
 public:
  RemovableHandle() = default;
  /// For the library's own use.
  explicit RemovableHandle(std::function<void()> take_out) : take_out_(std::move(take_out)) {}

  /// The hook is not called again, not even in a backward pass or a call that is under way; any
  /// thread may say so. Nothing happens where it is out already, or what it was registered with is
  /// gone.
  void remove() const {
    if (take_out_) take_out_();
  }

 private:
  std::function<void()> take_out_;
};

}  // namespace switchyard
