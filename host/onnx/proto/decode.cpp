#include "onnx/proto/decode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>

#include "io/file_error.hpp"
#include "onnx/proto/fields.hpp"

namespace switchyard::onnx {
namespace {

using WireReader = protozero::pbf_reader;
using WireType = protozero::pbf_wire_type;

/// A message inside others, for the text of an error: "graph.node[3].attribute[0]".
struct Location {
  const Location* around = nullptr;
  const char* field = "";
  std::ptrdiff_t index = -1;  // in a repeated field
  int depth = 0;
};

std::string text_of(const Location& location) {
  if (location.around == nullptr) return {};
  const std::string around = text_of(*location.around);
  const std::string index = location.index < 0 ? "" : fmt::format("[{}]", location.index);
  return fmt::format("{}{}{}{}", around, around.empty() ? "" : ".", location.field, index);
}

template <typename T>
constexpr bool kIsNumber = std::is_arithmetic_v<T> || std::is_enum_v<T>;

template <typename T>
constexpr WireType wire_type_of() {
  if constexpr (std::is_same_v<T, float>) return WireType::fixed32;
  if constexpr (std::is_same_v<T, double>) return WireType::fixed64;
  return kIsNumber<T> ? WireType::varint : WireType::length_delimited;
}

class Decoder {
 public:
  Decoder(const SharedBytes& all, const std::string& file, std::string_view what,
          const DecodeLimits& limits)
      : all_(all), file_(file), what_(what), limits_(limits) {}

  /// Adds what the wire holds to the message, as protobuf merges two messages.
  template <typename Message>
  void read(WireReader wire, Message& message, const Location& location) {
    if (location.depth > limits_.nesting) {
      fail_limit(wire, location,
                 fmt::format("it nests deeper than {} messages, which limits.depth allows; export "
                             "the model flatter",
                             limits_.nesting));
    }
    try {
      while (wire.next()) read_field(wire, message, location);
    } catch (const protozero::end_of_buffer_exception&) {
      fail(wire, location, "a field ends behind the message that it belongs to");
    } catch (const protozero::exception&) {
      fail(wire, location, "there is no field where one should begin");
    }
  }

 private:
  template <typename Message>
  void read_field(WireReader& wire, Message& message, const Location& location) {
    const int number = static_cast<int>(wire.tag());
    const bool is_known = std::apply(
        [&](const auto&... fields) {
          return (
              (fields.number == number && (read_member(wire, message, fields, location), true)) ||
              ...);
        },
        Schema<Message>::kFields);
    if (is_known) return;
    const auto& passed_over = Schema<Message>::kPassedOver;
    if (std::find(passed_over.begin(), passed_over.end(), number) == passed_over.end()) {
      fail(wire, location,
           fmt::format("ONNX up to 1.22 knows no field {} of {}", number, Schema<Message>::kName));
    }
    wire.skip();
  }

  template <typename Message, typename Field>
  void read_member(WireReader& wire, Message& message, const Field& field,
                   const Location& location) {
    if constexpr (Field::kForm == FieldForm::alternative) clear_others(message, field.number);
    read_value(wire, message.*field.member, {&location, field.name, -1, location.depth + 1});
  }

  template <typename Message>
  void clear_others(Message& message, int number) {
    const auto clear = [&](const auto& field) {
      if (field.number != number) (message.*field.member).reset();
    };
    std::apply([&](const auto&... fields) { (clear(fields), ...); }, Schema<Message>::kFields);
  }

  template <typename T>
  void read_value(WireReader& wire, T& value, const Location& location) {
    require<T>(wire, location);
    if constexpr (kIsNumber<T>) {
      value = number<T>(wire, location);
    } else {
      read(wire.get_message(), value, location);
    }
  }
  void read_value(WireReader& wire, std::string& text, const Location& location) {
    require<std::string>(wire, location);
    text = wire.get_string();
  }
  void read_value(WireReader& wire, SharedBytes& bytes, const Location& location) {
    require<SharedBytes>(wire, location);
    const protozero::data_view view = wire.get_view();
    bytes = {all_.owner, std::as_bytes(std::span(view.data(), view.size()))};
  }
  template <typename T>
  void read_value(WireReader& wire, std::optional<T>& value, const Location& location) {
    if (!value) value.emplace();
    read_value(wire, *value, location);
  }
  template <typename T>
  void read_value(WireReader& wire, Boxed<T>& value, const Location& location) {
    if (!value) value.emplace();
    read_value(wire, *value, location);
  }
  template <typename T>
  void read_value(WireReader& wire, std::vector<T>& values, Location location) {
    location.index = static_cast<std::ptrdiff_t>(values.size());
    if constexpr (kIsNumber<T>) {
      if (wire.wire_type() == WireType::length_delimited) return read_packed(wire, values);
    }
    if constexpr (std::is_same_v<T, NodeProto>) count_node(wire, location);
    count_memory(sizeof(T), wire, location);
    read_value(wire, values.emplace_back(), location);
  }

