#!/usr/bin/python3
"""Writes transformer_golden.safetensors: what PyTorch's decoders compute. Run it with 1.13.

Of a case: CASE/state/NAME what is loaded, CASE/NAME the inputs and masks by PyTorch's names,
CASE/output, CASE/seed the gradient of the output, CASE/NAME_grad of the inputs, CASE/grad/NAME.
"""
import os

import torch
from torch import nn

import safetensors_file

HERE = os.path.dirname(os.path.abspath(__file__))
torch.manual_seed(12)
file = {}


def run(case, module, first, second, **masks):
    module.train()
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.3)
    for name, tensor in module.state_dict().items():
        file[f"{case}/state/{name}"] = tensor.clone()
    inputs = {name: x.clone().requires_grad_() for name, x in (first, second)}
    output = module(*inputs.values(), **masks)
    seed = torch.randn_like(output)
    output.backward(seed)
    file[f"{case}/output"], file[f"{case}/seed"] = output, seed
    for name, x in inputs.items():
        file[f"{case}/{name}"], file[f"{case}/{name}_grad"] = x.detach(), x.grad
    for name, mask in masks.items():
        file[f"{case}/{name}"] = mask
    for name, parameter in module.named_parameters():
        file[f"{case}/grad/{name}"] = parameter.grad


src, tgt, memory = torch.randn(5, 2, 8), torch.randn(4, 2, 8), torch.randn(5, 2, 8)
causal = nn.Transformer.generate_square_subsequent_mask(4)
padding = torch.tensor([[False, False, False, True, True], [False] * 5])
tgt_padding = torch.tensor([[False] * 4, [False, False, True, True]])
scores = torch.randn(4, 5)

run("decoder_layer", nn.TransformerDecoderLayer(8, 2, 12, 0.0), ("tgt", tgt), ("memory", memory))
run("decoder_layer_masked", nn.TransformerDecoderLayer(8, 2, 12, 0.0), ("tgt", tgt),
    ("memory", memory), tgt_mask=causal.isinf(), memory_mask=scores,
    tgt_key_padding_mask=tgt_padding, memory_key_padding_mask=padding)
run("decoder_layer_first",
    nn.TransformerDecoderLayer(8, 2, 12, 0.0, "gelu", norm_first=True, batch_first=True),
    ("tgt", tgt.transpose(0, 1).contiguous()), ("memory", memory.transpose(0, 1).contiguous()))
run("decoder", nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 12, 0.0), 2,
                                     nn.LayerNorm(8)), ("tgt", tgt), ("memory", memory),
    tgt_mask=causal)
run("transformer", nn.Transformer(8, 2, 1, 2, 12, 0.0), ("src", src), ("tgt", tgt),
    tgt_mask=causal, src_key_padding_mask=padding, memory_key_padding_mask=padding)
run("transformer_single", nn.Transformer(8, 2, 1, 1, 12, 0.0), ("src", src[:, 0]),
    ("tgt", tgt[:, 0]), tgt_mask=causal)

safetensors_file.save(os.path.join(HERE, "transformer_golden.safetensors"), file)
