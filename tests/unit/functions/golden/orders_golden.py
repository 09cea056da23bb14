"""Makes orders_golden.txt: what PyTorch (2.11) gives for the cases of orders_test.cpp in float64: a
result, its gradients and theirs. Run it in this folder.

Inputs are odd multiples of 1/64 that bfloat16 holds exactly: the figures are those of any dtype, to
its precision, and none is at a kink. Where PyTorch has no second derivative there is no line.
"""

import math

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

torch.set_default_dtype(torch.float64)
INDEX = torch.tensor([[0, 2, 1, 2], [1, 1, 0, 2]])


def numbers(shape, salt):
    """numbers() of orders_test.cpp."""
    whole = (torch.arange(1, math.prod(shape) + 1) * 37 + salt * 11) % 101
    return ((2 * whole - 101) / 64).reshape(shape)


def square(n, salt):
    """Matrices that are far from singular."""
    return numbers((2, n, n), salt) / 4 + 2 * torch.eye(n)


def definite(n, salt):
    half = numbers((2, n, n), salt) / 4
    return half @ half.transpose(1, 2) + torch.eye(n)


def module(made, call):
    """A function of the module's input: its parameters are numbers, too."""
    for position, (_, parameter) in enumerate(sorted(made.named_parameters())):
        parameter.data = numbers(tuple(parameter.shape), 30 + position) / 4
        parameter.requires_grad_(False)
    return lambda *inputs: call(made, *inputs)


def reduced(reduction, include_self=True):
    return lambda x, y: x.scatter_reduce(1, INDEX, y, reduction, include_self=include_self)


def transformer(layers_of, *shape):
    return layers_of(8, 2, *shape, 16, dropout=0.0)


