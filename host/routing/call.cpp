#include "routing/call.hpp"

#include <atomic>
#include <functional>
#include <variant>

namespace switchyard {
namespace {

std::uint64_t text_hash(std::string_view text) { return std::hash<std::string_view>{}(text); }

struct ValueHash {
  std::uint64_t operator()(std::int64_t value) const { return static_cast<std::uint64_t>(value); }
  std::uint64_t operator()(float value) const {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return bits;
  }
  std::uint64_t operator()(const std::string& value) const { return text_hash(value); }
  std::uint64_t operator()(const Literal& value) const {
    return value.dtype() == DType::string ? 0 : bytes_hash(value.bytes(), value.size_bytes());
  }
  template <typename T>
  std::uint64_t operator()(const std::vector<T>& values) const {
    std::uint64_t hash = values.size();
    for (const T& value : values) hash = mix(hash, (*this)(value));
    return hash;
  }
};

}  // namespace

std::uint64_t site_hash(const Op& op, const Attributes& attributes, Purpose purpose,
                        const OpenDevice* placement, std::uint32_t math_flags) {
  std::uint64_t hash = mix(op.id, math_flags);
  hash = mix(hash, static_cast<std::uint64_t>(purpose));
  hash = mix(hash, reinterpret_cast<std::uintptr_t>(placement));
  for (const auto& [key, value] : attributes) {
    hash = mix(mix(hash, text_hash(key)), std::visit(ValueHash{}, value));
  }
  return hash;
}

CallSite make_site(const Op& op, Attributes attributes, Purpose purpose, OpenDevice* placement,
                   std::uint32_t math_flags, std::string name) {
  static std::atomic<std::uint64_t> next{1};
  CallSite site{&op, std::move(attributes), math_flags, purpose, placement, std::move(name)};
  site.number = next.fetch_add(1, std::memory_order_relaxed);
  site.hash = site_hash(op, site.attributes, purpose, placement, math_flags);
  return site;
}

}  // namespace switchyard
