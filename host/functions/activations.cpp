#include <switchyard/functions.hpp>

#include "functions/call.hpp"
#include "functions/numbers.hpp"
#include "functions/require.hpp"

namespace switchyard {
namespace {

constinit const ContractOp kRelu("Relu"), kSigmoid("Sigmoid"), kSoftmax("Softmax"),
    kLogSoftmax("LogSoftmax");

Tensor along(const ContractOp& op, std::string_view name, const Tensor& x, std::int64_t dim) {
  require_floating(name, x);
  const std::int64_t axis = wrapped(name, dim, x.dim());
  if (x.dim() == 0) return squeeze(op({unsqueeze(x, 0)}, attributes({{"axis", axis}})));
  return op({x}, attributes({{"axis", axis}}));
}

}  // namespace

Tensor relu(const Tensor& x) { return kRelu(x); }
Tensor sigmoid(const Tensor& x) { return kSigmoid(as_floating(x)); }
Tensor softmax(const Tensor& x, std::int64_t dim) { return along(kSoftmax, "softmax", x, dim); }
Tensor log_softmax(const Tensor& x, std::int64_t dim) {
  return along(kLogSoftmax, "log_softmax", x, dim);
}

}  // namespace switchyard
