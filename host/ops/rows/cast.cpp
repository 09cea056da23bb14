// Element types changed.
#include "ops/upgrades/cast.hpp"

#include <fmt/format.h>

#include "ops/rows/families.hpp"
#include "ops/shapes/elementwise/dtype_attribute.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"

namespace switchyard {

namespace {

void cast_type(Inference& inference) {
  const std::optional<DType> to = dtype_attribute(inference, "to");
  if (!to) inference.fail("\"to\" names no element type");
  inference.set_dtype(0, *to);
}

/// Text is cast on no device: a model that casts it is read, and its run refused.
Row cast_row() {
  return {.op = "Cast",
          .version = 25,
          .signature = "input:T1 -> output:T2",
          .attributes = "round_mode:text(up|down|nearest)=up saturate:flag=1 to:int!",
          .types = "T1=numbers|string T2=numbers|string",
          .revisions =
              {{1, "T1=numeric_ir3|bool T2=numeric_ir3|bool", "", "to:text!", type_name_to_number},
               {6, "T1=numeric_ir3|bool T2=numeric_ir3|bool", "", "to:int!"},
               {9, "T1=numeric_ir3|bool|string T2=numeric_ir3|bool|string", "", "to:int!"},
               {13, "T1=numeric|bool|string T2=numeric|bool|string", "", "to:int!"},
               {19, "T1=numeric|bool|float8|string T2=numeric|bool|float8|string", "",
                "saturate:flag=1 to:int!"},
               {21, "T1=numbers_ir10|string T2=numbers_ir10|string", "", "saturate:flag=1 to:int!"},
               {23, "T1=numbers_ir11|string T2=numbers_ir11|string", "", "saturate:flag=1 to:int!"},
               {24, "T1=numbers_ir12|string T2=numbers_ir12|string"}},
          .shape = shape_of_first_input,
          .type = cast_type,
          .example = "f2x3 to=10"};
}

Row cast_like_row() {
  return {
      .op = "CastLike",
      .version = 25,
      .signature = "input:T1 target_type:T2 -> output:T2",
      .attributes = "round_mode:text(up|down|nearest)=up saturate:flag=1",
      .types = "T1=numbers|string T2=numbers|string",
      .revisions = {{15, "T1=numeric|bool|string T2=numeric|bool|string", "", "-"},
                    {19, "T1=numeric|bool|float8|string T2=numeric|bool|float8|string", "",
                     "saturate:flag=1"},
                    {21, "T1=numbers_ir10|string T2=numbers_ir10|string", "", "saturate:flag=1"},
                    {23, "T1=numbers_ir11|string T2=numbers_ir11|string", "", "saturate:flag=1"},
                    {24, "T1=numbers_ir12|string T2=numbers_ir12|string"}},
      .shape = shape_of_first_input,
      .example = "f2x3 i1"};
}

void bit_cast_shape(Inference& inference) {
  const int from = bit_width(inference.dtype(0));
  const int to = bit_width(inference.output_dtype(0));
  if (from != to) {
    inference.fail(fmt::format("elements of {} bits cannot be read as {}, which has {}", from,
                               name_of(inference.output_dtype(0)), to));
  }
  shape_of_first_input(inference);
}

Row bit_cast_row() {
  return {.op = "BitCast",
          .version = 26,
          .signature = "input:T1 -> output:T2",
          .attributes = "to:int!",
          .types = "T1=all T2=all",
          .shape = bit_cast_shape,
          .type = cast_type,
          .example = "f2x3 to=6"};
}

}  // namespace

std::vector<Row> cast_rows() { return {cast_row(), cast_like_row(), bit_cast_row()}; }

}  // namespace switchyard
