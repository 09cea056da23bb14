// The public functions: a network run layer by layer on its example, and each layer written.
#include <fmt/format.h>

#include <map>

#include <switchyard/autocast.hpp>
#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions/creation.hpp>
#include <switchyard/onnx_export.hpp>
#include <unordered_map>

#include "device/open_device.hpp"
#include "files/file_replacement.hpp"
#include "nn/class_name.hpp"
#include "onnx/export/layer.hpp"
#include "onnx/proto/encode.hpp"
#include "onnx/proto/messages.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {
namespace {

constexpr std::int64_t kOpset = 17;
constexpr std::int64_t kIrVersion = 8;          // that of opset 17
constexpr std::size_t kMostBytes = 0x7fffffff;  // of a protobuf message

std::unordered_map<std::type_index, WriteLayer> all_rows() {
  std::unordered_map<std::type_index, WriteLayer> rows;
  for (const auto& family : {activation_layer_rows(), convolution_layer_rows(), pool_layer_rows(),
                             weighted_layer_rows(), norm_layer_rows(), attention_layer_rows(),
                             shape_layer_rows(), image_layer_rows(), recurrent_layer_rows()}) {
    for (const LayerRow& row : family) rows.emplace(row.type, row.write);
  }
  return rows;
}

/// The network as it is evaluated; afterwards each module trains again that did before.
class Evaluated {
 public:
  explicit Evaluated(nn::Module& net) {
    for (const auto& entry : net.named_modules()) {
      before_.emplace_back(entry.second, entry.second->is_training());
    }
    net.eval();
  }
  ~Evaluated() {  // train() reaches all below, which come later and have the last word
    for (const auto& [module, training] : before_) module->train(training);
  }
  Evaluated(const Evaluated&) = delete;
  Evaluated& operator=(const Evaluated&) = delete;

 private:
  std::vector<std::pair<nn::Module*, bool>> before_;
};

void require_dtype(const std::string& name, DType dtype) {
  if (dtype == DType::float32 || dtype == DType::float64 || dtype == DType::float16) return;
  throw Error(
      ErrorKind::unsupported,
      fmt::format("parameter '{}' is of {}, in which opset {} does not compute; convert the "
                  "network with to(DType::float32)",
                  name, name_of(dtype), kOpset));
}

/// The example where the network lies.
Tensor beside_parameters(const nn::Sequential& net, const Tensor& example) {
  const std::vector<Tensor> parameters = net.parameters();
  if (parameters.empty() || !parameters[0].impl()->device) return example;
  return example.to(Device(parameters[0].impl()->device->shared_from_this()));
}

/// Appends the layers of a Sequential, those of one inside it too; gives what they make of `value`.
Tensor write_layers(GraphWriter& graph, const nn::Module& list, const std::string& prefix,
                    Tensor value) {
  for (const nn::NamedModule& child : list.children()) {
    const std::string name = prefix.empty() ? child.name : prefix + "." + child.name;
    nn::Module& module = *child.module;
    if (typeid(module) == typeid(nn::Sequential)) {
      value = write_layers(graph, module, name, value);
      continue;
    }
    const Tensor output = module(value);
    write_layer(ExportedLayer{graph, name, module, value, output});
    value = output;
  }
  return value;
}

void describe_port(onnx::ValueInfoProto& port, const std::string& name, const Tensor& value,
                   const std::string& batch) {
  port.name = name;
  onnx::TypeProto::Tensor& type = port.type.emplace().tensor_type.emplace();
  type.elem_type = static_cast<std::int32_t>(value.dtype());
  auto& extents = type.shape.emplace().dim;
  extents.resize(value.shape().size());
  if (!batch.empty()) extents[0].dim_param = batch;
  for (std::size_t i = 1; i < value.shape().size(); ++i) {
    extents[i].dim_value = value.shape()[i];
  }
}

/// Gives the domains of its nodes, but ONNX's, with their versions.
std::map<std::string, int> write_graph(onnx::GraphProto& proto, const nn::Sequential& net,
                                       const Tensor& example, const OnnxExportOptions& options) {
  proto.name = "net";
  GraphWriter graph(proto, options.input);
  const Tensor input = beside_parameters(net, example);
  const Tensor output = write_layers(graph, net, "", input);
  graph.enter("");
  graph.finish(options.output);
  const bool keeps_batch = output.shape()[0] == input.shape()[0];
  describe_port(proto.input.emplace_back(), options.input, input, options.batch);
  describe_port(proto.output.emplace_back(), options.output, output,
                keeps_batch ? options.batch : "");
  return graph.domains();
}

void check(const nn::Sequential& net, const Tensor& example, const OnnxExportOptions& options) {
  if (typeid(net) != typeid(nn::Sequential)) {
    throw Error(ErrorKind::unsupported,
                fmt::format("{} is a class of its own, which may compute what ONNX is not told; "
                            "export a plain Sequential",
                            nn::class_name(net)));
  }
  if (!example.defined() || example.dim() == 0 || example.size() == 0) {
    throw Error(ErrorKind::shape_mismatch,
                "the example to export with has no elements, or no dimension for the batch");
  }
  if (options.input.empty() || options.output.empty() || options.input == options.output) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("'{}' and '{}' cannot name an input and an output: they must differ, "
                            "and not be empty",
                            options.input, options.output));
  }
  for (const auto& list : {net.named_parameters(), net.named_buffers()}) {
    for (const auto& [name, tensor] : list) {
      if (!name.ends_with("num_batches_tracked")) require_dtype(name, tensor.dtype());
    }
  }
}

}  // namespace

