// Element types changed.
#include "ops/upgrades/cast.hpp"
#include "ops/rows/families.hpp"
#include "ops/shapes/dtype_attribute.hpp"
#include "ops/shapes/elementwise.hpp"

namespace switchyard {

namespace {

void cast_type(Inference& inference) {
  const std::optional<DType> to = dtype_attribute(inference, "to");
  if (!to) inference.fail("\"to\" names no element type");
  inference.set_dtype(0, *to);
}

/// Text is cast on no device, so the contract leaves it out.
Row cast_row() {
  return {.op = "Cast",
          .version = 21,
          .signature = "input:T1 -> output:T2",
          .attributes = "saturate:int=1 to:int!",
          .types = "T1=numeric|bool|float8|int4s T2=numeric|bool|float8|int4s",
          .onnx_types = "T1=numeric|bool|float8|int4s|string T2=numeric|bool|float8|int4s|string",
          .revisions = {{1, "T1=numeric_ir3|bool T2=numeric_ir3|bool", "", "to:text!",
                         type_name_to_number},
                        {6, "T1=numeric_ir3|bool T2=numeric_ir3|bool", "", "to:int!"},
                        {9, "T1=numeric_ir3|bool|string T2=numeric_ir3|bool|string", "", "to:int!"},
                        {13, "T1=numeric|bool|string T2=numeric|bool|string", "", "to:int!"},
                        {19, "T1=numeric|bool|float8|string T2=numeric|bool|float8|string"}},
          .shape = shape_of_first_input,
          .type = cast_type};
}

Row cast_like_row() {
  return {.op = "CastLike",
          .version = 21,
          .signature = "input:T1 target_type:T2 -> output:T2",
          .attributes = "saturate:int=1",
          .types = "T1=numeric|bool|float8|int4s T2=numeric|bool|float8|int4s",
          .onnx_types = "T1=numeric|bool|float8|int4s|string T2=numeric|bool|float8|int4s|string",
          .revisions = {{15, "T1=numeric|bool|string T2=numeric|bool|string", "", "-"},
                        {19, "T1=numeric|bool|float8|string T2=numeric|bool|float8|string"}},
          .shape = shape_of_first_input};
}

}  // namespace

std::vector<Row> cast_rows() { return {cast_row(), cast_like_row()}; }

}  // namespace switchyard