  void count_node(const WireReader& wire, const Location& location) {
    if (++nodes_ <= limits_.nodes) return;
    fail_limit(
        wire, location,
        fmt::format("it has over {} nodes; raise limits.nodes if you trust it", limits_.nodes));
  }

  void count_memory(std::uint64_t bytes, const WireReader& wire, const Location& location) {
    memory_ += bytes;
    if (memory_ <= limits_.memory) return;
    fail_limit(
        wire, location,
        fmt::format("its fields would take more than {} bytes of memory; read it where there "
                    "is more, if you trust it",
                    limits_.memory));
  }

  void read_packed(WireReader& wire, std::vector<float>& to) {
    append(to, wire.get_packed_float());
  }
  void read_packed(WireReader& wire, std::vector<double>& to) {
    append(to, wire.get_packed_double());
  }
  void read_packed(WireReader& wire, std::vector<std::int32_t>& to) {
    append(to, wire.get_packed_int32());
  }
  void read_packed(WireReader& wire, std::vector<std::int64_t>& to) {
    append(to, wire.get_packed_int64());
  }
  void read_packed(WireReader& wire, std::vector<std::uint64_t>& to) {
    append(to, wire.get_packed_uint64());
  }
  template <typename T, typename Range>
  static void append(std::vector<T>& to, Range range) {
    // At most 8 bytes for each of the file's.
    for (auto entry = range.begin(); entry != range.end(); ++entry) to.push_back(*entry);
  }

  /// A number of 32 bits, which the wire has in 64: one that does not fit would become another.
  std::int32_t narrow(WireReader& wire, const Location& location) {
    const std::int64_t value = wire.get_int64();
    if (value >= INT32_MIN && value <= INT32_MAX) return static_cast<std::int32_t>(value);
    fail(wire, *location.around,
         fmt::format("its {} is {}, which 32 bits do not hold", location.field, value));
  }

  template <typename T>
  T number(WireReader& wire, const Location& location) {
    if constexpr (std::is_same_v<T, float>) {
      return wire.get_float();
    } else if constexpr (std::is_same_v<T, double>) {
      return wire.get_double();
    } else if constexpr (std::is_same_v<T, std::int32_t>) {
      return narrow(wire, location);
    } else if constexpr (std::is_same_v<T, std::int64_t>) {
      return wire.get_int64();
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
      return wire.get_uint64();
    } else {
      const std::int32_t value = narrow(wire, location);
      if (value < 0 || value > static_cast<std::int32_t>(kLastValue<T>)) {
        fail(wire, *location.around,
             fmt::format("ONNX up to 1.22 knows no {} with the number {}", location.field, value));
      }
      return static_cast<T>(value);
    }
  }

  /// protozero believes its caller that a field is of the kind that is asked for.
  template <typename T>
  void require(const WireReader& wire, const Location& location) {
    if (wire.wire_type() == wire_type_of<T>()) return;
    fail(wire, *location.around,
         fmt::format("its {} is written as something else", location.field));
  }

  [[noreturn]] void fail_limit(const WireReader& wire, const Location& location,
                               const std::string& why) {
    refuse(file_, fmt::format("{} (at {})", why, position(wire, location)));
  }

  [[noreturn]] void fail(const WireReader& wire, const Location& location, const std::string& why) {
    refuse(file_, fmt::format("it is not a valid {}, or it is cut short or damaged: {}, at {}; "
                              "fetch or export it again",
                              what_, why, position(wire, location)));
  }

  std::string position(const WireReader& wire, const Location& location) const {
    const auto* at = reinterpret_cast<const std::byte*>(wire.data().data());
    const std::string inside = text_of(location);
    return fmt::format("byte {}{}{}", at - all_.bytes.data(), inside.empty() ? "" : " in ", inside);
  }

  const SharedBytes& all_;
  const std::string& file_;
  std::string_view what_;
  const DecodeLimits& limits_;
  std::int64_t nodes_ = 0;
  std::uint64_t memory_ = 0;
};

}  // namespace

template <typename Message>
Message decode(const SharedBytes& bytes, const std::string& file, std::string_view what,
               const DecodeLimits& limits) {
  Message message;
  const auto* start = reinterpret_cast<const char*>(bytes.bytes.data());
  Decoder(bytes, file, what, limits).read(WireReader(start, bytes.size()), message, {});
  return message;
}

template ModelProto decode(const SharedBytes&, const std::string&, std::string_view,
                           const DecodeLimits&);
template GraphProto decode(const SharedBytes&, const std::string&, std::string_view,
                           const DecodeLimits&);
template TensorProto decode(const SharedBytes&, const std::string&, std::string_view,
                            const DecodeLimits&);
template SequenceProto decode(const SharedBytes&, const std::string&, std::string_view,
                              const DecodeLimits&);
template OptionalProto decode(const SharedBytes&, const std::string&, std::string_view,
                              const DecodeLimits&);

}  // namespace switchyard::onnx
