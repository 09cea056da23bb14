// com.microsoft: between real numbers and small integers, products with quantized weights, and a
// recurrent layer that has them.
#include <bit>

#include "ops/bodies/body_text.hpp"
#include "ops/rows/families.hpp"
#include "ops/shapes/constraints.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/shapes/elementwise/quantization.hpp"
#include "ops/shapes/matmul.hpp"
#include "ops/shapes/movement/extents.hpp"

namespace switchyard {

namespace {

constexpr std::string_view kLinearAttributes = "axis:int=1 block_size:int=0";

/// Its body is ONNX's op of the same name, which has the same inputs.
std::string linear_body(const Inference& node, std::string_view inputs,
                        std::string_view zero_point) {
  BodyText body;
  body.add("y = {} <axis: int = @axis, block_size: int = @block_size> ({}{}{})", node.op(), inputs,
           node.has(2) ? ", " : "", node.has(2) ? zero_point : "");
  return body.text();
}

Row quantize_row() {
  return {.op = "QuantizeLinear",
          .domain = kContribDomain,
          .signature = "x:T1 y_scale:T1 y_zero_point:T2? -> y:T2",
          .attributes = kLinearAttributes,
          .types = "T1=float32|float16 T2=int8|uint8|int16|uint16|int4s",
          .shape = linear_quantization_shape,
          .type = quantize_type,
          .runs_on = RunsOn::body,
          .write_body = [](const Inference& node) {
            return linear_body(node, "x, y_scale", "y_zero_point");
          }};
}

Row dequantize_row() {
  return {.op = "DequantizeLinear",
          .domain = kContribDomain,
          .signature = "x:T1 x_scale:T2 x_zero_point:T1? -> y:T2",
          .attributes = kLinearAttributes,
          .types = "T1=int8|uint8|int16|uint16|int32|int4s T2=float32|float16",
          .shape = linear_quantization_shape,
          .runs_on = RunsOn::body,
          .write_body = [](const Inference& node) {
            return linear_body(node, "x, x_scale", "x_zero_point");
          }};
}

/// Where the side inputs of a product A B stand, whose columns may each have their own scale.
struct ProductInputs {
  std::size_t scale, zero_point, bias;
};

void product_shape(Inference& node, ProductInputs inputs) {
  require_rank_of_at_least(node, 0, 1);
  require_rank_of_at_least(node, 1, 2);
  const std::int64_t columns = last_extent(node, 1);
  require_one_or_one_for_each(node, inputs.scale, "b_scale", columns, "columns of B");
  require_one_or_one_for_each(node, inputs.zero_point, "b_zero_point", columns, "columns of B");
  if (node.has(inputs.bias)) {
    require_one_for_each(node, inputs.bias, "bias", columns, "columns of B");
  }
  if (node.has_rank(0) && node.has_rank(1)) {
    node.set_shape(0, matmul(node, node.shape(0), node.shape(1)));
  }
}

void dynamic_matmul_shape(Inference& node) { product_shape(node, {2, 3, 4}); }

void matmul_to_float_shape(Inference& node) {
  require_one_element(node, 2, "a_scale");
  require_one_element(node, 4, "a_zero_point");
  product_shape(node, {3, 5, 6});
}

/// Y, from the integers Product, the scalar or list Scale, and the bias.
void add_scaled_product(BodyText& body, bool has_bias) {
  body.add("ProductFloat = CastLike (Product, b_scale)");
  body.add("ProductShape = Shape (Product)");
  body.add("Broadcast = Mul (ProductFloat, Scale)");
  body.add("{} = Reshape <allowzero = 1> (Broadcast, ProductShape)", has_bias ? "Scaled" : "Y");
  if (!has_bias) return;
  add_last_axis_list(body, "Bias", "bias", "Product");
  body.add("Y = Add (Scaled, Bias)");
}

std::string dynamic_matmul_body(const Inference& node) {
  BodyText body;
  body.add("AQuantized, AScale, AZeroPoint = DynamicQuantizeLinear (A)");
  body.add("Product = MatMulInteger (AQuantized, B, AZeroPoint{})",
           node.has(3) ? ", b_zero_point" : "");
  body.add("Scale = Mul (AScale, b_scale)");
  add_scaled_product(body, node.has(4));
  return body.text();
}

Row dynamic_matmul_row() {
  return {.op = "DynamicQuantizeMatMul",
          .domain = kContribDomain,
          .signature = "A:T1 B:T2 b_scale:T1 b_zero_point:T2? bias:T1? -> Y:T1",
          .types = "T1=float32 T2=int8|uint8",
          .shape = dynamic_matmul_shape,
          .runs_on = RunsOn::body,
          .write_body = dynamic_matmul_body};
}

std::string matmul_to_float_body(const Inference& node) {
  BodyText body;
  if (node.has(4)) add_scalar(body, "AZeroPoint", "a_zero_point");
  body.add("Product = MatMulInteger (A, B, {}, {})", node.has(4) ? "AZeroPoint" : "\"\"",
           node.has(5) ? "b_zero_point" : "\"\"");
  add_scalar(body, "AScale", "a_scale");
  body.add("Scale = Mul (AScale, b_scale)");
  add_scaled_product(body, node.has(6));
  return body.text();
}

Row matmul_to_float_row() {
  return {.op = "MatMulIntegerToFloat",
          .domain = kContribDomain,
          .signature =
              "A:T1 B:T2 a_scale:T3 b_scale:T3 a_zero_point:T1? b_zero_point:T2? bias:T3? -> Y:T3",
          .types = "T1=int8|uint8 T2=int8|uint8 T3=float32|float16",
          .shape = matmul_to_float_shape,
          .runs_on = RunsOn::body,
          .write_body = matmul_to_float_body};
}

/// How the weights of a MatMulNBits are packed.
struct Blocks {
  std::int64_t inputs, outputs, bits, size;
  std::int64_t count() const { return ceil_div(inputs, size); }  // for each output
  std::int64_t bytes() const { return size / 8 * bits; }         // of one block
  std::int64_t zero_point_bytes() const { return ceil_div(count() * bits, 8); }
};

Blocks blocks_of(const Inference& node) {
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  const Blocks blocks{
      attribute_within(node, "K", 0, 1, kMost), attribute_within(node, "N", 0, 1, kMost),
      attribute_within(node, "bits", 4, 2, 8), attribute_within(node, "block_size", 0, 16, kMost)};
  if (!std::has_single_bit(static_cast<std::uint64_t>(blocks.bits))) {
    node.fail(fmt::format("bits is {}; it must be 2, 4 or 8", blocks.bits));
  }
  if (!std::has_single_bit(static_cast<std::uint64_t>(blocks.size))) {
    node.fail(fmt::format("block_size is {}; it must be a power of 2", blocks.size));
  }
  return blocks;
}

/// Older files have lists where newer ones have a row for each output.
void require_table(const Inference& node, std::size_t input, std::string_view name,
                   std::int64_t rows, std::int64_t columns) {
  if (node.has_rank(input) && node.rank(input) == 1) {
    return require_one_for_each(node, input, name, multiply_extents(rows, columns), "blocks");
  }
  if (node.has(input)) {
    require_shape(node, input, name, {rows, columns}, "a row for each output, a column a block");
  }
}

void matmul_bits_shape(Inference& node) {
  const Blocks blocks = blocks_of(node);
  if (node.attributes().get_int("weight_prepacked", 0) != 0) {
    node.fail("weight_prepacked is set: weights in the layout of one device are not supported");
  }
  if (node.has(4)) node.fail("its input g_idx is deprecated and not supported");
  require_rank_of_at_least(node, 0, 1);
  agreed(node, last_extent(node, 0), blocks.inputs, "the last extent of A and the attribute K");
  require_shape(node, 1, "B", {blocks.outputs, blocks.count(), blocks.bytes()},
                "outputs, blocks, bytes of a block");
  require_table(node, 2, "scales", blocks.outputs, blocks.count());
  const bool packed = node.has(3) && node.dtype(3) == DType::uint8;
  require_table(node, 3, "zero_points", blocks.outputs,
                packed ? blocks.zero_point_bytes() : blocks.count());
  if (node.has(5)) require_one_for_each(node, 5, "bias", blocks.outputs, "outputs");
  if (!node.has_rank(0)) return;
  Dims shape = node.shape(0);
  shape[shape.size() - 1] = blocks.outputs;
  node.set_shape(0, std::move(shape));
}

/// Adds `result`: the numbers of `bits` bits that `bytes` holds, lowest first, along a new axis.
void add_unpacked(BodyText& body, std::string_view result, std::string_view bytes,
                  std::int64_t bits) {
  if (bits == 8) return body.add("{} = Unsqueeze ({}, LastAxis)", result, bytes);
  body.add("{0}Mask = Constant <value = uint8 {{{1}}}> ()", result, (1 << bits) - 1);
  std::string parts;
  for (std::int64_t shift = 0; shift < 8; shift += bits) {
    body.add("{}Shift{} = Constant <value = uint8 {{{}}}> ()", result, shift, shift);
    body.add("{0}Shifted{1} = BitShift <direction = \"RIGHT\"> ({2}, {0}Shift{1})", result, shift,
             bytes);
    body.add("{0}Part{1} = BitwiseAnd ({0}Shifted{1}, {0}Mask)", result, shift);
    body.add("{0}Column{1} = Unsqueeze ({0}Part{1}, LastAxis)", result, shift);
    parts += fmt::format("{}{}Column{}", shift == 0 ? "" : ", ", result, shift);
  }
  body.add("{} = Concat <axis = -1> ({})", result, parts);
}

/// Adds ZeroPoints, [outputs, blocks, 1] or one number, in the type of A.
void add_zero_points(BodyText& body, const Inference& node, const Blocks& blocks) {
  if (!node.has(3)) {
    return body.add_number("ZeroPoints", static_cast<double>(1 << (blocks.bits - 1)), "A");
  }
  body.add_ints("ZeroPointsShape", {blocks.outputs, blocks.count(), 1});
  if (node.dtype(3) != DType::uint8) {
    body.add("ZeroPointsCast = CastLike (zero_points, A)");
    return body.add("ZeroPoints = Reshape (ZeroPointsCast, ZeroPointsShape)");
  }
  add_unpacked(body, "ZeroPointParts", "zero_points", blocks.bits);
  body.add_ints("ZeroPointRows", {blocks.outputs, -1});
  body.add("ZeroPointTable = Reshape (ZeroPointParts, ZeroPointRows)");
  body.add_ints("ZeroPointEnd", {blocks.count()});
  body.add("ZeroPointsCut = Slice (ZeroPointTable, Start, ZeroPointEnd, Columns)");
  body.add("ZeroPointsCast = CastLike (ZeroPointsCut, A)");
  body.add("ZeroPoints = Reshape (ZeroPointsCast, ZeroPointsShape)");
}

/// The weights are unpacked as the op says; where they are constant that happens once.
std::string matmul_bits_body(const Inference& node) {
  const Blocks blocks = blocks_of(node);
  BodyText body;
  body.add_ints("LastAxis", {-1});
  body.add_ints("Start", {0});
  body.add_ints("Columns", {1});
  add_unpacked(body, "Parts", "B", blocks.bits);
  body.add_ints("BlockShape", {blocks.outputs, blocks.count(), blocks.size});
  body.add("InBlocks = Reshape (Parts, BlockShape)");
  body.add("Whole = CastLike (InBlocks, A)");
  add_zero_points(body, node, blocks);
  body.add("Centred = Sub (Whole, ZeroPoints)");
  body.add_ints("ScaleShape", {blocks.outputs, blocks.count(), 1});
  body.add("Scales = Reshape (scales, ScaleShape)");
  body.add("ScaledBlocks = Mul (Centred, Scales)");
  body.add_ints("RowShape", {blocks.outputs, -1});
  body.add("PaddedRows = Reshape (ScaledBlocks, RowShape)");
  body.add_ints("RowEnd", {blocks.inputs});
  body.add("Rows = Slice (PaddedRows, Start, RowEnd, Columns)");
  body.add("Weights = Transpose <perm = [1, 0]> (Rows)");
  body.add("{} = MatMul (A, Weights)", node.has(5) ? "Product" : "Y");
  if (node.has(5)) {
    add_last_axis_list(body, "Bias", "bias", "Product");
    body.add("Y = Add (Product, Bias)");
  }
  return body.text();
}

/// accuracy_level allows a device to round A, and asks for nothing.
Row matmul_bits_row() {
  return {.op = "MatMulNBits",
          .domain = kContribDomain,
          .signature = "A:T1 B:uint8 scales:T1 zero_points:T3? g_idx:int32? bias:T1? -> Y:T1",
          .attributes =
              "K:int! N:int! accuracy_level:int(0..4)=0 bits:int=4 block_size:int! "
              "weight_prepacked:int(0..2)=0",
          .types = "T1=float T3=uint8|float",
          .shape = matmul_bits_shape,
          .runs_on = RunsOn::body,
          .write_body = matmul_bits_body};
}

constexpr std::size_t kScales[] = {8, 10};

void dynamic_lstm_shape(Inference& node) {
  constexpr std::string_view kForm = "directions, rows, 4 * hidden_size";
  const bool two = node.attributes().get_text("direction", "forward") == "bidirectional";
  const std::int64_t directions = two ? 2 : 1;
  const std::int64_t hidden = attribute_within(node, "hidden_size", 0, 1, kTooLarge / 8);
  const std::int64_t rows = node.has_rank(0) ? last_extent(node, 0) : kUnknown;
  require_rank(node, 0, {3}, "[length, batch, width]");
  require_shape(node, 1, "W", {directions, rows, 4 * hidden}, kForm);
  require_shape(node, 2, "R", {directions, hidden, 4 * hidden}, kForm);
  for (const std::size_t scale : kScales) {
    for (const std::size_t input : {scale, scale + 1}) {
      if (!node.has_rank(input)) continue;
      require_rank(node, input, {1, 2}, "[directions] or [directions, 4 * hidden_size]");
      const Dims wanted = node.rank(input) == 1 ? Dims{directions} : Dims{directions, 4 * hidden};
      require_shape(node, input, input == scale ? "scale" : "zero point", wanted,
                    "one number a direction, or one for each of its columns");
    }
  }
  const std::int64_t length = node.has_rank(0) ? node.shape(0)[0] : kUnknown;
  const std::int64_t batch = node.has_rank(0) ? node.shape(0)[1] : kUnknown;
  node.set_shape(0, {length, directions, batch, hidden});
  node.set_shape(1, {directions, batch, hidden});
  node.set_shape(2, {directions, batch, hidden});
}

/// Adds `name`Real, [directions, 4 * hidden_size, rows], as LSTM wants its weights.
void add_real_weights(BodyText& body, std::string_view name) {
  for (const std::string_view part : {"scale", "zero_point"}) {
    body.add("{0}_{1}Row = Reshape ({0}_{1}, ColumnsOfADirection)", name, part);
  }
  body.add("{}Whole = Cast <to = 1> ({})", name, name);
  body.add("{0}Zero = Cast <to = 1> ({0}_zero_pointRow)", name);
  body.add("{0}Centred = Sub ({0}Whole, {0}Zero)", name);
  body.add("{0}Scaled = Mul ({0}Centred, {0}_scaleRow)", name);
  body.add("{0}Real = Transpose <perm = [0, 2, 1]> ({0}Scaled)", name);
}

/// The state and the inputs stay real numbers, which is more exact than the op asks for.
std::string dynamic_lstm_body(const Inference& node) {
  constexpr std::string_view kRest[] = {"B", "sequence_lens", "initial_h", "initial_c", "P"};
  BodyText body;
  body.add_ints("ColumnsOfADirection", {0, 1, -1});
  add_real_weights(body, "W");
  add_real_weights(body, "R");
  std::string rest;
  for (std::size_t i = 0; i < std::size(kRest); ++i) {
    rest += fmt::format(", {}", node.has(i + 3) ? kRest[i] : "\"\"");
  }
  body.add(
      "Y, Y_h, Y_c = LSTM <activation_alpha: floats = @activation_alpha, "
      "activation_beta: floats = @activation_beta, activations: strings = @activations, "
      "clip: float = @clip, direction: string = @direction, hidden_size: int = @hidden_size, "
      "input_forget: int = @input_forget> (X, WReal, RReal{})",
      rest);
  return body.text();
}

Row dynamic_lstm_row() {
  return {.op = "DynamicQuantizeLSTM",
          .domain = kContribDomain,
          .signature =
              "X:T W:T2 R:T2 B:T? sequence_lens:int32? initial_h:T? initial_c:T? P:T? W_scale:T "
              "W_zero_point:T2 R_scale:T R_zero_point:T2 -> Y:T? Y_h:T? Y_c:T?",
          .attributes =
              "activation_alpha:floats activation_beta:floats activations:texts clip:float "
              "direction:text(forward|reverse|bidirectional)=forward hidden_size:int! "
              "input_forget:flag=0",
          .types = "T=float32 T2=int8|uint8",
          .shape = dynamic_lstm_shape,
          .runs_on = RunsOn::body,
          .write_body = dynamic_lstm_body};
}

}  // namespace

std::vector<Row> contrib_quantization_rows() {
  return {quantize_row(),        dequantize_row(),  dynamic_matmul_row(),
          matmul_to_float_row(), matmul_bits_row(), dynamic_lstm_row()};
}

}  // namespace switchyard
