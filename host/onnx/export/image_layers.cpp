// Layers that move, pad or resize pixels.
#include <array>
#include <string_view>
#include <switchyard/functions/creation.hpp>
#include <switchyard/nn/padding.hpp>
#include <switchyard/nn/upsampling.hpp>

#include "onnx/export/layer.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

using Numbers = std::vector<std::int64_t>;

/// ONNX's order: begins of all dimensions, then ends.
void write_pad(const ExportedLayer& layer) {
  const auto& module = static_cast<const nn::Padding&>(layer.module);
  const auto rank = static_cast<std::size_t>(layer.rank());
  const std::size_t spatial = module.padding.size() / 2;
  if (rank != spatial + 2) layer.require_batch(static_cast<std::int64_t>(spatial));
  Numbers pads(2 * rank, 0);
  for (std::size_t i = 0; i < spatial; ++i) {
    pads[rank - 1 - i] = module.padding[2 * i];
    pads[2 * rank - 1 - i] = module.padding[2 * i + 1];
  }
  std::vector<std::string> inputs{layer.graph.constant("pads", pads)};
  std::string_view mode = "constant";
  if (module.mode == PaddingMode::reflect) mode = "reflect";
  if (module.mode == PaddingMode::replicate) mode = "edge";
  if (module.mode == PaddingMode::constant) inputs.push_back(layer.number("value", module.value));
  layer.graph.append("Pad", inputs, {{"mode", mode}});
}

/// By scales, as the batch is free; they are float32, so that they must say the extents exactly.
void write_upsample(const ExportedLayer& layer) {
  static constexpr std::array<std::string_view, 5> kModes = {"nearest", "linear", "linear",
                                                             "linear", "cubic"};
  const InterpolateOptions& options = layer.as<nn::Upsample>().options;
  std::vector<float> scales{1, 1};
  for (std::int64_t d = 2; d < layer.rank(); ++d) {
    const auto in = static_cast<double>(layer.input.size(d));
    const auto out = static_cast<double>(layer.output.size(d));
    const auto scale = static_cast<float>(out / in);
    if (static_cast<double>(scale) * in != out ||
        (options.scale_factor && *options.scale_factor != static_cast<double>(scale))) {
      layer.refuse("its scale is none that makes the extents exactly; make them multiples");
    }
    scales.push_back(scale);
  }
  const bool nearest = options.mode == InterpolationMode::nearest;
  const std::string_view position = nearest                 ? "asymmetric"
                                    : options.align_corners ? "align_corners"
                                                            : "half_pixel";
  const std::string factors = layer.graph.constant(
      "scales", host_tensor({static_cast<std::int64_t>(scales.size())}, scales));
  layer.graph.append("Resize", {"", factors},
                     {{"coordinate_transformation_mode", position},
                      {"cubic_coeff_a", -0.75},
                      {"mode", kModes.at(static_cast<std::size_t>(options.mode))},
                      {"nearest_mode", std::string_view("floor")}});
}

void write_pixel_shuffle(const ExportedLayer& layer) {
  layer.require_batch(2);
  layer.graph.append("DepthToSpace", {},
                     {{"blocksize", layer.as<nn::PixelShuffle>().upscale_factor},
                      {"mode", std::string_view("CRD")}});
}

/// SpaceToDepth has another order of channels.
void write_pixel_unshuffle(const ExportedLayer& layer) {
  layer.require_batch(2);
  GraphWriter& graph = layer.graph;
  const Tensor& out = layer.output;
  const std::int64_t r = layer.as<nn::PixelUnshuffle>().downscale_factor;
  const Numbers cut{0, layer.input.size(1), out.size(2), r, out.size(3), r};
  graph.append("Reshape", {graph.constant("blocks", cut)});
  graph.append("Transpose", {}, {{"perm", Numbers{0, 1, 3, 5, 2, 4}}});
  graph.append("Reshape",
               {graph.constant("shape", Numbers{0, out.size(1), out.size(2), out.size(3)})});
}

}  // namespace

std::vector<LayerRow> image_layer_rows() {
  return {{typeid(nn::ConstantPad1d), write_pad},
          {typeid(nn::ConstantPad2d), write_pad},
          {typeid(nn::ConstantPad3d), write_pad},
          {typeid(nn::ZeroPad2d), write_pad},
          {typeid(nn::ReflectionPad1d), write_pad},
          {typeid(nn::ReflectionPad2d), write_pad},
          {typeid(nn::ReflectionPad3d), write_pad},
          {typeid(nn::ReplicationPad1d), write_pad},
          {typeid(nn::ReplicationPad2d), write_pad},
          {typeid(nn::ReplicationPad3d), write_pad},
          {typeid(nn::Upsample), write_upsample},
          {typeid(nn::PixelShuffle), write_pixel_shuffle},
          {typeid(nn::PixelUnshuffle), write_pixel_unshuffle}};
}

}  // namespace switchyard
