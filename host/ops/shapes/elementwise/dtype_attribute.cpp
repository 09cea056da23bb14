#include "ops/shapes/elementwise/dtype_attribute.hpp"

#include <fmt/format.h>

namespace switchyard {

std::optional<DType> dtype_attribute(const Inference& inference, std::string_view name) {
  const std::int64_t number = inference.attributes().get_int(name, 0);
  if (number == 0) return std::nullopt;
  const auto dtype = static_cast<DType>(number);
  if (number > 0 && number <= static_cast<std::int64_t>(kLastDType)) return dtype;
  inference.fail(fmt::format("\"{}\" is {}, which is not an element type's number", name, number));
}

std::optional<DType> computing_type_attribute(const Inference& inference, std::string_view name) {
  const std::optional<DType> dtype = dtype_attribute(inference, name);
  if (!dtype) return dtype;
  for (const DType known : {DType::float16, DType::bfloat16, DType::float32, DType::float64}) {
    if (*dtype == known) return dtype;
  }
  inference.fail(fmt::format("\"{}\" is {}; it must be float16, bfloat16, float32 or float64", name,
                             name_of(*dtype)));
}

}  // namespace switchyard
