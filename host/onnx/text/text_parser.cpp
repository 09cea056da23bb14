#include "onnx/text/text_parser.hpp"

#include <fmt/format.h>

#include <locale>
#include <sstream>

#include <switchyard/dtype.hpp>

#include "onnx/proto/messages.hpp"
#include "onnx/text/text_scanner.hpp"

namespace switchyard {

namespace {

using Kind = onnx::AttributeProto::AttributeType;

/// An ONNX element type by its name in texts; undefined if it is none.
DType element_type(const std::string& name) {
  if (name == "float") return DType::float32;
  if (name == "double") return DType::float64;
  return dtype_named(name).value_or(DType::undefined);
}

class Parser {
 public:
  explicit Parser(std::string_view text) : scan_(text) {}

  void function(onnx::FunctionProto& function) {
    names(function.input);
    scan_.expect("=>");
    names(function.output);
    nodes(function.node);
    end();
  }

  void whole_graph(onnx::GraphProto& graph) {
    this->graph(scan_.name(), graph);
    end();
  }

 private:
  void end() {
    if (!scan_.at_end()) scan_.fail("the text should have ended");
  }

  void graph(const std::string& name, onnx::GraphProto& graph) {
    graph.name = name;
    typed_names(graph.input);
    scan_.expect("=>");
    typed_names(graph.output);
    if (scan_.accept("<")) initializers(graph.initializer);
    nodes(graph.node);
  }

  template <typename Names>
  void names(Names& names) {
    scan_.expect("(");
    if (scan_.accept(")")) return;
    do {
      const bool absent = scan_.accept("\"\"") || scan_.peek() == ',';
      names.push_back(absent ? "" : scan_.name());
    } while (scan_.accept(","));
    scan_.expect(")");
  }

  template <typename Infos>
  void typed_names(Infos& infos) {
    scan_.expect("(");
    if (scan_.accept(")")) return;
    do {
      onnx::ValueInfoProto& info = infos.emplace_back();
      std::string word = scan_.name();
      if (scan_.at_name() || scan_.peek() == '[' || scan_.peek() == '(') {
        type(word, info.type.emplace());
        word = scan_.name();
      }
      info.name = word;
    } while (scan_.accept(","));
    scan_.expect(")");
  }

  void type(const std::string& word, onnx::TypeProto& type) {
    if (word == "seq" || word == "optional") {
      scan_.expect("(");
      this->type(scan_.name(), word == "seq" ? type.sequence_type.emplace().elem_type.emplace()
                                             : type.optional_type.emplace().elem_type.emplace());
      return scan_.expect(")");
    }
    const DType dtype = element_type(word);
    if (dtype == DType::undefined) scan_.fail(fmt::format("\"{}\" is not an element type", word));
    onnx::TypeProto::Tensor& tensor = type.tensor_type.emplace();
    tensor.elem_type = static_cast<std::int32_t>(dtype);
    if (!scan_.accept("[")) {
      tensor.shape.emplace();  // a scalar: known rank, no extents
    } else if (!scan_.accept("]")) {
      shape(tensor.shape.emplace());
    }
  }

  void shape(onnx::TensorShapeProto& shape) {
    do {
      onnx::TensorShapeProto::Dimension& dim = shape.dim.emplace_back();
      if (scan_.accept("?")) continue;
      if (scan_.at_number()) {
        dim.dim_value = integer(scan_.number());
      } else {
        dim.dim_param = scan_.name();
      }
    } while (scan_.accept(","));
    scan_.expect("]");
  }

  template <typename Tensors>
  void initializers(Tensors& tensors) {
    do {
      onnx::TensorProto& made = tensors.emplace_back();
      const std::string type = scan_.name();
      tensor_type(type, made);
      made.name = scan_.name();
      scan_.expect("=");
      elements(made);
    } while (scan_.accept(","));
    scan_.expect(">");
  }

  template <typename Nodes>
  void nodes(Nodes& nodes) {
    scan_.expect("{");
    while (!scan_.accept("}")) node(nodes.emplace_back());
  }

  void node(onnx::NodeProto& node) {
    do {
      node.output.push_back(scan_.accept("\"\"") ? "" : scan_.name());
    } while (scan_.accept(","));
    scan_.expect("=");
    const std::string op = scan_.name();
    const std::size_t dot = op.rfind('.');
    if (dot != std::string::npos) node.domain = op.substr(0, dot);
    node.op_type = dot == std::string::npos ? op : op.substr(dot + 1);
    if (scan_.accept("<")) attributes(node.attribute);
    names(node.input);
    if (scan_.accept("<")) attributes(node.attribute);
  }

  template <typename Attributes>
  void attributes(Attributes& attributes) {
    if (scan_.accept(">")) return;
    do {
      attribute(attributes.emplace_back());
    } while (scan_.accept(","));
    scan_.expect(">");
  }

  void attribute(onnx::AttributeProto& attribute) {
    attribute.name = scan_.name();
    if (scan_.accept(":")) attribute.type = kind(scan_.name());
    scan_.expect("=");
    if (scan_.accept("@")) {
      attribute.ref_attr_name = scan_.name();
    } else if (scan_.accept("[")) {
      list(attribute);
    } else if (scan_.peek() == '"') {
      attribute.type = onnx::AttributeProto::STRING;
      attribute.s = scan_.quoted_text();
    } else if (scan_.at_number()) {
      number(attribute);
    } else {
      tensor_or_graph(attribute);
    }
  }

