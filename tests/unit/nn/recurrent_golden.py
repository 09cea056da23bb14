#!/usr/bin/python3
"""Writes recurrent_golden.safetensors: what PyTorch's recurrent layers compute. Run it with 1.13.

Of a case: CASE/state/NAME what is loaded, CASE/input, CASE/h and CASE/c the states that are given,
CASE/output, CASE/h_n, CASE/c_n, and the gradients of sum(output * seed) + sum(h_n * h_seed) +
sum(c_n * c_seed) by the input, the states and the parameters: CASE/input_grad, CASE/h_grad,
CASE/c_grad, CASE/grad/NAME.
"""
import os

import torch
from torch import nn

import safetensors_file

HERE = os.path.dirname(os.path.abspath(__file__))
torch.manual_seed(11)
file = {}


def note(case, **tensors):
    for name, tensor in tensors.items():
        if tensor is not None:
            file[f"{case}/{name}"] = tensor.detach().clone()


def run(case, module, x, states=()):
    """Of a layer, or of a cell, whose output is its state h."""
    for name, tensor in module.state_dict().items():
        file[f"{case}/state/{name}"] = tensor.clone()
    x = x.clone().requires_grad_()
    states = [state.clone().requires_grad_() for state in states]
    is_lstm = isinstance(module, (nn.LSTM, nn.LSTMCell))
    given = (tuple(states) if is_lstm else states[0],) if states else ()
    made = module(x, *given)
    is_cell = isinstance(module, nn.RNNCellBase)
    output, last = (None, made) if is_cell else made
    outputs = [output] + (list(last) if is_lstm else [last, None])
    seeds = [None if made is None else torch.randn_like(made) for made in outputs]
    sum((made * seed).sum() for made, seed in zip(outputs, seeds) if made is not None).backward()
    note(case, input=x, input_grad=x.grad)
    for name, state in zip(("h", "c"), states):
        note(case, **{name: state, f"{name}_grad": state.grad})
    for name, made, seed in zip(("output", "h_n", "c_n"), outputs, seeds):
        note(case, **{name: made, f"{name}_seed": seed})
    for name, parameter in module.named_parameters():
        file[f"{case}/grad/{name}"] = parameter.grad


def states(*shape, count=1):
    return [torch.randn(*shape) for _ in range(count)]


x = torch.randn(5, 3, 4)
run("rnn", nn.RNN(4, 6), x)
run("rnn_relu", nn.RNN(4, 6, num_layers=2, nonlinearity="relu"), x, states(2, 3, 6))
run("rnn_both", nn.RNN(4, 6, batch_first=True, bidirectional=True, bias=False),
    x.transpose(0, 1).contiguous(), states(2, 3, 6))
run("gru", nn.GRU(4, 6), x)
run("gru_deep", nn.GRU(4, 6, num_layers=2, bidirectional=True), x, states(4, 3, 6))
run("gru_single", nn.GRU(4, 6, num_layers=2, bias=False), x[:, 0], states(2, 6))
run("lstm", nn.LSTM(4, 6), x)
run("lstm_deep", nn.LSTM(4, 6, num_layers=2, bidirectional=True, batch_first=True),
    x.transpose(0, 1).contiguous(), states(4, 3, 6, count=2))
run("lstm_single", nn.LSTM(4, 6, bias=False), x[:, 0], states(1, 6, count=2))
run("lstm_projected", nn.LSTM(4, 6, num_layers=2, bidirectional=True, proj_size=3), x,
    states(4, 3, 3) + states(4, 3, 6))
run("lstm_projected_no_bias", nn.LSTM(4, 6, bias=False, proj_size=3), x)
run("rnn_cell", nn.RNNCell(4, 6), x[0], states(3, 6))
run("rnn_cell_relu", nn.RNNCell(4, 6, nonlinearity="relu", bias=False), x[0])
run("gru_cell", nn.GRUCell(4, 6), x[0], states(3, 6))
run("gru_cell_single", nn.GRUCell(4, 6), x[0, 0], states(6))
run("lstm_cell", nn.LSTMCell(4, 6), x[0], states(3, 6, count=2))
run("lstm_cell_no_bias", nn.LSTMCell(4, 6, bias=False), x[0])

safetensors_file.save(os.path.join(HERE, "recurrent_golden.safetensors"), file)
