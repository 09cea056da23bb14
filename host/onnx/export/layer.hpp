#pragma once

#include <string>
#include <string_view>
#include <typeindex>
#include <vector>

#include <switchyard/nn/module.hpp>

#include "onnx/export/graph_writer.hpp"

namespace switchyard {

/// A layer to be written: what it is, and what it takes and gives of the example.
struct ExportedLayer {
  GraphWriter& graph;
  std::string name;  // "3.1"
  const nn::Module& module;
  const Tensor& input;
  const Tensor& output;

  template <typename M>
  const M& as() const {
    return static_cast<const M&>(module);
  }
  std::int64_t rank() const { return input.dim(); }

  /// Refuses the layer: "Conv2d '3': padding_mode circular cannot be ...".
  [[noreturn]] void refuse(std::string_view why) const;

  /// Refuses an input that is not [N, C, ...] with so many more dimensions.
  void require_batch(std::int64_t spatial) const;

  /// A constant of one element, of the input's dtype.
  std::string number(std::string_view constant_name, double value) const;

  /// Multiplies the value at hand, of the input's rank, by a weight [out, in] that is turned, and
  /// adds a bias [out], if there is one. They are named `prefix` and "weight" or "bias".
  void write_product(const std::string& prefix, const Tensor& weight, const Tensor& bias) const;

  /// Writes a module below this one. It must take and give what has the rank and dtype of this
  /// layer's input, and not need to know the extents.
  void write_part(const std::string& part, const nn::Module& module) const;
};

/// Writes the layer, under its name, by the rule of its class, or as it does itself.
void write_layer(const ExportedLayer& layer);

using WriteLayer = void (*)(const ExportedLayer& layer);

/// How layers of exactly this class are written. A class derived from it may compute otherwise.
struct LayerRow {
  std::type_index type;
  WriteLayer write;
};

// The rows, by family.
std::vector<LayerRow> activation_layer_rows();
std::vector<LayerRow> convolution_layer_rows();
std::vector<LayerRow> pool_layer_rows();
std::vector<LayerRow> weighted_layer_rows();
std::vector<LayerRow> norm_layer_rows();
std::vector<LayerRow> attention_layer_rows();
std::vector<LayerRow> shape_layer_rows();
std::vector<LayerRow> image_layer_rows();
std::vector<LayerRow> recurrent_layer_rows();

}  // namespace switchyard
