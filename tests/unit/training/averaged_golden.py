#!/usr/bin/python3
"""Writes averaged_golden.safetensors: PyTorch's averages of a small network's parameters, and the
running statistics that update_bn computes. Run it with PyTorch 1.13."""
import os
import sys

import torch
from torch import nn
from torch.optim import swa_utils

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "nn"))
import safetensors_file  # noqa: E402

torch.manual_seed(4)
STEPS = 4
file = {"data": torch.randn(10, 3)}


def network():
    return nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4))


states = []
for step in range(STEPS):
    net = network()
    with torch.no_grad():
        for tensor in list(net.parameters()) + [net[1].running_mean]:
            tensor.copy_(torch.randn(tensor.shape))
        net[1].running_var.copy_(torch.rand(4) + 0.5)
    states.append({name: tensor.clone() for name, tensor in net.state_dict().items()})
    for name, tensor in states[-1].items():
        file[f"net/{step}/{name}"] = tensor


def averaged(case, **options):
    net = network()
    net.load_state_dict(states[0])
    average = swa_utils.AveragedModel(net, **options)
    for step in range(STEPS):
        net.load_state_dict(states[step])
        average.update_parameters(net)
    for name, tensor in average.state_dict().items():
        file[f"{case}/{name}"] = tensor.clone()
    return average


average = averaged("swa")
averaged("swa_buffers", use_buffers=True)
averaged("ema", avg_fn=lambda mean, current, count: 0.9 * mean + 0.1 * current)

swa_utils.update_bn([file["data"][start:start + 4] for start in range(0, 10, 4)], average)
for name in ("running_mean", "running_var", "num_batches_tracked"):
    file[f"updated/{name}"] = getattr(average.module[1], name).clone()

safetensors_file.save(os.path.join(HERE, "averaged_golden.safetensors"), file)
