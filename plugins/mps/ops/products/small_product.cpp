#include "ops/products/small_product.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>

#include "ops/building/arguments.hpp"
#include "runtime/axes.hpp"
#include "switchyard/plugin/division.hpp"

namespace mps {
namespace {

constexpr uint32_t simd_width = 32;

// As kernels/small_product.metal reads them.
struct ProductParameters {
  uint32_t rows, columns, depth;
  int32_t a_row, a_depth;
  int32_t b_depth, b_column;
  int32_t c_row, c_column;
  int32_t addend_row, addend_column;
  uint32_t addend_offset;
  float alpha, beta;
  uint32_t has_addend;
};

MatrixStack transposed_stack(MatrixStack stack) {
  std::swap(stack.row, stack.column);
  return stack;
}

// The few are rows: else the transpose of the product is.
SmallProduct with_few_rows(const SmallProduct& given) {
  if (given.rows <= given.columns) return given;
  SmallProduct turned = given;
  std::swap(turned.rows, turned.columns);
  turned.a = transposed_stack(given.b);
  turned.b = transposed_stack(given.a);
  turned.c = transposed_stack(given.c);
  turned.addend = transposed_stack(given.addend);
  return turned;
}

ProductParameters product_parameters(const SmallProduct& product) {
  ProductParameters made{};
  made.rows = static_cast<uint32_t>(product.rows);
  made.columns = static_cast<uint32_t>(product.columns);
  made.depth = static_cast<uint32_t>(product.depth);
  made.a_row = int32_step(product.a.row);
  made.a_depth = int32_step(product.a.column);
  made.b_depth = int32_step(product.b.row);
  made.b_column = int32_step(product.b.column);
  made.c_row = int32_step(product.c.row);
  made.c_column = int32_step(product.c.column);
  made.alpha = product.alpha;
  made.beta = product.beta;
  if (product.addend.tensor == nullptr) return made;
  made.has_addend = 1;
  made.addend_row = int32_step(product.addend.row);
  made.addend_column = int32_step(product.addend.column);
  made.addend_offset = static_cast<uint32_t>(bind(*product.addend.tensor, 0).offset);
  return made;
}

std::string suffix(const SmallProduct& product) {
  const sy_dtype from = product.a.tensor->dtype, to = product.c.tensor->dtype;
  std::string name = metal_type(from);
  if (from != to) name += std::string("_to_") + metal_type(to);
  return name + (product.rows == 1 ? "_1" : "_4");
}

}  // namespace

bool is_small_product(int64_t rows, int64_t columns, int64_t depth, int64_t batch) {
  // Graphs do not sum nothing.
  if (depth != 0 && (std::min(rows, columns) > few_rows || depth > most_depth)) return false;
  const int64_t most_threads = std::numeric_limits<int32_t>::max();
  return batch <= most_threads && rows <= most_threads && columns <= most_threads &&
         rows * columns <= most_threads / simd_width / std::max<int64_t>(batch, 1);
}

void encode_small_product(Device& device, Stream& stream, const SmallProduct& given) {
  SmallProduct product = with_few_rows(given);
  if (product.depth == 0) product.a.tensor = product.b.tensor = product.c.tensor;
  const Bound bound[3] = {bind(*product.a.tensor, 0), bind(*product.b.tensor, 1),
                          bind(*product.c.tensor, 3)};
  const std::array<Walked, 3> walked = {Walked{product.a.batch.data.data(), bound[0].offset},
                                        Walked{product.b.batch.data.data(), bound[1].offset},
                                        Walked{product.c.batch.data.data(), bound[2].offset}};
  const Axes batch = make_axes(product.batch, walked);
  const ProductParameters parameters = product_parameters(product);
  const Tensor& addend =
      product.addend.tensor != nullptr ? *product.addend.tensor : *product.c.tensor;
  Arguments arguments;
  arguments.add(bound[0]).add(bound[1]).add(bind(addend, 2)).add(bound[2]);
  arguments.add_value(batch).add_value(parameters);
  const uint32_t blocks = product.rows == 1 ? 1 : (parameters.rows + 3) / 4;
  const bool across = parameters.columns >= simd_width && product.depth > 1 &&
                      std::abs(product.b.column) < std::abs(product.b.row);
  if (across) {
    const uint32_t tiles = sy::ceil_div(parameters.columns, simd_width);
    const auto& pipeline = device.pipeline("product_across_columns_" + suffix(product));
    arguments.run_groups(stream, pipeline, batch.count * blocks * tiles, 8 * simd_width);
  } else {
    const uint32_t columns = batch.count * blocks * parameters.columns;
    const auto& pipeline = device.pipeline("product_along_depth_" + suffix(product));
    arguments.run_groups(stream, pipeline, (columns + 3) / 4, 4 * simd_width);
  }
}

}  // namespace mps
