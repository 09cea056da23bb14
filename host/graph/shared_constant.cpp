#include "graph/shared_constant.hpp"

#include <mutex>
#include <tuple>
#include <vector>

#include "device/open_device.hpp"
#include "memory/weak_cache.hpp"
#include "tensor/engine.hpp"

namespace switchyard {
namespace {

using Place = std::tuple<const std::byte*, DType, std::vector<std::int64_t>>;

}  // namespace

SharedConstant::SharedConstant(const Literal& literal)
    : id_(next_constant_id()), value_(std::make_shared<HostValue>(literal)) {}

TensorRef SharedConstant::tensor() const { return make_host_tensor(value_, id_); }

void SharedConstant::add_user(const Router& router) {
  const std::scoped_lock lock(guard_);
  ++users_[&router];
}

bool SharedConstant::drop_user(const Router& router) {
  {
    const std::scoped_lock lock(guard_);
    const auto counted = users_.find(&router);  // none, if adding it has thrown
    if (counted == users_.end() || --counted->second > 0) return false;
    users_.erase(counted);
    if (users_.empty()) return true;  // the copies go with this
  }
  value_->release_copies_on([&](const OpenDevice& device) {
    const Engine* engine = device.engine();
    return engine && engine->router && &*engine->router == &router;
  });
  return true;
}

std::shared_ptr<SharedConstant> shared_constant(const Literal& literal) {
  static auto& constants = *new WeakCache<Place, SharedConstant>;
  const auto make = [&] { return std::make_shared<SharedConstant>(literal); };
  if (literal.dtype() == DType::string || literal.size_bytes() == 0) return make();
  const auto shape = literal.shape().span();
  return constants.find_or_make({literal.bytes(), literal.dtype(), {shape.begin(), shape.end()}},
                                make);
}

}  // namespace switchyard
