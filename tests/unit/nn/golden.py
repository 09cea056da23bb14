#!/usr/bin/python3
"""Writes golden.safetensors and net.safetensors: what PyTorch's modules compute. Run it with 1.13.

Of a case: CASE/state/NAME what is loaded, CASE/input, CASE/output, CASE/seed the gradient of the
output, CASE/input_grad, CASE/grad/NAME, and CASE/after/NAME the buffers after the call.
"""
import os

import torch
from torch import nn

import safetensors_file

HERE = os.path.dirname(os.path.abspath(__file__))
torch.manual_seed(7)
file = {}


def shake(module):
    """Other values than the first ones, which are ones and zeros in many layers."""
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.3)
        for name, buffer in module.named_buffers():
            if buffer.is_floating_point():
                buffer.add_(torch.rand_like(buffer) * 0.5)


def note_state(case, module, kind="state"):
    for name, tensor in module.state_dict().items():
        file[f"{case}/{kind}/{name}"] = tensor.clone()


def note_gradients(case, module, output):
    seed = torch.randn_like(output)
    output.backward(seed)
    file[f"{case}/output"] = output
    file[f"{case}/seed"] = seed
    for name, parameter in module.named_parameters():
        file[f"{case}/grad/{name}"] = parameter.grad


def run(case, module, x, training=False):
    module.train(training)
    shake(module)
    note_state(case, module)
    x = x.clone()
    if x.is_floating_point():
        x.requires_grad_()
    file[f"{case}/input"] = x.detach().clone()
    note_gradients(case, module, module(x))
    if x.is_floating_point():
        file[f"{case}/input_grad"] = x.grad
    for name, buffer in module.named_buffers():
        file[f"{case}/after/{name}"] = buffer.clone()


class RMSNorm(nn.Module):
    def __init__(self, size, eps):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(size)), eps

    def forward(self, x):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + self.eps) * self.weight


def net():
    return nn.Sequential(nn.Conv2d(1, 3, 3, padding=1), nn.BatchNorm2d(3), nn.ReLU(),
                         nn.MaxPool2d(2), nn.Flatten(), nn.Linear(48, 5))


rows, lines, images = torch.randn(4, 6), torch.randn(2, 4, 9), torch.randn(2, 4, 7, 8)
run("linear", nn.Linear(6, 3), rows)
run("linear_no_bias", nn.Linear(6, 3, bias=False), torch.randn(2, 3, 6))
run("conv1d", nn.Conv1d(4, 6, 3, stride=2, padding=1), lines)
run("conv1d_circular", nn.Conv1d(4, 2, 3, padding=2, padding_mode="circular"), lines)
run("conv2d", nn.Conv2d(4, 6, 3, padding=1, groups=2), images)
run("conv2d_dilated", nn.Conv2d(4, 2, (3, 2), stride=(2, 1), dilation=(1, 2), bias=False), images)
run("conv2d_reflect", nn.Conv2d(4, 2, 3, padding=(1, 2), padding_mode="reflect"), images)
run("max_pool1d", nn.MaxPool1d(3, stride=2, padding=1), lines)
run("max_pool2d", nn.MaxPool2d(3, stride=2, padding=1), images)
run("avg_pool1d", nn.AvgPool1d(2), lines)
run("avg_pool2d", nn.AvgPool2d(3, stride=2, padding=1, count_include_pad=False), images)
run("adaptive_avg_pool2d", nn.AdaptiveAvgPool2d((2, 3)), images)
run("batch_norm1d", nn.BatchNorm1d(6), rows, training=True)
run("batch_norm1d_lines", nn.BatchNorm1d(4, momentum=None), lines, training=True)
run("batch_norm2d", nn.BatchNorm2d(4, momentum=0.3), images, training=True)
run("batch_norm2d_eval", nn.BatchNorm2d(4), images)
run("batch_norm2d_plain", nn.BatchNorm2d(4, affine=False, track_running_stats=False), images)
run("layer_norm", nn.LayerNorm([7, 8]), images)
run("layer_norm_plain", nn.LayerNorm(6, elementwise_affine=False), rows)
run("group_norm", nn.GroupNorm(2, 4), images)
run("rms_norm", RMSNorm(6, 1e-6), rows)
run("embedding", nn.Embedding(7, 3, padding_idx=2), torch.tensor([[0, 2, 6], [6, 1, 2]]))
run("flatten", nn.Flatten(), images)
run("unflatten", nn.Unflatten(1, (2, 3)), rows)
run("dropout_eval", nn.Dropout(0.5), rows)
run("sequential", net(), torch.randn(2, 1, 8, 8), training=True)

