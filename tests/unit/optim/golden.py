#!/usr/bin/python3
"""Writes golden.safetensors: parameters after each step of PyTorch's optimizers, rates of its
schedules, and clipped gradients. Run it with PyTorch 1.13."""
import os
import sys

import torch
from torch import optim
from torch.optim import lr_scheduler as schedules, swa_utils

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "nn"))
import safetensors_file  # noqa: E402

torch.manual_seed(11)
STEPS = 5
SHAPES = [(3, 2), (4,)]
first = [torch.randn(shape, dtype=torch.float64) for shape in SHAPES]
gradients = [[torch.randn(shape, dtype=torch.float64) for shape in SHAPES] for _ in range(STEPS)]
file = {}
for i in range(len(SHAPES)):
    file[f"first/{i}"] = first[i]
    for step in range(STEPS):
        file[f"grad/{step}/{i}"] = gradients[step][i]


def learn(case, make, dtype=torch.float32, schedule=None, steps=STEPS, shrink=None):
    parameters = [torch.nn.Parameter(value.to(dtype, copy=True)) for value in first]
    optimizer = make(parameters)
    following = schedule(optimizer) if schedule else None
    for step in range(steps):
        for i, parameter in enumerate(parameters):
            parameter.grad = gradients[step % STEPS][i].to(dtype, copy=True)
        if shrink:
            for parameter in parameters:
                parameter.data.mul_(1 - shrink)
        optimizer.step()
        if following:
            following.step()
        for i, parameter in enumerate(parameters):
            file[f"{case}/{step}/{i}"] = parameter.detach().clone()


OPTIMIZERS = {
    "sgd": lambda p: optim.SGD(p, lr=0.1),
    "sgd_decay": lambda p: optim.SGD(p, lr=0.1, weight_decay=0.02),
    "sgd_momentum": lambda p: optim.SGD(p, lr=0.1, momentum=0.9, dampening=0.3, weight_decay=0.02),
    "sgd_nesterov": lambda p: optim.SGD(p, lr=0.1, momentum=0.8, nesterov=True),
    "adam": lambda p: optim.Adam(p, lr=0.05),
    "adam_decay": lambda p: optim.Adam(p, lr=0.05, betas=(0.8, 0.95), eps=1e-6, weight_decay=0.1),
    "adamw": lambda p: optim.AdamW(p, lr=0.05, weight_decay=0.1),
    "adam_amsgrad": lambda p: optim.Adam(p, lr=0.05, betas=(0.8, 0.6), weight_decay=0.1,
                                         amsgrad=True),
    "adamw_amsgrad": lambda p: optim.AdamW(p, lr=0.05, betas=(0.8, 0.6), amsgrad=True),
    "rmsprop": lambda p: optim.RMSprop(p, lr=0.01),
    "rmsprop_momentum": lambda p: optim.RMSprop(p, lr=0.01, alpha=0.9, momentum=0.7,
                                                weight_decay=0.1),
    "rmsprop_centered": lambda p: optim.RMSprop(p, lr=0.01, alpha=0.9, momentum=0.7,
                                                centered=True),
    "groups": lambda p: optim.SGD([{"params": [p[0]], "lr": 0.2}, {"params": [p[1]],
                                                                   "momentum": 0.5}], lr=0.01),
}
for case, make in OPTIMIZERS.items():
    learn(case, make)
    learn(case + "_float64", make, torch.float64)

