#include "onnx/proto/encode.hpp"

#include <protozero/pbf_writer.hpp>

#include "onnx/proto/fields.hpp"

namespace switchyard::onnx {
namespace {

using WireWriter = protozero::pbf_writer;

class Encoder {
 public:
  explicit Encoder(std::string& bytes) : bytes_(bytes) {}

  template <typename Message>
  void write(WireWriter& wire, const Message& message) {
    const auto write_field = [&](const auto& field) {
      const auto& member = message.*field.member;
      const auto number = static_cast<protozero::pbf_tag_type>(field.number);
      if constexpr (std::remove_cvref_t<decltype(field)>::kForm == FieldForm::packed) {
        write_packed(wire, number, member);
      } else {
        write_member(wire, number, member);
      }
    };
    std::apply([&](const auto&... fields) { (write_field(fields), ...); },
               Schema<Message>::kFields);
  }

 private:
  using Number = protozero::pbf_tag_type;

  // What is absent is not written. A member without a way to be absent is where it has no content.
  void write_member(WireWriter& wire, Number number, const std::string& text) {
    if (!text.empty()) write_value(wire, number, text);
  }
  void write_member(WireWriter& wire, Number number, const SharedBytes& bytes) {
    if (bytes.empty()) return;
    wire.add_bytes(number, reinterpret_cast<const char*>(bytes.bytes.data()), bytes.size());
  }
  template <typename T>
  void write_member(WireWriter& wire, Number number, const std::optional<T>& value) {
    if (value) write_value(wire, number, *value);
  }
  template <typename T>
  void write_member(WireWriter& wire, Number number, const Boxed<T>& value) {
    if (value) write_value(wire, number, *value);
  }
  template <typename T>
  void write_member(WireWriter& wire, Number number, const std::vector<T>& values) {
    for (const T& value : values) write_value(wire, number, value);
  }
  template <typename T>
  void write_member(WireWriter& wire, Number number, const T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      if (value == T{}) return;
    }
    write_value(wire, number, value);
  }

  void write_value(WireWriter& wire, Number number, float value) { wire.add_float(number, value); }
  void write_value(WireWriter& wire, Number number, std::int32_t value) {
    wire.add_int32(number, value);
  }
  void write_value(WireWriter& wire, Number number, std::int64_t value) {
    wire.add_int64(number, value);
  }
  void write_value(WireWriter& wire, Number number, const std::string& text) {
    wire.add_string(number, text);
  }
  template <typename T>
  void write_value(WireWriter& wire, Number number, const T& value) {
    if constexpr (std::is_enum_v<T>) {
      wire.add_enum(number, static_cast<std::int32_t>(value));
    } else {
      write_message(wire, number, value);
    }
  }
  template <typename Message>
  void write_message(WireWriter& wire, Number number, const Message& message) {
    const std::size_t before = bytes_.size();
    {
      WireWriter inner(wire, number);
      write(inner, message);
    }
    // protozero leaves out a message without fields; but that it is there may say something.
    if (bytes_.size() == before) wire.add_message(number, "", 0);
  }

  static void write_packed(WireWriter& wire, Number number, const std::vector<float>& values) {
    wire.add_packed_float(number, values.begin(), values.end());
  }
  static void write_packed(WireWriter& wire, Number number, const std::vector<double>& values) {
    wire.add_packed_double(number, values.begin(), values.end());
  }
  static void write_packed(WireWriter& wire, Number number,
                           const std::vector<std::int32_t>& values) {
    wire.add_packed_int32(number, values.begin(), values.end());
  }
  static void write_packed(WireWriter& wire, Number number,
                           const std::vector<std::int64_t>& values) {
    wire.add_packed_int64(number, values.begin(), values.end());
  }
  static void write_packed(WireWriter& wire, Number number,
                           const std::vector<std::uint64_t>& values) {
    wire.add_packed_uint64(number, values.begin(), values.end());
  }

  std::string& bytes_;
};

}  // namespace

template <typename Message>
std::string encode(const Message& message) {
  std::string bytes;
  WireWriter wire(bytes);
  Encoder(bytes).write(wire, message);
  return bytes;
}

template std::string encode(const ModelProto&);
template std::string encode(const TensorProto&);
template std::string encode(const SequenceProto&);
template std::string encode(const OptionalProto&);

}  // namespace switchyard::onnx
