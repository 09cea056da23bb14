/// @file
/// Networks as ONNX files, which Model::load, `switchyard run` and other runtimes run.
///
///   nn::Sequential net(nn::Conv2d(1, 8, 3), nn::ReLU(), nn::Flatten(), nn::Linear(5408, 10));
///   export_onnx(net, zeros({1, 1, 28, 28}), "net.onnx");
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <switchyard/export.hpp>
#include <switchyard/nn/container.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

/// What the model calls its input, its output, and the first dimension of both.
struct OnnxExportOptions {
  std::string batch = "batch";    ///< the first dimension of both
  std::string input = "input";    ///< what goes in
  std::string output = "output";  ///< what comes out
};

/// The network as it is evaluated (as after eval(): dropout goes, batch norms use their running
/// statistics), for inputs of the dtype and extents of `example`, but of any first extent. Opset
/// 17; parameters go by their names, "0.weight".
///
/// Layers: all of <switchyard/nn.hpp> that take one tensor, but for cells, EmbeddingBag, Unfold and
/// Fold, and Sequential of these. Attention, alone or in an encoder, is of its input to itself;
/// without batch_first the first extent, which is free, is that of the sequence, as it is of RNN,
/// GRU and LSTM, which begin with zeros and give their output. GroupNorm, RMSNorm and attention are
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