# NAdam's other implementation takes one momentum twice. What shrinks parameters aside, as decoupled_weight_decay does, which PyTorch 1.13 has not.
NEW_OPTIMIZERS = {
    "adagrad": (lambda p: optim.Adagrad(p, lr=0.1), None),
    "adagrad_decay": (lambda p: optim.Adagrad(p, lr=0.1, lr_decay=0.2, weight_decay=0.1, eps=1e-3,
                                              initial_accumulator_value=0.5), None),
    "adadelta": (lambda p: optim.Adadelta(p), None),
    "adadelta_decay": (lambda p: optim.Adadelta(p, lr=0.5, rho=0.8, eps=1e-3, weight_decay=0.1),
                       None),
    "nadam": (lambda p: optim.NAdam(p, lr=0.05, foreach=True), None),
    "nadam_decay": (lambda p: optim.NAdam(p, lr=0.05, betas=(0.8, 0.95), eps=1e-6,
                                          weight_decay=0.1, momentum_decay=0.01, foreach=True), None),
    "nadam_decoupled": (lambda p: optim.NAdam(p, lr=0.05, foreach=True), 0.05 * 0.1),
    "radam": (lambda p: optim.RAdam(p, lr=0.05, betas=(0.9, 0.9)), None),
    "radam_decay": (lambda p: optim.RAdam(p, lr=0.05, betas=(0.8, 0.95), eps=1e-6,
                                          weight_decay=0.1), None),
    "radam_decoupled": (lambda p: optim.RAdam(p, lr=0.05, betas=(0.9, 0.9)), 0.05 * 0.1),
}
LONG = 10  # steps after which the averages of RAdam are of enough
for case, (make, shrink) in NEW_OPTIMIZERS.items():
    for dtype, ending in ((torch.float32, ""), (torch.float64, "_float64")):
        torch.set_default_dtype(dtype)  # that of the product of NAdam's momenta
        learn(case + ending, make, dtype, steps=LONG, shrink=shrink)
torch.set_default_dtype(torch.float32)


def bowl(x):
    return (torch.arange(1, 11, dtype=x.dtype) * (x - 1) ** 2).sum() + 0.1 * (x ** 4).sum()


def valley(x):
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()


def descend(case, function, **options):
    for dtype, ending in ((torch.float32, ""), (torch.float64, "_float64")):
        parameters = [torch.nn.Parameter(value.to(dtype, copy=True)) for value in first]
        optimizer = optim.LBFGS(parameters, **options)
        losses = []

        def closure():
            optimizer.zero_grad()
            loss = function(torch.cat([parameter.flatten() for parameter in parameters]))
            loss.backward()
            return loss

        for step in range(STEPS):
            losses.append(optimizer.step(closure).detach())
            for i, parameter in enumerate(parameters):
                file[f"{case}{ending}/{step}/{i}"] = parameter.detach().clone()
        file[f"{case}{ending}/losses"] = torch.stack(losses)
        file[f"{case}{ending}/func_evals"] = torch.tensor(
            optimizer.state_dict()["state"][0]["func_evals"])


descend("lbfgs", bowl, lr=0.5, max_iter=3)
descend("lbfgs_short", bowl, lr=0.8, max_iter=4, max_eval=3, history_size=2)
descend("lbfgs_wolfe", valley, max_iter=4, line_search_fn="strong_wolfe")
descend("lbfgs_wolfe_short", valley, max_iter=6, history_size=3, line_search_fn="strong_wolfe")


def one_cycle(optimizer):
    return schedules.OneCycleLR(optimizer, max_lr=0.3, total_steps=STEPS + 1)


learn("sgd_one_cycle", OPTIMIZERS["sgd_momentum"], schedule=one_cycle)
learn("adam_one_cycle", OPTIMIZERS["adam"], schedule=one_cycle)


def rates(case, *makes, epochs=14, momentum=None, metrics=None):
    parameter = torch.nn.Parameter(torch.zeros(1))
    optimizer = (optim.Adam([parameter], lr=0.4) if momentum == "betas"
                 else optim.SGD([parameter], lr=0.4, momentum=0.9))
    following = [make(optimizer) for make in makes]
    seen, momenta = [], []
    for epoch in range(epochs):
        group = optimizer.param_groups[0]
        seen.append(group["lr"])
        momenta.append(group["betas"][0] if momentum == "betas" else group["momentum"])
        optimizer.step()
        if epoch + 1 < epochs:
            for schedule in following:
                schedule.step(*([metrics[epoch]] if metrics else []))
    file[f"rates/{case}"] = torch.tensor(seen, dtype=torch.float64)
    file[f"momenta/{case}"] = torch.tensor(momenta, dtype=torch.float64)


rates("lambda", lambda o: schedules.LambdaLR(o, lambda epoch: 1 / (1 + epoch)))
rates("step", lambda o: schedules.StepLR(o, 3, 0.5))
rates("multi_step", lambda o: schedules.MultiStepLR(o, [2, 5, 5, 9], 0.5))
rates("exponential", lambda o: schedules.ExponentialLR(o, 0.9))
rates("linear", lambda o: schedules.LinearLR(o, 0.25, 0.8, 6))
rates("cosine", lambda o: schedules.CosineAnnealingLR(o, 5, 0.01))
rates("warm_cosine", lambda o: schedules.LinearLR(o, 0.25, 1, 4),
      lambda o: schedules.CosineAnnealingLR(o, 10))
