#include "cli/doctor/trial_values.hpp"
#include "tensor/host_tensor.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace switchyard::cli {
namespace {

template <typename T>
std::vector<T> numbers_in(std::string_view text, char separator) {
  std::vector<T> numbers;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string number(text.substr(0, end));
    if constexpr (std::is_floating_point_v<T>) {
      numbers.push_back(std::stof(number));
    } else {
      numbers.push_back(std::stoll(number));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return numbers;
}

Dims shape_in(std::string_view text) { return Dims(numbers_in<std::int64_t>(text, 'x')); }

/// "1,2,3,4:2x2", or a vector without a shape.
template <typename T>
Tensor listed(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::vector<T> values = numbers_in<T>(text.substr(0, colon), ',');
  if (colon != std::string_view::npos)
    return host_tensor<T>(shape_in(text.substr(colon + 1)), values);
  return host_tensor<T>({static_cast<std::int64_t>(values.size())}, values);
}

template <typename T>
Tensor filled(DType dtype, const Dims& shape, const auto& element) {
  std::vector<T> values(static_cast<std::size_t>(element_count(shape)));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(element(i));
  return host_tensor_from_bytes(
      dtype, {reinterpret_cast<const std::byte*>(values.data()), values.size() * sizeof(T)}, shape);
}

Tensor made_up(char kind, const Dims& shape, std::size_t seed) {
  const auto wave = [seed](std::size_t i) {
    return std::sin(0.7 * static_cast<double>(i) + static_cast<double>(seed));
  };
  const auto whole = [seed](std::size_t i) { return (i * 7 + seed) % 3; };
  const auto positive = [&](std::size_t i) { return 0.5 + 0.4 * wave(i); };
  switch (kind) {
    case 'b':
      return filled<std::uint8_t>(DType::bool_, shape, [&](auto i) { return whole(i) == 1; });
    case 'i': return filled<std::int32_t>(DType::int32, shape, whole);
    case 'm': return filled<std::int64_t>(DType::int64, shape, whole);
    case 'w': return filled<std::uint8_t>(DType::uint8, shape, whole);
    case 'c': return filled<std::int8_t>(DType::int8, shape, [&](auto i) { return 100 * wave(i); });
    case 'u':
      return filled<std::uint8_t>(DType::uint8, shape, [&](auto i) { return 128 + 100 * wave(i); });
    case 'p': return filled<float>(DType::float32, shape, positive);
    default: return filled<float>(DType::float32, shape, [&](auto i) { return 2 * wave(i); });
  }
}

}  // namespace

Tensor trial_input(std::string_view word, std::size_t seed) {
  const char kind = word.front();
  word.remove_prefix(1);
  switch (kind) {
    case '_': return Tensor();
    case 'n': return host_scalar(numbers_in<std::int64_t>(word, ',').front());
    case 'l': return listed<std::int64_t>(word);
    case 'v': return listed<float>(word);
    default: return made_up(kind, shape_in(word), seed);
  }
}

AttributeArgument trial_argument(const std::string& text) {
  const bool is_list = text.find(',') != std::string::npos;
  if (text.find_first_not_of("0123456789,-") == std::string::npos) {
    std::vector<std::int64_t> numbers = numbers_in<std::int64_t>(text, ',');
    return is_list ? AttributeArgument(std::move(numbers)) : AttributeArgument(numbers.front());
  }
  if (text.find_first_not_of("0123456789.-") == std::string::npos) return std::stof(text);
  return text;
}

}  // namespace switchyard::cli