wide = torch.randn(3, 4) * 3
for case, module in {
    "relu": nn.ReLU(), "relu6": nn.ReLU6(), "selu": nn.SELU(), "silu": nn.SiLU(),
    "mish": nn.Mish(), "softplus": nn.Softplus(), "softsign": nn.Softsign(),
    "sigmoid": nn.Sigmoid(), "log_sigmoid": nn.LogSigmoid(), "hardsigmoid": nn.Hardsigmoid(),
    "hardswish": nn.Hardswish(), "tanh": nn.Tanh(), "leaky_relu": nn.LeakyReLU(0.2),
    "elu": nn.ELU(0.7), "hardtanh": nn.Hardtanh(-2, 1.5), "gelu": nn.GELU(),
    "gelu_tanh": nn.GELU("tanh"), "prelu": nn.PReLU(), "prelu_channels": nn.PReLU(4),
    "softmax": nn.Softmax(1), "log_softmax": nn.LogSoftmax(0), "identity": nn.Identity(),
}.items():
    run(case, module, wide)

bilinear, a, b = nn.Bilinear(3, 4, 5), torch.randn(2, 3), torch.randn(2, 4)
note_state("bilinear", bilinear)
file["bilinear/a"], file["bilinear/b"] = a, b
note_gradients("bilinear", bilinear, bilinear(a, b))


def attend(case, module, query, key, value, **how):
    shake(module)
    note_state(case, module)
    query = query.clone().requires_grad_()
    file[f"{case}/query"], file[f"{case}/key"], file[f"{case}/value"] = query, key, value
    for name in ("attn_mask", "key_padding_mask"):
        if name in how:
            file[f"{case}/{name}"] = how[name]
    output, weights = module(query, key, value, **how)
    file[f"{case}/weights"] = weights
    note_gradients(case, module, output)
    file[f"{case}/query_grad"] = query.grad


memory = torch.randn(5, 2, 8)
padding = torch.tensor([[False, False, False, True, True], [False] * 5])
causal = torch.ones(4, 5).triu(1).bool()
attend("attention", nn.MultiheadAttention(8, 2), torch.randn(4, 2, 8), memory, memory)
attend("attention_masked", nn.MultiheadAttention(8, 2), torch.randn(4, 2, 8), memory, memory,
       attn_mask=causal, key_padding_mask=padding)
attend("attention_biased", nn.MultiheadAttention(8, 2, batch_first=True), torch.randn(2, 4, 8),
       memory.transpose(0, 1).contiguous(), memory.transpose(0, 1).contiguous(),
       attn_mask=torch.randn(4, 4, 5), average_attn_weights=False)
attend("attention_widths", nn.MultiheadAttention(8, 4, bias=False, kdim=3, vdim=5),
       torch.randn(4, 2, 8), torch.randn(5, 2, 3), torch.randn(5, 2, 5))
attend("attention_single", nn.MultiheadAttention(8, 2), torch.randn(4, 8), torch.randn(5, 8),
       torch.randn(5, 8))

# In training mode, since PyTorch 1.13 computes otherwise where nothing is learned.
sentences, masked = torch.randn(5, 2, 8), torch.ones(5, 5).triu(1).bool()


def encode(case, module, x, **masks):
    module.train()
    shake(module)
    note_state(case, module)
    x = x.clone().requires_grad_()
    file[f"{case}/input"] = x.detach().clone()
    for name, mask in masks.items():
        file[f"{case}/{name}"] = mask
    note_gradients(case, module, module(x, **masks))
    file[f"{case}/input_grad"] = x.grad


encode("encoder_layer", nn.TransformerEncoderLayer(8, 2, 16, 0.0), sentences)
encode("encoder_layer_masked", nn.TransformerEncoderLayer(8, 2, 16, 0.0), sentences,
       src_mask=masked, src_key_padding_mask=padding)
encode("encoder_layer_first",
       nn.TransformerEncoderLayer(8, 2, 16, 0.0, "gelu", norm_first=True, batch_first=True),
       sentences.transpose(0, 1).contiguous())
encode("encoder", nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, 0.0), 2,
                                        nn.LayerNorm(8)), sentences,
       mask=masked, src_key_padding_mask=padding)


def lose(case, module, x, target):
    x = x.clone().requires_grad_()
    file[f"{case}/input"], file[f"{case}/target"] = x.detach().clone(), target
    note_state(case, module)
    output = module(x, target)
    output.backward()
    file[f"{case}/output"], file[f"{case}/input_grad"] = output, x.grad


