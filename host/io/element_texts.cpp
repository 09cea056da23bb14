#include "io/element_texts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/doubles.hpp"
#include "io/number_format.hpp"

namespace switchyard {
namespace {

bool is_complex(DType dtype) { return dtype == DType::complex64 || dtype == DType::complex128; }

bool is_floating(DType dtype) {
  const std::string_view name = name_of(dtype);
  return name.substr(0, 5) == "float" || name.substr(0, 6) == "bfloat";
}

void write_reals(const std::vector<double>& numbers, ElementTexts& result) {
  const NumberFormat format(numbers);
  for (const double number : numbers) result.texts.push_back(format.text(number));
  result.width = format.width();
}

void write_complex(const std::vector<double>& parts, ElementTexts& result) {
  std::vector<double> reals, imaginaries;
  for (std::size_t i = 0; i < parts.size(); i += 2) {
    reals.push_back(parts[i]);
    imaginaries.push_back(parts[i + 1]);
  }
  const NumberFormat real_format(reals), imaginary_format(imaginaries);
  for (std::size_t i = 0; i < reals.size(); ++i) {
    std::string imaginary = imaginary_format.text(imaginaries[i]);
    imaginary.erase(0, imaginary.find_first_not_of(' '));
    const char* sign = imaginary.front() == '-' ? "" : "+";
    result.texts.push_back(fmt::format("{}{}{}j", real_format.text(reals[i]), sign, imaginary));
  }
  result.width = real_format.width() + imaginary_format.width() + 1;
}

template <typename Values, typename Write>
void write_aligned(const Values& values, ElementTexts& result, Write write) {
  for (const auto& value : values) {
    result.texts.push_back(write(value));
    result.width = std::max(result.width, result.texts.back().size());
  }
  for (std::string& text : result.texts) text = fmt::format("{:>{}}", text, result.width);
}

}  // namespace

ElementTexts::ElementTexts(const Literal& elements) {
  const auto in_digits = [](auto value) { return fmt::format("{}", value); };
  const DType dtype = elements.dtype();
  if (is_floating(dtype)) {
    write_reals(to_doubles(elements), *this);
  } else if (is_complex(dtype)) {
    write_complex(to_doubles(elements), *this);
  } else if (dtype == DType::bool_) {
    write_aligned(elements.to_int64s(), *this,
                  [](std::int64_t value) { return std::string(value != 0 ? "True" : "False"); });
  } else if (dtype == DType::string) {
    write_aligned(elements.strings(), *this,
                  [](const std::string& text) { return fmt::format("'{}'", text); });
  } else if (dtype == DType::uint64) {
    write_aligned(elements.values<std::uint64_t>(), *this, in_digits);
  } else {
    write_aligned(elements.to_int64s(), *this, in_digits);
  }
}

}  // namespace switchyard
