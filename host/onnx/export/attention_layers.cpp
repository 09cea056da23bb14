// Attention of a sequence to itself, and the encoders made of it.
#include <cmath>
#include <switchyard/nn/activation.hpp>
#include <switchyard/nn/attention.hpp>

#include "onnx/export/layer.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

using Numbers = std::vector<std::int64_t>;

/// How a sequence [L, E], or a batch of them, lies beside its heads [heads, L, E / heads].
struct HeadOrder {
  Numbers cut;     // the extents of queries, keys and values in one: 0 is as it is
  Numbers apart;   // a permutation that puts those three first, then batch, heads and sequence
  Numbers turned;  // swaps the last two dimensions of keys
  Numbers joined;  // a permutation from heads back to the sequence
  Numbers whole;   // and its extents
};

HeadOrder order_of(const ExportedLayer& layer, const nn::MultiheadAttention& module) {
  const std::int64_t heads = module.num_heads, width = module.embed_dim / heads;
  if (layer.rank() == 2) {
    return {{0, 3, heads, width}, {1, 2, 0, 3}, {0, 2, 1}, {1, 0, 2}, {0, module.embed_dim}};
  }
  const bool first = module.options.batch_first;
  return {{0, 0, 3, heads, width},
          first ? Numbers{2, 0, 3, 1, 4} : Numbers{2, 1, 3, 0, 4},
          {0, 1, 3, 2},
          first ? Numbers{0, 2, 1, 3} : Numbers{2, 0, 1, 3},
          {0, 0, module.embed_dim}};
}

/// softmax(Q K^T / sqrt(width)) V by heads, between the two products. Of one tensor, queries, keys
/// and values have one width, so that their weights are one.
void write_attention(const ExportedLayer& layer) {
  const auto& module = layer.as<nn::MultiheadAttention>();
  const HeadOrder order = order_of(layer, module);
  GraphWriter& graph = layer.graph;
  layer.write_product("in_proj_", module.in_proj_weight, module.in_proj_bias);
  graph.append("Reshape", {graph.constant("heads", order.cut)});
  graph.append("Transpose", {}, {{"perm", order.apart}});
  const auto part = [&, all = graph.current()](std::int64_t i) {
    const std::string index = graph.constant("part", host_scalar(i));
    return graph.add("Gather", {all, index}, {{"axis", std::int64_t{0}}});
  };
  const std::string keys = graph.add("Transpose", {part(1)}, {{"perm", order.turned}});
  const std::string values = part(2);
  graph.go_on_with(part(0));
  const double width = static_cast<double>(module.embed_dim / module.num_heads);
  graph.append("Mul", {layer.number("scale", 1 / std::sqrt(width))});
  graph.append("MatMul", {keys});
  graph.append("Softmax", {}, {{"axis", std::int64_t{-1}}});
  graph.append("MatMul", {values});
  graph.append("Transpose", {}, {{"perm", order.joined}});
  graph.append("Reshape", {graph.constant("features", order.whole)});
  layer.write_part("out_proj", module.out_proj);
}

/// Adds what `inner` makes to what goes in, and normalizes one of them.
template <typename Inner>
void write_block(const ExportedLayer& layer, const char* name, const nn::LayerNorm& norm,
                 const Inner& inner) {
  const bool norm_first = layer.as<nn::TransformerEncoderLayer>().options.norm_first;
  const std::string x = layer.graph.current();
  if (norm_first) layer.write_part(name, norm);
  inner();
  layer.graph.append("Add", {x});
  if (!norm_first) layer.write_part(name, norm);
}

void write_encoder_layer(const ExportedLayer& layer) {
  const auto& module = layer.as<nn::TransformerEncoderLayer>();
  write_block(layer, "norm1", module.norm1,
              [&] { layer.write_part("self_attn", module.self_attn); });
  write_block(layer, "norm2", module.norm2, [&] {
    layer.write_part("linear1", module.linear1);
    if (module.options.activation == nn::Activation::gelu) {
      layer.write_part("activation", nn::GELU());
    } else {
      layer.write_part("activation", nn::ReLU());
    }
    layer.write_part("linear2", module.linear2);
  });
}

void write_encoder(const ExportedLayer& layer) {
  for (const nn::NamedModule& child : layer.module.children()) {
    if (child.name != "layers") {
      layer.write_part(child.name, *child.module);
      continue;
    }
    for (const nn::NamedModule& one : child.module->children()) {
      layer.write_part("layers." + one.name, *one.module);
    }
  }
}

}  // namespace

std::vector<LayerRow> attention_layer_rows() {
  return {{typeid(nn::MultiheadAttention), write_attention},
          {typeid(nn::TransformerEncoderLayer), write_encoder_layer},
          {typeid(nn::TransformerEncoder), write_encoder}};
}

}  // namespace switchyard