logits, classes = torch.randn(4, 5), torch.tensor([1, 4, 0, 2])
lose("cross_entropy", nn.CrossEntropyLoss(), logits, classes)
lose("cross_entropy_smooth",
     nn.CrossEntropyLoss(torch.rand(5) + 0.5, ignore_index=0, label_smoothing=0.1), logits, classes)
lose("cross_entropy_soft", nn.CrossEntropyLoss(reduction="sum"), logits,
     torch.softmax(torch.randn(4, 5), 1))
lose("nll", nn.NLLLoss(torch.rand(5) + 0.5), torch.log_softmax(logits, 1), classes)
lose("bce_with_logits", nn.BCEWithLogitsLoss(pos_weight=torch.rand(5) + 0.5), logits,
     torch.rand(4, 5))
lose("mse", nn.MSELoss(), logits, torch.randn(4, 5))
lose("l1", nn.L1Loss(reduction="sum"), logits, torch.randn(4, 5))
lose("huber", nn.HuberLoss(delta=0.7), logits, torch.randn(4, 5))
lose("smooth_l1", nn.SmoothL1Loss(beta=0.7), logits, torch.randn(4, 5))
lose("kl_div", nn.KLDivLoss(), torch.log_softmax(logits, 1), torch.softmax(torch.randn(4, 5), 1))

run("conv1d_same", nn.Conv1d(4, 3, 4, padding="same"), lines)
run("conv1d_valid", nn.Conv1d(4, 3, 4, stride=2, padding="valid"), lines)
run("conv2d_same", nn.Conv2d(4, 2, (3, 2), padding="same", dilation=(2, 3)), images)
run("conv2d_same_reflect", nn.Conv2d(4, 2, (2, 3), padding="same", padding_mode="reflect"), images)
run("conv2d_same_circular", nn.Conv2d(4, 2, 4, padding="same", padding_mode="circular"), images)

trained = net()
shake(trained)
trained(torch.randn(2, 1, 8, 8))
safetensors_file.save(os.path.join(HERE, "net.safetensors"), trained.state_dict())

run("conv_transpose1d", nn.ConvTranspose1d(4, 2, 3, stride=2, bias=False), lines)
run("conv_transpose2d", nn.ConvTranspose2d(4, 6, (3, 4), stride=2, padding=1,
                                           output_padding=(1, 0), groups=2), images)
lose("bce", nn.BCELoss(torch.rand(5) + 0.5), torch.sigmoid(logits), torch.rand(4, 5))

volumes, single = torch.randn(2, 2, 5, 4, 6), torch.randn(3, 5)
run("conv3d", nn.Conv3d(2, 4, (3, 2, 3), stride=(2, 1, 2), padding=1, groups=2), volumes)
run("conv3d_same", nn.Conv3d(2, 3, (2, 1, 3), padding="same", padding_mode="circular"), volumes)
run("conv_transpose3d", nn.ConvTranspose3d(2, 3, (2, 3, 2), stride=2, padding=(0, 1, 0),
                                           output_padding=1), volumes)
run("max_pool3d", nn.MaxPool3d(3, stride=2, padding=1), volumes)
run("avg_pool3d", nn.AvgPool3d((2, 3, 2), stride=(1, 2, 2), padding=1, ceil_mode=True), volumes)
run("adaptive_avg_pool1d", nn.AdaptiveAvgPool1d(4), lines)
run("adaptive_avg_pool3d", nn.AdaptiveAvgPool3d((2, 4, 4)), volumes)
run("adaptive_max_pool1d", nn.AdaptiveMaxPool1d(3), lines)
run("adaptive_max_pool2d", nn.AdaptiveMaxPool2d((3, 5)), images)
run("adaptive_max_pool2d_even", nn.AdaptiveMaxPool2d((1, 4)), images)
run("adaptive_max_pool3d", nn.AdaptiveMaxPool3d((2, 4, 4)), volumes)
run("batch_norm3d", nn.BatchNorm3d(2), volumes, training=True)
run("instance_norm1d", nn.InstanceNorm1d(4), lines, training=True)
run("instance_norm1d_single", nn.InstanceNorm1d(3, affine=True), single)
run("instance_norm2d", nn.InstanceNorm2d(4, affine=True, track_running_stats=True, momentum=0.3),
    images, training=True)
run("instance_norm2d_eval", nn.InstanceNorm2d(4, affine=True, track_running_stats=True), images)
run("instance_norm3d", nn.InstanceNorm3d(2, eps=0.1, track_running_stats=True), volumes,
    training=True)
