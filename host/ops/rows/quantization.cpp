// Between real numbers and small integers, and arithmetic on the latter.
#include "ops/shapes/elementwise/quantization.hpp"
#include "ops/rows/families.hpp"
#include "ops/shapes/matmul.hpp"

namespace switchyard {

namespace {

constexpr std::string_view kBytes = "T1=int8|uint8 T2=int8|uint8 T3=int8|uint8";
constexpr std::string_view kConvAttributes =
    "auto_pad:padding=NOTSET dilations:ints group:int=1 kernel_shape:ints pads:ints strides:ints";

/// Since version 23 the scale has a type of its own.
Row quantize_linear() {
  constexpr std::string_view kOneType = "x:T1 y_scale:T1 y_zero_point:T2? -> y:T2";
  constexpr std::string_view kOlder =
      "axis:int=1 block_size:int=0 output_dtype:int=0 saturate:flag=1";
  return {.op = "QuantizeLinear",
          .version = 25,
          .signature = "x:T1 y_scale:TS y_zero_point:T2? -> y:T2",
          .attributes =
              "axis:int=1 block_size:int=0 output_dtype:int=0 precision:int=0 saturate:flag=1",
          .types =
              "T1=float|int32 TS=float|int32|float8e8m0 "
              "T2=int8|uint8|int16|uint16|float8|int4s|float4e2m1|int2s",
          .onnx_types =
              "T1=float32|float16|bfloat16|int32 TS=float32|float16|bfloat16|int32|float8e8m0 "
              "T2=int8|uint8|int16|uint16|float8|int4s|float4e2m1|int2s",
          .revisions = {{10, "T1=float32|int32 T2=int8|uint8",
                         "x:T1 y_scale:float32 y_zero_point:T2? -> y:T2", "-"},
                        {13, "T1=float32|int32 T2=int8|uint8",
                         "x:T1 y_scale:float32 y_zero_point:T2? -> y:T2", "axis:int=1"},
                        {19, "T1=float32|float16|bfloat16|int32 T2=int8|uint8|float8", kOneType,
                         "axis:int=1 saturate:flag=1"},
                        {21,
                         "T1=float32|float16|bfloat16|int32 "
                         "T2=int8|uint8|int16|uint16|float8|int4s",
                         kOneType, kOlder},
                        {23,
                         "T1=float32|float16|bfloat16|int32 TS=float32|float16|bfloat16|int32 "
                         "T2=int8|uint8|int16|uint16|float8|int4s|float4e2m1"},
                        {24,
                         "T1=float32|float16|bfloat16|int32 "
                         "TS=float32|float16|bfloat16|int32|float8e8m0 "
                         "T2=int8|uint8|int16|uint16|float8|int4s|float4e2m1"}},
          .shape = linear_quantization_shape,
          .type = quantize_type,
          .example = "f2x3 p u"};
}

/// The product has the type of the output, which is the scale's unless `output_dtype` names one.
Row dequantize_linear() {
  constexpr std::string_view kToFloat = "x:T x_scale:float32 x_zero_point:T? -> y:float32";
  constexpr std::string_view kToScale = "x:T1 x_scale:T2 x_zero_point:T1? -> y:T2";
  return {.op = "DequantizeLinear",
          .version = 25,
          .signature = "x:T1 x_scale:T2 x_zero_point:T1? -> y:T3",
          .attributes = "axis:int=1 block_size:int=0 output_dtype:int=0",
          .types =
              "T1=int8|uint8|int16|uint16|int32|float8|int4s|float4e2m1|int2s "
              "T2=float|float8e8m0 T3=float",
          .onnx_types =
              "T1=int8|uint8|int16|uint16|int32|float8|int4s|float4e2m1|int2s "
              "T2=float32|float16|bfloat16|float8e8m0 T3=float32|float16|bfloat16",
          .revisions = {{10, "T=int8|uint8|int32", kToFloat, "-"},
                        {13, "T=int8|uint8|int32", kToFloat, "axis:int=1"},
                        {19, "T1=int8|uint8|int32|float8 T2=float32|float16|bfloat16", kToScale,
                         "axis:int=1"},
                        {21,
                         "T1=int8|uint8|int16|uint16|int32|float8|int4s "
                         "T2=float32|float16|bfloat16",
                         kToScale, "axis:int=1 block_size:int=0"},
                        {23,
                         "T1=int8|uint8|int16|uint16|int32|float8|int4s|float4e2m1 "
                         "T2=float32|float16|bfloat16 T3=float32|float16|bfloat16"},
                        {24,
                         "T1=int8|uint8|int16|uint16|int32|float8|int4s|float4e2m1 "
                         "T2=float32|float16|bfloat16|float8e8m0 T3=float32|float16|bfloat16"}},
          .shape = linear_quantization_shape,
          .type = dequantize_type,
          .example = "u2x3 p u"};
}

Row dynamic_quantize_linear() {
  return {.op = "DynamicQuantizeLinear",
          .version = 11,
          .signature = "x:T1 -> y:T2 y_scale:float32 y_zero_point:T2",
          .types = "T1=float32 T2=uint8",
          .shape = dynamic_quantize_shape,
          .body = R"((x) => (y, y_scale, y_zero_point) {
            Least = Constant <value = float {0.0}> ()
            Most = Constant <value = float {255.0}> ()
            XMin = ReduceMin <keepdims = 0> (x)
            XMinAdjusted = Min (XMin, Least)
            XMax = ReduceMax <keepdims = 0> (x)
            XMaxAdjusted = Max (XMax, Least)
            XRange = Sub (XMaxAdjusted, XMinAdjusted)
            y_scale = Div (XRange, Most)
            MinScaled = Div (XMinAdjusted, y_scale)
            FirstZeroPoint = Sub (Least, MinScaled)
            ClippedZeroPoint = Clip (FirstZeroPoint, Least, Most)
            RoundedZeroPoint = Round (ClippedZeroPoint)
            y_zero_point = Cast <to = 2> (RoundedZeroPoint)
            y = QuantizeLinear (x, y_scale, y_zero_point)
          })"};
}

Row qlinear_matmul() {
  return {
      .op = "QLinearMatMul",
      .version = 21,
      .signature =
          "a:T1 a_scale:TS a_zero_point:T1 b:T2 b_scale:TS b_zero_point:T2 y_scale:TS "
          "y_zero_point:T3 -> y:T3",
      .types =
          "TS=float32|float16|bfloat16 T1=int8|uint8|float8 T2=int8|uint8|float8 "
          "T3=int8|uint8|float8",
      .revisions = {{10, kBytes,
                     "a:T1 a_scale:float32 a_zero_point:T1 b:T2 b_scale:float32 b_zero_point:T2 "
                     "y_scale:float32 y_zero_point:T3 -> y:T3"}},
      .shape = qlinear_matmul_shape,
      .example = "u2x3 p u u3x4 p u p u"};
}

Row qlinear_conv() {
  return {.op = "QLinearConv",
          .version = 10,
          .signature =
              "x:T1 x_scale:float32 x_zero_point:T1 w:T2 w_scale:float32 w_zero_point:T2 "
              "y_scale:float32 y_zero_point:T3 B:T4? -> y:T3",
          .attributes = kConvAttributes,
          .types = "T1=int8|uint8 T2=int8|uint8 T3=int8|uint8 T4=int32",
          .shape = qlinear_conv_shape,
          .example = "u1x2x5x5 p u c3x2x3x3 p c p u"};
}

Row conv_integer() {
  return {.op = "ConvInteger",
          .version = 10,
          .signature = "x:T1 w:T2 x_zero_point:T1? w_zero_point:T2? -> y:T3",
          .attributes = kConvAttributes,
          .types = "T1=int8|uint8 T2=int8|uint8 T3=int32",
          .shape = conv_integer_shape,
          .example = "u1x2x5x5 c3x2x3x3"};
}

}  // namespace

std::vector<Row> quantization_rows() {
  return {quantize_linear(), dequantize_linear(), dynamic_quantize_linear(),
          qlinear_matmul(),  qlinear_conv(),      conv_integer()};
}

}  // namespace switchyard