A, B = (2, 4), (2, 3, 4)
CASES = {
    "glu": ([A], F.glu),
    "prelu": ([B, (3,)], F.prelu),
    "conv3d": ([(1, 2, 3, 3, 3), (2, 2, 2, 2, 2), (2,)],
               lambda x, w, b: F.conv3d(x, w, b, padding=1, stride=2)),
    "conv_transpose3d": ([(1, 2, 2, 2, 2), (2, 1, 2, 2, 2), (1,)],
                         lambda x, w, b: F.conv_transpose3d(x, w, b, stride=2, padding=1)),
    "max_pool3d": ([(1, 1, 3, 4, 4)], lambda x: F.max_pool3d(x, 2, stride=1, padding=1)),
    "avg_pool3d": ([(1, 1, 3, 4, 4)],
                   lambda x: F.avg_pool3d(x, 2, stride=1, padding=1, count_include_pad=False)),
    "instance_norm": ([(2, 2, 3), (2,), (2,)],
                      lambda x, w, b: F.instance_norm(x, weight=w, bias=b)),
    "upsample": ([(1, 1, 2, 3)],
                 lambda x: F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=True)),
    "pixel_shuffle": ([(1, 4, 2, 2)], lambda x: F.pixel_shuffle(x, 2) ** 2),
    "grid_sample": ([(1, 2, 3, 3), (1, 2, 2, 2)],
                    lambda x, g: F.grid_sample(x, g, align_corners=False)),
    "ctc_loss": ([(4, 2, 3)], lambda x: F.ctc_loss(
        x.log_softmax(2), torch.tensor([[1, 2], [2, 0]]), torch.tensor([4, 3]),
        torch.tensor([2, 1]), reduction="none")),
    "embedding_bag": ([(5, 3)], lambda w: F.embedding_bag(
        torch.tensor([0, 2, 2, 4]), w, torch.tensor([0, 3]), mode="mean") ** 2),
    "median": ([B], lambda x: (x ** 2).median(1).values),
    "quantile": ([B], lambda x: (x ** 2).quantile(0.3, 1)),
    "cumprod": ([B], lambda x: x.cumprod(1)),
    "cummax": ([B], lambda x: (x ** 2).cummax(1).values),
    "meshgrid": ([(3,), (2,)],
                 lambda x, y: torch.mul(*torch.meshgrid(x, y, indexing="ij"))),
    "repeat_interleave": ([A], lambda x: x.repeat_interleave(torch.tensor([1, 0, 2, 1]), 1) ** 2),
    "cdist": ([(3, 2), (2, 2)], torch.cdist),
    "tensordot": ([(2, 3), (3, 2)], lambda x, y: torch.tensordot(x, y, 1)),
    "diff": ([B], lambda x: (x ** 2).diff(2, 2)),
    "take_along_dim": ([(3, 4)], lambda x: x.take_along_dim(INDEX, 0) ** 2),
    "scatter_reduce_sum": ([A, A], lambda x, y: reduced("sum")(x, y) ** 2),
    "scatter_reduce_mean": ([A, A], lambda x, y: reduced("mean", False)(x, y) ** 2),
    "scatter_reduce_amax": ([A, A], lambda x, y: reduced("amax")(x, y) ** 2),
    "scatter_reduce_prod": ([A, A], reduced("prod")),
    "inv": ([square(3, 1)], torch.linalg.inv),
    "solve": ([square(3, 1), (2, 3, 2)], torch.linalg.solve),
    "det": ([square(3, 1)], torch.linalg.det),
    "svdvals": ([square(3, 1)], torch.linalg.svdvals),
    "qr": ([square(3, 1)], lambda x: torch.linalg.qr(x).R.abs()),
    "cholesky": ([definite(3, 1)],
                 lambda x: torch.linalg.cholesky((x + x.transpose(1, 2)) / 2)),
    "irfft": ([(2, 5)], lambda x: torch.fft.irfft(torch.fft.rfft(x) ** 2, 5)),
    "lstm": ([(3, 2, 3)], module(nn.LSTM(3, 2, num_layers=2, bidirectional=True),
                                 lambda net, x: net(x)[0])),
    "gru": ([(3, 2, 3)], module(nn.GRU(3, 2), lambda net, x: net(x)[0])),
    "rnn": ([(3, 2, 3)], module(nn.RNN(3, 2), lambda net, x: net(x)[0])),
    "lstm_cell": ([(2, 3)], module(nn.LSTMCell(3, 2), lambda net, x: net(x)[0])),
    "gru_cell": ([(2, 3)], module(nn.GRUCell(3, 2), lambda net, x: net(x))),
    "rnn_cell": ([(2, 3)], module(nn.RNNCell(3, 2), lambda net, x: net(x))),
    "transformer_decoder_layer": ([(2, 1, 8), (3, 1, 8)],
                                  module(transformer(nn.TransformerDecoderLayer),
                                         lambda net, x, memory: net(x, memory))),
    "transformer": ([(2, 1, 8), (3, 1, 8)], module(transformer(nn.Transformer, 1, 1),
                                                   lambda net, x, y: net(x, y))),
}


def weighted(tensors, salt):
    return sum((t * numbers(tuple(t.shape), salt + k)).sum() for k, t in enumerate(tensors))


def orders(inputs, function):
    """The result, the gradients of its weighted sum, and those of their weighted sum."""
    leaves = [(numbers(x, k) if isinstance(x, tuple) else x).requires_grad_()
              for k, x in enumerate(inputs)]
    result = function(*leaves)
    first = torch.autograd.grad(weighted([result], 50), leaves, create_graph=True)
    yield "result", result
    for k, gradient in enumerate(first):
        yield f"first_{k}", gradient
    total = weighted(first, 60)
    try:
        second = torch.autograd.grad(total, leaves, allow_unused=True) if total.requires_grad else (
            [None] * len(leaves))
    except RuntimeError as error:
        if "not implemented" not in str(error):
            raise
        return
    for k, (gradient, leaf) in enumerate(zip(second, leaves)):
        yield f"second_{k}", torch.zeros_like(leaf) if gradient is None else gradient


if __name__ == "__main__":
    # The other kernels of attention have no second derivative.
    with sdpa_kernel(SDPBackend.MATH), open("orders_golden.txt", "w", encoding="ascii") as file:
        for name, (inputs, function) in CASES.items():
            for part, tensor in orders(inputs, function):
                extents = " ".join(map(str, tensor.shape))
                values = " ".join(f"{v:.15g}" for v in tensor.detach().flatten().tolist())
                line = f"{name}.{part} | float64 | {extents} | {values}"
                file.write(" ".join(line.split()) + "\n")