run("upsample", nn.Upsample(scale_factor=2), images)
run("upsample_size", nn.Upsample((9, 11), mode="bilinear", align_corners=True), images)
run("pixel_shuffle", nn.PixelShuffle(2), images)
run("pixel_unshuffle", nn.PixelUnshuffle(2), torch.randn(2, 3, 4, 6))
run("glu", nn.GLU(1), lines)
run("dropout2d_eval", nn.Dropout2d(0.5), images)
run("zero_pad2d", nn.ZeroPad2d((1, 2, -1, 3)), images)
run("constant_pad1d", nn.ConstantPad1d(2, 3.5), lines)
run("constant_pad3d", nn.ConstantPad3d((1, 0, 0, 2, 1, 1), -1.0), volumes)
run("reflection_pad1d", nn.ReflectionPad1d((3, 1)), lines)
run("reflection_pad2d", nn.ReflectionPad2d(2), images)
run("reflection_pad3d", nn.ReflectionPad3d((1, 2, 1, 1, 2, 0)), volumes)
run("replication_pad1d", nn.ReplicationPad1d(3), single)
run("replication_pad2d", nn.ReplicationPad2d((2, 0, 1, 3)), images)
run("replication_pad3d", nn.ReplicationPad3d(1), volumes)
run("unfold", nn.Unfold((3, 2), dilation=(1, 2), padding=1, stride=2), images)
run("fold", nn.Fold((7, 8), (3, 2), dilation=(1, 2), padding=1, stride=2),
    torch.randn(2, 4 * 6, 4 * 4))
run("embedding_bag", nn.EmbeddingBag(7, 3), torch.tensor([[0, 2, 6], [6, 1, 2]]))
run("embedding_bag_max", nn.EmbeddingBag(7, 3, mode="max"), torch.tensor([[0, 2, 6], [6, 1, 2]]))


def bag(case, module, indices, offsets, weights=None):
    shake(module)
    note_state(case, module)
    file[f"{case}/indices"], file[f"{case}/offsets"] = indices, offsets
    if weights is not None:
        file[f"{case}/weights"] = weights.clone()
        weights.requires_grad_()
    note_gradients(case, module, module(indices, offsets, weights))
    if weights is not None:
        file[f"{case}/weights_grad"] = weights.grad


indices = torch.tensor([0, 2, 6, 6, 1, 2, 3, 0])
bag("bag_mean", nn.EmbeddingBag(7, 3, padding_idx=2), indices, torch.tensor([0, 3, 3, 7]))
bag("bag_sum", nn.EmbeddingBag(7, 3, mode="sum", include_last_offset=True), indices,
    torch.tensor([0, 3, 3, 8]), torch.randn(8))
bag("bag_max", nn.EmbeddingBag(7, 3, mode="max", padding_idx=2), indices,
    torch.tensor([0, 2, 5, 6, 8]))


def label(case, module, x, targets, input_lengths, target_lengths):
    """Of logits: PyTorch's gradient by log-probabilities is that of a log_softmax behind them."""
    x = x.clone().requires_grad_()
    output = module(x.log_softmax(-1), targets, input_lengths, target_lengths)
    output.sum().backward()
    file[f"{case}/input"], file[f"{case}/input_grad"] = x.detach().clone(), x.grad
    file[f"{case}/output"], file[f"{case}/targets"] = output, targets
    file[f"{case}/input_lengths"] = input_lengths
    file[f"{case}/target_lengths"] = target_lengths


spoken = torch.randn(7, 3, 5)
words = torch.tensor([[1, 1, 2, 0], [4, 3, 0, 0], [2, 3, 4, 1]])
lengths = torch.tensor([7, 5, 6])
label("ctc", nn.CTCLoss(), spoken, words, lengths, torch.tensor([3, 2, 4]))
label("ctc_line", nn.CTCLoss(reduction="sum"), spoken, torch.tensor([1, 1, 2, 4, 3]), lengths,
      torch.tensor([3, 2, 0]))
label("ctc_blank", nn.CTCLoss(blank=4, reduction="none"), spoken,
      torch.tensor([[1, 2], [0, 0], [3, 1]]), lengths, torch.tensor([2, 2, 1]))
label("ctc_infinite", nn.CTCLoss(zero_infinity=True), spoken, words, torch.tensor([7, 5, 3]),
      torch.tensor([3, 2, 4]))
label("ctc_single", nn.CTCLoss(), spoken[:, 0], words[0, :3], torch.tensor(7), torch.tensor(3))

safetensors_file.save(os.path.join(HERE, "golden.safetensors"), file)
