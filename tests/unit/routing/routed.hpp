// Calls put to a router directly, to see the route rather than the result.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "device/status.hpp"
#include "routing/router.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {

// Of inputs, where any shape does.
inline const Dims kShape{2, 3};

// One call of an op, told by its inputs' descriptors.
class Call {
 public:
  explicit Call(std::string_view op, Attributes attributes = {},
                Purpose purpose = Purpose::ordinary, OpenDevice* placement = nullptr)
      : site_(make_site(*find_op("", op), std::move(attributes), purpose, placement)) {}
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  Call& input(const Dims& shape, DType dtype = DType::float32) {
    return strided(shape, contiguous_strides(shape), dtype);
  }
  Call& strided(const Dims& shape, const Dims& strides, DType dtype = DType::float32) {
    TensorDescriptor descriptor;
    descriptor.dtype = dtype;
    descriptor.shape = shape;
    descriptor.strides = strides;
    inputs_.push_back(descriptor);
    return *this;
  }
  // A host input's value.
  Call& value(const Integers& values) {
    literals_.push_back(Literal::int64s(values));
    input({static_cast<std::int64_t>(values.size())}, DType::int64);
    inputs_.back().literal = &literals_.back();
    return *this;
  }
  Call& constant(const Dims& shape, const Floats& values, std::uint64_t id) {
    literals_.push_back(Literal::of<float>(DType::float32, shape, values));
    input(shape);
    inputs_.back().constant_id = id;
    inputs_.back().literal = &literals_.back();
    return *this;
  }
  Call& excluding(const OpenDevice& device, Verdict verdict) {
    excluded_.push_back({&device, std::move(verdict)});
    return *this;
  }

  RouteRequest request() const { return {site_, inputs_, 1, 1, excluded_}; }
  std::shared_ptr<const Route> route(const Runtime& runtime) const {
    return runtime.engine()->router->route(request());
  }
  Trail explain(const Runtime& runtime) const {
    return runtime.engine()->router->explain(request());
  }

 private:
  CallSite site_;
  std::vector<TensorDescriptor> inputs_;
  std::deque<Literal> literals_;
  std::vector<Exclusion> excluded_;
};

// "good:0 refused OP; cpu:0 supported"
inline std::string text_of(const Trail& trail) {
  std::string text;
  for (const TrailStep& step : trail) {
    const char* kinds[] = {"unanswered", "supported", "refused", "depends"};
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", step.device, kinds[step.verdict.kind]);
    if (step.verdict.refused()) text += fmt::format(" {}", code_of(step.verdict.reason));
  }
  return text;
}

}  // namespace switchyard
