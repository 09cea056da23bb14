/// @file
/// Networks as ONNX files, which Model::load, `switchyard run` and other runtimes run.
///
///   nn::Sequential net(nn::Conv2d(1, 8, 3), nn::ReLU(), nn::Flatten(), nn::Linear(5408, 10));
///   export_onnx(net, zeros({1, 1, 28, 28}), "net.onnx");
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <switchyard/export.hpp>
#include <switchyard/nn/container.hpp>
#include <switchyard/runtime.hpp>
#include <switchyard/tensor.hpp>
#include <switchyard/text.hpp>

namespace switchyard {

/// What the model calls its input, its output, and the first dimension of both.
struct OnnxExportOptions {
  std::string batch = "batch";    ///< the first dimension of both
  std::string input = "input";    ///< what goes in
  std::string output = "output";  ///< what comes out
};

struct ExportedLayer;

/// A layer of one's own on its way into an ONNX graph:
///
///   bool Scaled::write_onnx(OnnxLayer& layer) const override {
///     const std::string inner = layer.module("linear", linear, layer.input(), layer.example());
///     layer.node("Mul", {inner, layer.constant("scale", scale)});
///     return true;
///   }
///
/// Values are named by strings; the layer gives what the last node gave, or set_output() named.
class SWITCHYARD_API OnnxLayer {
 public:
  /// The value that the layer takes.
  [[nodiscard]] const std::string& input() const;
  /// The tensor that this value is for the example, and the one that the layer made of it. Another
  /// first extent than the example's may come when the model runs.
  /// @{
  [[nodiscard]] const Tensor& example() const;
  [[nodiscard]] const Tensor& example_output() const;
  /// @}

  /// Holds the elements in the file, under the layer's name and this one; gives the value's name.
  std::string constant(Text name, const Tensor& elements);
  /// Adds a node of opset 17, or of another domain, which the model then
  /// imports in the version that register_op gave it, else 1; gives the names of its outputs,
  /// which must be `output_count`. An input named "" is left out. What the node gets wrong is found
  /// when the model is loaded. Attributes are of all kinds but Tensor: use a constant.
  std::vector<std::string> node_of_many(Text op, const std::vector<std::string>& inputs,
                                        std::size_t output_count,
                                        const AttributeArguments& attributes = {},
                                        Text domain = "");
  /// The same of a node with one output.
  std::string node(Text op, const std::vector<std::string>& inputs,
                   const AttributeArguments& attributes = {}, Text domain = "");
  /// Writes a module below this one, of the library or of one's own, under the layer's name and
  /// this one: of `value`, which is `example` for the example. Gives the value that it makes.
  std::string module(Text name, const nn::Module& module, const std::string& value,
                     const Tensor& example);
  /// What the layer gives, where that is not the last node's first output.
  void set_output(std::string value);

  /// Throws Error(unsupported): "Scaled '3' cannot be written as ONNX: WHY".
  [[noreturn]] void refuse(std::string_view why) const;

  /// For the library's own use.
  explicit OnnxLayer(const ExportedLayer& layer);

 private:
  const ExportedLayer& layer_;
  std::string input_;
};

/// The network as it is evaluated (as after eval(): dropout goes, batch norms use their running
/// statistics), for inputs of the dtype and extents of `example`, but of any first extent. Opset
/// 17; parameters go by their names, "0.weight".
///
/// Layers: those of one's own that write themselves (Module::write_onnx), and all of
/// <switchyard/nn.hpp> that take one tensor, but for cells, EmbeddingBag, Unfold and Fold, and
/// Sequential of these. Attention, alone or in an encoder, is of its input to itself; without
/// batch_first the first extent, which is free, is that of the sequence, as it is of RNN, GRU and
/// LSTM, which begin with zeros and give their output. GroupNorm, RMSNorm and attention are
/// composed of ops of opset 17. Throws Error(unsupported) that names any other module, and a layer
/// whose options ONNX cannot say; what the layers throw where they do not take the example; and
/// Error(io) or Error(not_found) for a file that cannot be written; an old file then stays.
SWITCHYARD_API void export_onnx(const nn::Sequential& net, const Tensor& example,
                                const std::filesystem::path& path,
                                const OnnxExportOptions& options = {});

/// The bytes of that file, for Model::from_bytes.
[[nodiscard]] SWITCHYARD_API std::vector<std::byte> onnx_bytes(
    const nn::Sequential& net, const Tensor& example, const OnnxExportOptions& options = {});

}  // namespace switchyard