  Kind kind(const std::string& name) {
    constexpr std::pair<const char*, Kind> kKinds[] = {
        {"float", onnx::AttributeProto::FLOAT},   {"int", onnx::AttributeProto::INT},
        {"string", onnx::AttributeProto::STRING}, {"tensor", onnx::AttributeProto::TENSOR},
        {"graph", onnx::AttributeProto::GRAPH},   {"floats", onnx::AttributeProto::FLOATS},
        {"ints", onnx::AttributeProto::INTS},     {"strings", onnx::AttributeProto::STRINGS},
    };
    for (const auto& [known, kind] : kKinds) {
      if (name == known) return kind;
    }
    scan_.fail(fmt::format("\"{}\" is not a kind of attribute", name));
  }

  void number(onnx::AttributeProto& attribute) {
    const std::string text = scan_.number();
    if (is_real(text) || attribute.type == onnx::AttributeProto::FLOAT) {
      attribute.type = onnx::AttributeProto::FLOAT;
      attribute.f = static_cast<float>(real(text));
    } else {
      attribute.type = onnx::AttributeProto::INT;
      attribute.i = integer(text);
    }
  }

  // A list is of floats if one of its numbers is; without a kind an empty one is of ints.
  void list(onnx::AttributeProto& attribute) {
    std::vector<std::string> numbers;
    bool has_real = attribute.type == onnx::AttributeProto::FLOATS;
    while (!scan_.accept("]")) {
      if (scan_.peek() == '"') {
        attribute.strings.push_back(scan_.quoted_text());
      } else {
        numbers.push_back(scan_.number());
        has_real = has_real || is_real(numbers.back());
      }
      if (scan_.peek() != ']') scan_.expect(",");
    }
    const bool is_text =
        !attribute.strings.empty() || attribute.type == onnx::AttributeProto::STRINGS;
    attribute.type = is_text    ? onnx::AttributeProto::STRINGS
                     : has_real ? onnx::AttributeProto::FLOATS
                                : onnx::AttributeProto::INTS;
    for (const std::string& text : numbers) {
      if (has_real) {
        attribute.floats.push_back(static_cast<float>(real(text)));
      } else {
        attribute.ints.push_back(integer(text));
      }
    }
  }

  void tensor_or_graph(onnx::AttributeProto& attribute) {
    const std::string word = scan_.name();
    if (scan_.peek() == '(') {
      attribute.type = onnx::AttributeProto::GRAPH;
      return graph(word, attribute.g.emplace());
    }
    attribute.type = onnx::AttributeProto::TENSOR;
    onnx::TensorProto& tensor = attribute.t.emplace();
    tensor_type(word, tensor);
    elements(tensor);
  }

  void tensor_type(const std::string& word, onnx::TensorProto& tensor) {
    const DType dtype = element_type(word);
    if (dtype == DType::undefined) scan_.fail(fmt::format("\"{}\" is not an element type", word));
    tensor.data_type = static_cast<std::int32_t>(dtype);
    if (!scan_.accept("[")) return;
    while (!scan_.accept("]")) {
      tensor.dims.push_back(integer(scan_.number()));
      if (scan_.peek() != ']') scan_.expect(",");
    }
  }

  void elements(onnx::TensorProto& tensor) {
    scan_.expect("{");
    while (!scan_.accept("}")) {
      element(tensor);
      if (scan_.peek() != '}') scan_.expect(",");
    }
  }

  void element(onnx::TensorProto& tensor) {
    switch (static_cast<DType>(tensor.data_type)) {
      case DType::string: return tensor.string_data.push_back(scan_.quoted_text());
      case DType::float32:
        return tensor.float_data.push_back(static_cast<float>(real(scan_.number())));
      case DType::float64: return tensor.double_data.push_back(real(scan_.number()));
      case DType::int64: return tensor.int64_data.push_back(integer(scan_.number()));
      case DType::uint32:
      case DType::uint64:
        return tensor.uint64_data.push_back(static_cast<std::uint64_t>(integer(scan_.number())));
      case DType::float16:
      case DType::bfloat16: scan_.fail("16-bit floats are written as a Cast of float");
      default: tensor.int32_data.push_back(static_cast<std::int32_t>(integer(scan_.number())));
    }
  }

  static bool is_real(const std::string& text) {
    return text.find_first_of(".eEnN") != std::string::npos;
  }

  double real(const std::string& text) {
    const bool is_negative = text.front() == '-';
    if (text.find("inf") != std::string::npos) {
      const double infinity = std::numeric_limits<double>::infinity();
      return is_negative ? -infinity : infinity;
    }
    if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
    return parsed<double>(text);
  }

  std::int64_t integer(const std::string& text) { return parsed<std::int64_t>(text); }

  // A stream of the classic locale, as strtod follows the program's.
  template <typename T>
  T parsed(const std::string& text) {
    std::istringstream stream(text);
    stream.imbue(std::locale::classic());
    stream.exceptions(std::ios::badbit);  // want of memory is no mistake of the text
    T value{};
    if (!(stream >> value) || stream.peek() != std::istringstream::traits_type::eof()) {
      scan_.fail(fmt::format("\"{}\" is no such number", text));
    }
    return value;
  }

  TextScanner scan_;
};

}  // namespace

onnx::FunctionProto parse_function_text(std::string_view text) {
  onnx::FunctionProto function;
  Parser(text).function(function);
  return function;
}

onnx::GraphProto parse_graph_text(std::string_view text) {
  onnx::GraphProto graph;
  Parser(text).whole_graph(graph);
  return graph;
}

}  // namespace switchyard
