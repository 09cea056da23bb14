#include "ops/attributes.hpp"

#include <algorithm>
#include <cstring>

#include <switchyard/error.hpp>

#include <fmt/format.h>

namespace switchyard {

namespace {

constexpr std::string_view kKindNames[] = {"int",    "float", "text",  "ints",
                                           "floats", "texts", "tensor"};
static_assert(std::size(kKindNames) == std::variant_size_v<AttributeValue>);

template <typename T>
const T& expect(std::string_view name, const AttributeValue& value) {
  if (const T* held = std::get_if<T>(&value)) return *held;
  throw Error(
      ErrorKind::model,
      fmt::format("attribute \"{}\" holds a value of kind {}, which is not what the op asks for",
                  name, kKindNames[value.index()]));
}

bool same_bits(std::span<const float> a, std::span<const float> b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

bool same_literal(const Literal& a, const Literal& b) {
  if (a.dtype() != b.dtype() || !(a.shape() == b.shape())) return false;
  if (a.dtype() == DType::string) return a.strings() == b.strings();
  return a.bytes() == b.bytes() || a.size_bytes() == 0 ||
         std::memcmp(a.bytes(), b.bytes(), a.size_bytes()) == 0;
}

bool same_value(const AttributeValue& a, const AttributeValue& b) {
  if (a.index() != b.index()) return false;
  if (const auto* f = std::get_if<float>(&a)) return same_bits({f, 1}, {&std::get<float>(b), 1});
  if (const auto* f = std::get_if<std::vector<float>>(&a)) {
    return same_bits(*f, std::get<std::vector<float>>(b));
  }
  if (const auto* literal = std::get_if<Literal>(&a)) {
    return same_literal(*literal, std::get<Literal>(b));
  }
  if (const auto* number = std::get_if<std::int64_t>(&a))
    return *number == std::get<std::int64_t>(b);
  if (const auto* text = std::get_if<std::string>(&a)) return *text == std::get<std::string>(b);
  if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&a)) {
    return *numbers == std::get<std::vector<std::int64_t>>(b);
  }
  return std::get<std::vector<std::string>>(a) == std::get<std::vector<std::string>>(b);
}

}  // namespace

const AttributeValue* Attributes::find(std::string_view name) const {
  for (const Entry& entry : entries_) {
    if (entry.first == name) return &entry.second;
  }
  return nullptr;
}

void Attributes::set(std::string_view name, AttributeValue value) {
  for (Entry& entry : entries_) {
    if (entry.first == name) {
      entry.second = std::move(value);
      return;
    }
  }
  entries_.emplace_back(std::string(name), std::move(value));
}

void Attributes::remove(std::string_view name) {
  std::erase_if(entries_, [name](const Entry& entry) { return entry.first == name; });
}

std::int64_t Attributes::get_int(std::string_view name, std::int64_t fallback) const {
  const AttributeValue* value = find(name);
  return value ? expect<std::int64_t>(name, *value) : fallback;
}

float Attributes::get_float(std::string_view name, float fallback) const {
  const AttributeValue* value = find(name);
  return value ? expect<float>(name, *value) : fallback;
}

std::string_view Attributes::get_text(std::string_view name, std::string_view fallback) const {
  const AttributeValue* value = find(name);
  return value ? std::string_view(expect<std::string>(name, *value)) : fallback;
}

std::vector<std::int64_t> Attributes::get_ints(std::string_view name) const {
  const AttributeValue* value = find(name);
  return value ? expect<std::vector<std::int64_t>>(name, *value) : std::vector<std::int64_t>{};
}

std::vector<float> Attributes::get_floats(std::string_view name) const {
  const AttributeValue* value = find(name);
  return value ? expect<std::vector<float>>(name, *value) : std::vector<float>{};
}

std::vector<std::string> Attributes::get_texts(std::string_view name) const {
  const AttributeValue* value = find(name);
  return value ? expect<std::vector<std::string>>(name, *value) : std::vector<std::string>{};
}

bool operator==(const Attributes& a, const Attributes& b) {
  return a.size() == b.size() && std::all_of(a.begin(), a.end(), [&b](const auto& entry) {
           const AttributeValue* other = b.find(entry.first);
           return other && same_value(entry.second, *other);
         });
}

}  // namespace switchyard