void write_layer(const ExportedLayer& layer) {
  static const auto& rows = *new std::unordered_map<std::type_index, WriteLayer>(all_rows());
  const auto row = rows.find(typeid(layer.module));
  layer.graph.enter(layer.name);
  if (row != rows.end()) {
    row->second(layer);
    return;
  }
  OnnxLayer own(layer);
  if (!layer.module.write_onnx(own)) {
    layer.refuse("there is no rule that writes it; override Module::write_onnx");
  }
}

void ExportedLayer::refuse(std::string_view why) const {
  throw Error(ErrorKind::unsupported, fmt::format("{} '{}' cannot be written as ONNX: {}",
                                                  nn::class_name(module), name, why));
}

void ExportedLayer::require_batch(std::int64_t spatial) const {
  if (rank() == spatial + 2) return;
  refuse("its input has no dimension for the batch; give an example with one");
}

std::string ExportedLayer::number(std::string_view constant_name, double value) const {
  return graph.constant(constant_name, full({}, value, {.dtype = input.dtype()}));
}

void ExportedLayer::write_part(const std::string& part, const nn::Module& inner) const {
  write_layer(ExportedLayer{graph, name + "." + part, inner, input, output});
  graph.enter(name);
}

namespace {

void check_size(std::size_t bytes) {
  if (bytes <= kMostBytes) return;
  throw Error(ErrorKind::unsupported,
              fmt::format("the model takes {} bytes; an ONNX file may take 2 GiB", bytes));
}

std::string encoded(const onnx::ModelProto& model) {
  std::size_t elements = 0;
  for (const onnx::TensorProto& tensor : model.graph->initializer) {
    elements += tensor.raw_data.size();
  }
  check_size(elements);
  std::string bytes = onnx::encode(model);
  check_size(bytes.size());
  return bytes;
}

std::string onnx_model(const nn::Sequential& net, const Tensor& example,
                       const OnnxExportOptions& options) {
  check(net, example, options);
  nn::Sequential shared = net;
  const Evaluated evaluated(shared);
  const NoGrad no_grad;
  const Autocast exact(DType::float16, false);
  onnx::ModelProto model;
  model.ir_version = kIrVersion;
  model.producer_name = "switchyard";
  model.producer_version = SWITCHYARD_VERSION;
  model.opset_import.emplace_back().version = kOpset;
  for (const auto& [domain, version] :
       write_graph(model.graph.emplace(), shared, example, options)) {
    onnx::OperatorSetIdProto& import = model.opset_import.emplace_back();
    import.domain = domain;
    import.version = version;
  }
  return encoded(model);
}

}  // namespace

std::vector<std::byte> onnx_bytes(const nn::Sequential& net, const Tensor& example,
                                  const OnnxExportOptions& options) {
  const std::string model = onnx_model(net, example, options);
  const auto bytes = std::as_bytes(std::span(model));
  return {bytes.begin(), bytes.end()};
}

void export_onnx(const nn::Sequential& net, const Tensor& example,
                 const std::filesystem::path& path, const OnnxExportOptions& options) {
  const std::string model = onnx_model(net, example, options);
  FileReplacement file(path);
  file.write(std::as_bytes(std::span(model)));
  file.commit();
}

}  // namespace switchyard