rates("one_cycle", lambda o: schedules.OneCycleLR(o, 1.0, 14))
rates("one_cycle_linear", lambda o: schedules.OneCycleLR(
    o, 1.0, 14, anneal_strategy="linear", three_phase=True), momentum="betas")
rates("constant", lambda o: schedules.ConstantLR(o, 0.25, 4))
rates("polynomial", lambda o: schedules.PolynomialLR(o, 8, 2.5))
rates("warm_restarts", lambda o: schedules.CosineAnnealingWarmRestarts(o, 3, 2, 0.01))
rates("warm_restarts_equal", lambda o: schedules.CosineAnnealingWarmRestarts(o, 4))
rates("cyclic", lambda o: schedules.CyclicLR(o, 0.1, 0.9, 3))
rates("cyclic_halved", lambda o: schedules.CyclicLR(
    o, 0.1, 0.9, 2, 4, mode="triangular2", base_momentum=0.7, max_momentum=0.95))
rates("cyclic_range", lambda o: schedules.CyclicLR(
    o, 0.1, 0.9, 3, mode="exp_range", gamma=0.9, cycle_momentum=False))
rates("cyclic_scaled", lambda o: schedules.CyclicLR(
    o, 0.1, 0.9, 3, scale_fn=lambda x: 1 / (1 + x), scale_mode="iterations"))
rates("sequential", lambda o: schedules.SequentialLR(
    o, [schedules.ConstantLR(o, 0.1, 2), schedules.ExponentialLR(o, 0.9),
        schedules.CosineAnnealingLR(o, 4)], [3, 8]))
rates("sequential_warm", lambda o: schedules.SequentialLR(
    o, [schedules.LinearLR(o, 0.1, 1, 4), schedules.CosineAnnealingWarmRestarts(o, 3)], [4]))
rates("swa", lambda o: swa_utils.SWALR(o, 0.05, 5))
rates("swa_linear", lambda o: swa_utils.SWALR(o, 0.05, 4, "linear"))
rates("swa_at_once", lambda o: swa_utils.SWALR(o, 0.05, 0))


def fractional():
    parameter = torch.nn.Parameter(torch.zeros(1))
    optimizer = optim.SGD([parameter], lr=0.4)
    schedule = schedules.CosineAnnealingWarmRestarts(optimizer, 2, 3, 0.01)
    seen = []
    for i in range(40):
        schedule.step(i / 4)
        seen.append(optimizer.param_groups[0]["lr"])
    for _ in range(4):
        schedule.step()
        seen.append(optimizer.param_groups[0]["lr"])
    file["rates/warm_restarts_fractional"] = torch.tensor(seen, dtype=torch.float64)


fractional()
METRICS = [3, 2, 2, 2, 2, 1, 1.5, 1, 1, 1, 1, 1, 1, 1]
file["metrics"] = torch.tensor(METRICS, dtype=torch.float64)
rates("plateau", lambda o: schedules.ReduceLROnPlateau(o, factor=0.5, patience=1, cooldown=1),
      metrics=METRICS)
rates("plateau_max", lambda o: schedules.ReduceLROnPlateau(
    o, mode="max", factor=0.5, patience=2, threshold=0.5, threshold_mode="abs", min_lr=0.15),
    metrics=METRICS)

for norm_type in (1.0, 2.0, float("inf")):
    for limit in (0.5, 100.0):
        parameters = [torch.nn.Parameter(value.float()) for value in first]
        for i, parameter in enumerate(parameters):
            parameter.grad = gradients[0][i].float()
        case = f"clip_{norm_type:g}_{limit:g}"
        file[f"{case}/norm"] = torch.nn.utils.clip_grad_norm_(parameters, limit, norm_type)
        for i, parameter in enumerate(parameters):
            file[f"{case}/{i}"] = parameter.grad

safetensors_file.save(os.path.join(HERE, "golden.safetensors"), file)
