#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "ops/literal.hpp"
#include "tensor/tensor_impl.hpp"
#include "trace/quiet_mutex.hpp"

namespace switchyard {

class Router;

/// A constant of one plan or several, of one runtime or several: devices hold its elements once,
/// and what they make of them once, as it has one number.
class SharedConstant {
 public:
  explicit SharedConstant(const Literal& literal);

  std::uint64_t id() const { return id_; }
  /// The constant as a tensor of the host.
  TensorRef tensor() const;

  /// A plan of this router's has it.
  void add_user(const Router& router);
  /// A plan of this router's has it no more. True if that was the router's last: then the copies on
  /// its devices are gone, but for those that others use.
  bool drop_user(const Router& router);

 private:
  const std::uint64_t id_;
  const std::shared_ptr<HostValue> value_;
  trace::QuietMutex guard_;
  std::map<const Router*, std::size_t> users_;
};

/// The constant of these elements. Literals whose elements lie at one place, as those of one model
/// file that is loaded twice, are one constant.
std::shared_ptr<SharedConstant> shared_constant(const Literal& literal);

}  // namespace switchyard
