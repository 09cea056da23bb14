#!/usr/bin/python3
"""Writes texts_golden.txt: how PyTorch prints modules. Run it with 1.13."""
import os

from torch import nn

HERE = os.path.dirname(os.path.abspath(__file__))

layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
CASES = {
    "linear": nn.Linear(784, 512),
    "linear_no_bias": nn.Linear(3, 4, bias=False),
    "bilinear": nn.Bilinear(3, 4, 5),
    "conv1d": nn.Conv1d(4, 6, 3, stride=2, padding=1, groups=2, bias=False),
    "conv2d": nn.Conv2d(1, 6, 5),
    "conv2d_dilated": nn.Conv2d(4, 2, (3, 2), stride=(2, 1), padding=(0, 1), dilation=(1, 2)),
    "conv2d_same": nn.Conv2d(4, 2, 3, padding="same", padding_mode="circular"),
    "conv2d_valid": nn.Conv2d(4, 2, 3, padding="valid"),
    "conv_transpose1d": nn.ConvTranspose1d(4, 2, 3, stride=2, dilation=2, bias=False),
    "conv_transpose2d": nn.ConvTranspose2d(4, 6, (3, 4), stride=2, padding=1,
                                           output_padding=(1, 0), groups=2),
    "max_pool1d": nn.MaxPool1d(3, stride=2, padding=1),
    "max_pool2d": nn.MaxPool2d((3, 2), ceil_mode=True),
    "avg_pool1d": nn.AvgPool1d(2),
    "avg_pool2d": nn.AvgPool2d(3, stride=2, padding=1, count_include_pad=False),
    "adaptive_avg_pool2d": nn.AdaptiveAvgPool2d((4, 2)),
    "adaptive_avg_pool2d_one": nn.AdaptiveAvgPool2d(1),
    "batch_norm1d": nn.BatchNorm1d(6, momentum=None),
    "batch_norm2d": nn.BatchNorm2d(3, eps=0.01, affine=False, track_running_stats=False),
    "layer_norm": nn.LayerNorm([4, 6]),
    "layer_norm_plain": nn.LayerNorm(6, eps=1e-12, elementwise_affine=False),
    "group_norm": nn.GroupNorm(3, 6),
    "group_norm_plain": nn.GroupNorm(3, 6, affine=False),
    "embedding": nn.Embedding(7, 3),
    "embedding_padded": nn.Embedding(7, 3, padding_idx=2),
    "flatten": nn.Flatten(),
    "unflatten": nn.Unflatten(1, (2, 3)),
    "identity": nn.Identity(),
    "dropout": nn.Dropout(0.25),
    "relu": nn.ReLU(), "relu6": nn.ReLU6(), "selu": nn.SELU(), "silu": nn.SiLU(),
    "mish": nn.Mish(), "softplus": nn.Softplus(), "softsign": nn.Softsign(),
    "sigmoid": nn.Sigmoid(), "log_sigmoid": nn.LogSigmoid(), "hardsigmoid": nn.Hardsigmoid(),
    "hardswish": nn.Hardswish(), "tanh": nn.Tanh(), "leaky_relu": nn.LeakyReLU(0.2),
    "elu": nn.ELU(0.7), "hardtanh": nn.Hardtanh(), "gelu": nn.GELU(),
    "gelu_tanh": nn.GELU("tanh"), "prelu": nn.PReLU(), "prelu_channels": nn.PReLU(4),
    "softmax": nn.Softmax(1), "log_softmax": nn.LogSoftmax(-1),
    "cross_entropy": nn.CrossEntropyLoss(), "bce": nn.BCELoss(), "mse": nn.MSELoss(),
    "triplet_margin": nn.TripletMarginLoss(),
    "attention": nn.MultiheadAttention(8, 2),
    "encoder": nn.TransformerEncoder(layer, 2, nn.LayerNorm(8)),
    "nothing": nn.Sequential(),
    "list": nn.ModuleList([nn.Linear(2, 3), nn.ReLU()]),
    "nested": nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.Sequential(nn.ReLU(), nn.Flatten()),
                            nn.Sequential(), nn.Linear(144, 10)),
}
with open(os.path.join(HERE, "texts_golden.txt"), "w", encoding="ascii") as file:
    for name, module in CASES.items():
        text = repr(module).replace("NonDynamicallyQuantizableLinear", "Linear")
        file.write(f"case {name}\n{text}\nend\n")
