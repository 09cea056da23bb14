#include <array>
#include <type_traits>
#include <variant>

#include "software/interpreter/row.hpp"
#include "software/interpreter/rules.hpp"

namespace mps::software::interpreter {

using seam::ElementType;
using Do = seam::Operation;
using Of = Family;

namespace {

constexpr Elements floats =
    bit_of(ElementType::float32) | bit_of(ElementType::float16) | bit_of(ElementType::bfloat16);
constexpr Elements signed_integers = bit_of(ElementType::int8) | bit_of(ElementType::int16) |
                                     bit_of(ElementType::int32) | bit_of(ElementType::int64);
constexpr Elements signed_numbers = floats | signed_integers;
constexpr Elements numbers = signed_numbers | bit_of(ElementType::uint8);
constexpr Elements booleans = bit_of(ElementType::boolean);
constexpr Elements all = numbers | booleans;
// MPSGraph reduces 64-bit integers wrongly before macOS 13.3.
constexpr Elements sums = floats | bit_of(ElementType::int32);

constexpr std::array rows = {
    OperationRow{Do::input, "input", Of::source, Kind::none, 0, all, check_input},
    OperationRow{Do::constant, "constant", Of::source, Kind::none, 0, all, check_constant},

    OperationRow{Do::absolute, "absolute", Of::unary, Kind::none, 1, signed_numbers, check_unary},
    OperationRow{Do::ceiling, "ceiling", Of::unary, Kind::none, 1, floats, check_unary},
    OperationRow{Do::cosine, "cosine", Of::unary, Kind::none, 1, floats, check_unary},
    OperationRow{Do::error_function, "error_function", Of::unary, Kind::none, 1, floats,
                 check_unary},
    OperationRow{Do::exponential, "exponential", Of::unary, Kind::none, 1, floats, check_unary},
    OperationRow{Do::floor, "floor", Of::unary, Kind::none, 1, floats, check_unary},
    OperationRow{Do::hyperbolic_tangent, "hyperbolic_tangent", Of::unary, Kind::none, 1, floats,
                 check_unary},
    OperationRow{Do::is_nan, "is_nan", Of::unary, Kind::none, 1, floats, check_is_nan},
    OperationRow{Do::logarithm, "logarithm", Of::unary, Kind::none, 1, floats, check_unary},
    OperationRow{Do::logical_not, "logical_not", Of::unary, Kind::none, 1, booleans, check_unary},
    OperationRow{Do::negative, "negative", Of::unary, Kind::none, 1, signed_numbers, check_unary},
    OperationRow{Do::reciprocal, "reciprocal", Of::unary, Kind::none, 1, floats, check_unary},
    OperationRow{Do::reciprocal_square_root, "reciprocal_square_root", Of::unary, Kind::none, 1,
                 floats, check_unary},
    OperationRow{Do::rectified_linear, "rectified_linear", Of::unary, Kind::none, 1, floats,
                 check_unary},
    OperationRow{Do::round_to_even, "round_to_even", Of::unary, Kind::none, 1, floats, check_unary},
    OperationRow{Do::sigmoid, "sigmoid", Of::unary, Kind::none, 1, floats, check_unary},
    OperationRow{Do::sign, "sign", Of::unary, Kind::none, 1, signed_numbers, check_unary},
    OperationRow{Do::sine, "sine", Of::unary, Kind::none, 1, floats, check_unary},
    OperationRow{Do::square_root, "square_root", Of::unary, Kind::none, 1, floats, check_unary},

    OperationRow{Do::add, "add", Of::arithmetic, Kind::none, 2, numbers, check_arithmetic},
    OperationRow{Do::subtract, "subtract", Of::arithmetic, Kind::none, 2, numbers,
                 check_arithmetic},
    OperationRow{Do::multiply, "multiply", Of::arithmetic, Kind::none, 2, numbers,
                 check_arithmetic},
    OperationRow{Do::divide, "divide", Of::arithmetic, Kind::none, 2, numbers, check_arithmetic},
    OperationRow{Do::power, "power", Of::arithmetic, Kind::none, 2, floats, check_arithmetic},
    OperationRow{Do::minimum, "minimum", Of::arithmetic, Kind::none, 2, numbers, check_arithmetic},
    OperationRow{Do::maximum, "maximum", Of::arithmetic, Kind::none, 2, numbers, check_arithmetic},
    OperationRow{Do::equal, "equal", Of::relation, Kind::none, 2, all, check_relation},
    OperationRow{Do::not_equal, "not_equal", Of::relation, Kind::none, 2, all, check_relation},
    OperationRow{Do::less, "less", Of::relation, Kind::none, 2, numbers, check_relation},
    OperationRow{Do::less_equal, "less_equal", Of::relation, Kind::none, 2, numbers,
                 check_relation},
    OperationRow{Do::greater, "greater", Of::relation, Kind::none, 2, numbers, check_relation},
    OperationRow{Do::greater_equal, "greater_equal", Of::relation, Kind::none, 2, numbers,
                 check_relation},
    OperationRow{Do::logical_and, "logical_and", Of::relation, Kind::none, 2, booleans,
                 check_relation},
    OperationRow{Do::logical_or, "logical_or", Of::relation, Kind::none, 2, booleans,
                 check_relation},
    OperationRow{Do::logical_exclusive_or, "logical_exclusive_or", Of::relation, Kind::none, 2,
                 booleans, check_relation},

    OperationRow{Do::select, "select", Of::form, Kind::none, 3, booleans, check_select},
    OperationRow{Do::clamp, "clamp", Of::form, Kind::none, 3, numbers, check_clamp},
    OperationRow{Do::cast, "cast", Of::form, Kind::none, 1, all, check_cast},
    OperationRow{Do::reshape, "reshape", Of::form, Kind::none, 1, all, check_reshape},
    OperationRow{Do::broadcast, "broadcast", Of::form, Kind::none, 1, all, check_broadcast},
    OperationRow{Do::transpose, "transpose", Of::form, Kind::axes, 1, all, check_transpose},
    OperationRow{Do::concatenate, "concatenate", Of::form, Kind::axes, any_number, all,
                 check_concatenate},
    OperationRow{Do::slice, "slice", Of::form, Kind::slice, 1, all, check_slice},
    OperationRow{Do::pad, "pad", Of::form, Kind::padding, 1, numbers, check_pad},
    OperationRow{Do::gather, "gather", Of::form, Kind::axes, 2, all, check_gather},

    OperationRow{Do::sum, "sum", Of::reduction, Kind::axes, 1, sums, check_reduction},
    OperationRow{Do::mean, "mean", Of::reduction, Kind::axes, 1, floats, check_reduction},
    OperationRow{Do::product, "product", Of::reduction, Kind::axes, 1, sums, check_reduction},
    OperationRow{Do::largest, "largest", Of::reduction, Kind::axes, 1, sums, check_reduction},
    OperationRow{Do::smallest, "smallest", Of::reduction, Kind::axes, 1, sums, check_reduction},
    OperationRow{Do::softmax, "softmax", Of::softmax, Kind::axes, 1, floats, check_softmax},

    OperationRow{Do::matrix_product, "matrix_product", Of::matrix_product, Kind::none, 2, floats,
                 check_matrix_product},
    OperationRow{Do::convolution, "convolution", Of::window, Kind::window, 2, floats,
                 check_convolution},
    OperationRow{Do::transposed_convolution, "transposed_convolution", Of::window, Kind::window, 2,
                 floats, check_transposed_convolution},
    OperationRow{Do::convolution_weight_gradient, "convolution_weight_gradient", Of::window,
                 Kind::window, 2, floats, check_convolution_weight_gradient},
    OperationRow{Do::max_pool, "max_pool", Of::window, Kind::window, 1, floats, check_pooling},
    OperationRow{Do::average_pool, "average_pool", Of::window, Kind::window, 1, floats,
                 check_pooling},
    OperationRow{Do::normalize, "normalize", Of::normalize, Kind::normalization, 5, floats,
                 check_normalize},
    OperationRow{Do::resize, "resize", Of::resize, Kind::resizing, 1, floats, check_resize},
};

constexpr bool in_order() {
  for (size_t i = 0; i < rows.size(); ++i) {
    if (static_cast<size_t>(rows[i].operation) != i) return false;
  }
  return rows.back().operation == Do::resize;
}
static_assert(in_order(), "the rows follow seam::Operation");

template <typename Attribute, Kind kind>
constexpr bool is =
    std::is_same_v<std::variant_alternative_t<static_cast<size_t>(kind), seam::Attributes>,
                   Attribute>;
static_assert(is<std::monostate, Kind::none> && is<seam::Axes, Kind::axes> &&
                  is<seam::Window, Kind::window> && is<seam::Slice, Kind::slice> &&
                  is<seam::Padding, Kind::padding> &&
                  is<seam::Normalization, Kind::normalization> &&
                  is<seam::Resizing, Kind::resizing>,
              "Kind follows seam::Attributes");

}  // namespace

const OperationRow* row_of(seam::Operation operation) {
  const auto index = static_cast<size_t>(operation);
  return index < rows.size() ? &rows[index] : nullptr;
}

std::string position_of(const seam::Graph& graph, uint32_t number) {
  const OperationRow* row = row_of(graph.nodes[number].operation);
  return "node " + std::to_string(number) + ", " + (row != nullptr ? row->name : "unknown");
}

}  // namespace mps::software::interpreter
