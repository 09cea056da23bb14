#!/usr/bin/env python3
"""Makes neural_golden.txt: what PyTorch (1.13) makes of small inputs, and the gradients that it
gives to sum(output * w), w = 0.5, 0.6, ..., 1.4, 0.5, ... in row-major order. Run it here."""
import math

import torch
import torch.nn.functional as F

cases = []
generator = torch.Generator().manual_seed(4)


def numbers(*shape, low=-2.0, high=2.0):
    """Of three decimals, so that they are short; none near another or near 0."""
    count = math.prod(shape)
    places = torch.randperm(max(count, 1), generator=generator)[:count].double()
    values = low + (high - low) * (places + 0.37) / max(count, 1)
    return torch.round(values * 1000).div(1000).reshape(shape)


def classes(*shape, count, special=None):
    made = torch.randint(0, count, shape, generator=generator)
    if special is not None:
        made.reshape(-1)[1] = special
    return made


def case(name, function, *inputs):
    inputs = [x.clone().requires_grad_() if x.dtype == torch.float64 else x for x in inputs]
    output = function(*inputs)
    weights = (0.5 + 0.1 * (torch.arange(output.numel()) % 10).double()).reshape(output.shape)
    wanted = [x for x in inputs if x.requires_grad]
    gradients = torch.autograd.grad((output * weights).sum(), wanted, allow_unused=True)
    gradients = [torch.zeros_like(x) if g is None else g for x, g in zip(wanted, gradients)]
    cases.append((name, [x.detach() for x in inputs], output.detach(), gradients))


x23 = numbers(2, 3, low=-4, high=8)
for name, function in [
    ("relu6", F.relu6),
    ("leaky_relu", lambda x: F.leaky_relu(x, 0.2)),
    ("elu", lambda x: F.elu(x, 1.3)),
    ("elu_1", F.elu),
    ("selu", F.selu),
    ("gelu", F.gelu),
    ("gelu_tanh", lambda x: F.gelu(x, approximate="tanh")),
    ("silu", F.silu),
    ("mish", F.mish),
    ("softplus", F.softplus),
    ("softsign", F.softsign),
    ("logsigmoid", F.logsigmoid),
    ("hardsigmoid", F.hardsigmoid),
    ("hardswish", F.hardswish),
    ("hardtanh", lambda x: F.hardtanh(x, -0.7, 1.9)),
    ("softmax", lambda x: F.softmax(x, 0)),
    ("log_softmax", lambda x: F.log_softmax(x, -1)),
]:
    case(name, function, x23)
case("prelu_one", F.prelu, x23, numbers(1))
case("prelu_channels", F.prelu, numbers(2, 3, 2), numbers(3))

case("conv1d", lambda x, w, b: F.conv1d(x, w, b, stride=2, padding=1), numbers(2, 3, 7),
     numbers(4, 3, 3), numbers(4))
case("conv1d_single", F.conv1d, numbers(2, 5), numbers(3, 2, 2))
case("conv2d", F.conv2d, numbers(2, 2, 4, 5), numbers(3, 2, 2, 3), numbers(3))
case("conv2d_window", lambda x, w: F.conv2d(x, w, stride=(2, 1), padding=(1, 2), dilation=(1, 2)),
     numbers(1, 2, 5, 4), numbers(2, 2, 3, 2))
case("conv2d_groups", lambda x, w, b: F.conv2d(x, w, b, padding=1, groups=2), numbers(1, 4, 3, 3),
     numbers(4, 2, 3, 3), numbers(4))

case("max_pool1d", lambda x: F.max_pool1d(x, 3, stride=2, padding=1), numbers(2, 2, 6))
case("max_pool2d", lambda x: F.max_pool2d(x, 2), numbers(1, 2, 4, 5))
case("max_pool2d_overlap",
     lambda x: F.max_pool2d(x, (3, 2), stride=(2, 1), padding=1, ceil_mode=True),
     numbers(2, 1, 4, 5))
case("max_pool2d_dilation", lambda x: F.max_pool2d(x, 2, stride=1, dilation=2), numbers(1, 4, 4))
case("avg_pool1d", lambda x: F.avg_pool1d(x, 2), numbers(2, 2, 6))
case("avg_pool2d", lambda x: F.avg_pool2d(x, 3, stride=2, padding=1), numbers(1, 2, 5, 4))
case("avg_pool2d_ceil", lambda x: F.avg_pool2d(x, 3, stride=2, padding=1, ceil_mode=True),
     numbers(1, 1, 6, 5))
case("avg_pool2d_without_padding",
     lambda x: F.avg_pool2d(x, 3, stride=2, padding=1, ceil_mode=True, count_include_pad=False),
     numbers(1, 1, 6, 5))
case("adaptive_avg_pool2d", lambda x: F.adaptive_avg_pool2d(x, (3, 2)), numbers(2, 1, 5, 3))
case("adaptive_avg_pool2d_even", lambda x: F.adaptive_avg_pool2d(x, 2), numbers(1, 2, 4, 6))
case("adaptive_avg_pool2d_one", lambda x: F.adaptive_avg_pool2d(x, 1), numbers(2, 3, 3))


def batch_norm_training(x, mean, var, weight, bias):
    mean, var = mean.detach().clone(), var.detach().clone()
    y = F.batch_norm(x, mean, var, weight, bias, training=True, momentum=0.3, eps=1e-3)
    return torch.cat([y.flatten(), mean, var])


case("batch_norm_training", batch_norm_training, numbers(3, 2, 2), numbers(2),
     numbers(2, low=0.5, high=2), numbers(2), numbers(2))
case("batch_norm_training_2d",
     lambda x: F.batch_norm(x, None, None, training=True), numbers(4, 3))
def batch_norm(x, mean, var, weight, bias):
    return F.batch_norm(x, mean.detach(), var.detach(), weight, bias)


def batch_norm_by_hand(x, mean, var, weight, bias):
    """PyTorch has no gradient by the mean and the variance that are given."""
    m, v, w, b = (t[:, None] for t in (mean, var, weight, bias))
    return (x - m) / (v + 1e-5).sqrt() * w + b


statistics = [numbers(2, 2, 3), numbers(2), numbers(2, low=0.5, high=2), numbers(2), numbers(2)]
assert torch.allclose(batch_norm(*statistics), batch_norm_by_hand(*statistics))
case("batch_norm", batch_norm_by_hand, *statistics)
case("layer_norm", lambda x, w, b: F.layer_norm(x, (3, 2), w, b), numbers(2, 3, 2), numbers(3, 2),
     numbers(3, 2))
case("layer_norm_plain", lambda x: F.layer_norm(x, (4,), eps=0.1), numbers(3, 4))
case("group_norm", lambda x, w, b: F.group_norm(x, 2, w, b), numbers(2, 4, 3), numbers(4),
     numbers(4))
case("rms_norm",
     lambda x, w: x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6) * w, numbers(2, 4),
     numbers(4))


def attention(q, k, v, mask=None, causal=False, scale=None):
    scores = q @ k.transpose(-2, -1) * (scale or 1 / math.sqrt(q.size(-1)))
    if causal:
        mask = torch.ones(q.size(-2), k.size(-2)).tril().bool()
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf) if mask.dtype == torch.bool else scores + mask
    return scores.softmax(-1) @ v


q, k, v = numbers(2, 3, 4), numbers(2, 5, 4), numbers(2, 5, 2)
case("attention", attention, q, k, v)
case("attention_causal", lambda *a: attention(*a, causal=True), q, k, v)
case("attention_scale", lambda *a: attention(*a, scale=0.3), q, k, v)
case("attention_bool", attention, q, k, v,
     torch.tensor([[1, 0, 1, 1, 0], [0, 0, 1, 0, 0], [1, 1, 1, 1, 1]]).bool())
case("attention_float", attention, q, k, v, numbers(3, 5))

logits, labels = numbers(4, 3), torch.tensor([2, 0, 1, 2])
weight = torch.tensor([0.7, 1.6, 0.4]).double()
ignored = torch.tensor([2, -100, 1, 0])
planes, plane_labels = numbers(2, 3, 2, 2), classes(2, 2, 2, count=3, special=1)
shares = F.softmax(numbers(4, 3), 1)
for word in ["mean", "sum", "none"]:
    case(f"cross_entropy_{word}", lambda x, t: F.cross_entropy(x, t, reduction=word), logits,
         labels)
    case(f"cross_entropy_weight_{word}",
         lambda x, t: F.cross_entropy(x, t, weight, reduction=word, ignore_index=1), logits, labels)
    case(f"cross_entropy_smooth_{word}",
         lambda x, t: F.cross_entropy(x, t, reduction=word, label_smoothing=0.2), logits, ignored)
    case(f"cross_entropy_smooth_weight_{word}",
         lambda x, t: F.cross_entropy(x, t, weight, reduction=word, label_smoothing=0.2), logits,
         ignored)
    case(f"cross_entropy_planes_{word}",
         lambda x, t: F.cross_entropy(x, t, weight, reduction=word, ignore_index=1), planes,
         plane_labels)
    case(f"cross_entropy_planes_smooth_{word}",
         lambda x, t: F.cross_entropy(x, t, weight, reduction=word, ignore_index=1,
                                      label_smoothing=0.1), planes, plane_labels)
    case(f"cross_entropy_shares_{word}",
         lambda x, t: F.cross_entropy(x, t, weight, reduction=word, label_smoothing=0.1), logits,
         shares)
    case(f"nll_loss_{word}", lambda x, t: F.nll_loss(x, t, weight, reduction=word), logits, ignored)
    case(f"mse_loss_{word}", lambda x, t: F.mse_loss(x, t, reduction=word), logits, shares)
    case(f"kl_div_{word}", lambda x, t: F.kl_div(x, t, reduction=word), logits, shares)
case("cross_entropy_single", F.cross_entropy, numbers(3), torch.tensor(1))
case("cross_entropy_shares_plain", F.cross_entropy, planes, F.softmax(numbers(2, 3, 2, 2), 1))
case("kl_div_log", lambda x, t: F.kl_div(x, t, reduction="mean", log_target=True), logits,
     numbers(4, 3))
case("l1_loss", F.l1_loss, logits, shares)
case("huber_loss", lambda x, t: F.huber_loss(x, t, delta=0.6), logits, shares)
case("smooth_l1_loss", lambda x, t: F.smooth_l1_loss(x, t, beta=0.6), logits, shares)
case("bce_logits", F.binary_cross_entropy_with_logits, logits, shares)
case("bce_logits_weights",
     lambda x, t: F.binary_cross_entropy_with_logits(x, t, weight, pos_weight=weight * 2,
                                                     reduction="sum"), logits, shares)

image = numbers(1, 2, 3, 4)
case("pad", lambda x: F.pad(x, (1, 2, 0, 1), value=0.5), image)
case("pad_crop", lambda x: F.pad(x, (-1, 2, 1, -2)), image)
case("pad_reflect", lambda x: F.pad(x, (3, 1, 2, 0), mode="reflect"), image)
case("pad_replicate", lambda x: F.pad(x, (2, 1, 0, 3), mode="replicate"), image)
case("pad_circular", lambda x: F.pad(x, (2, 4, 1, 0), mode="circular"), image)
line = numbers(1, 2, 5)
case("nearest", lambda x: F.interpolate(x, size=(5, 3)), image)
case("nearest_scale", lambda x: F.interpolate(x, scale_factor=2.5), image)
case("nearest_line", lambda x: F.interpolate(x, size=3), line)
case("linear", lambda x: F.interpolate(x, size=7, mode="linear"), line)
case("linear_corners", lambda x: F.interpolate(x, size=7, mode="linear", align_corners=True), line)
case("bilinear", lambda x: F.interpolate(x, size=(5, 3), mode="bilinear"), image)
case("bilinear_scale", lambda x: F.interpolate(x, scale_factor=1.7, mode="bilinear"), image)
case("bilinear_corners",
     lambda x: F.interpolate(x, size=(2, 6), mode="bilinear", align_corners=True), image)
case("bicubic", lambda x: F.interpolate(x, size=(5, 3), mode="bicubic"), image)
case("bicubic_corners",
     lambda x: F.interpolate(x, scale_factor=2, mode="bicubic", align_corners=True), image)

case("conv_transpose1d", lambda x, w, b: F.conv_transpose1d(x, w, b, stride=2, padding=1),
     numbers(2, 3, 4), numbers(3, 2, 3), numbers(2))
case("conv_transpose1d_single", F.conv_transpose1d, numbers(2, 4), numbers(2, 3, 2))
case("conv_transpose2d", F.conv_transpose2d, numbers(2, 2, 3, 2), numbers(2, 3, 2, 3), numbers(3))
case("conv_transpose2d_window",
     lambda x, w: F.conv_transpose2d(x, w, stride=(2, 3), padding=(1, 0), output_padding=(1, 2),
                                     dilation=(1, 2)), numbers(1, 2, 3, 2), numbers(2, 2, 3, 2))
case("conv_transpose2d_groups",
     lambda x, w, b: F.conv_transpose2d(x, w, b, stride=2, padding=1, groups=2),
     numbers(1, 4, 3, 3), numbers(4, 1, 4, 4), numbers(2))

chances = torch.sigmoid(logits)
case("bce", F.binary_cross_entropy, chances, shares)
case("bce_weights", lambda x, t: F.binary_cross_entropy(x, t, weight, reduction="sum"), chances,
     shares)
a, b, c = numbers(3, 4), numbers(3, 4), numbers(3, 4)
case("normalize", F.normalize, a)
case("normalize_ones", lambda x: F.normalize(x, p=1, dim=0), a)
case("cosine_similarity", F.cosine_similarity, a, b)
case("cosine_similarity_pairs", lambda x, y: F.cosine_similarity(x[:, None], y, dim=-1), a, b)
case("pairwise_distance", F.pairwise_distance, a, b)
case("pairwise_distance_cubes", lambda x, y: F.pairwise_distance(x, y, p=3, keepdim=True), a, b)
sides = torch.tensor([1, -1, 1])
case("margin_ranking_loss",
     lambda x, y, t: F.margin_ranking_loss(x[:, 0], y[:, 0], t, margin=0.5), a, b, sides)
case("cosine_embedding_loss", lambda x, y, t: F.cosine_embedding_loss(x, y, t, reduction="none"),
     a, b, sides)
case("cosine_embedding_loss_margin",
     lambda x, y, t: F.cosine_embedding_loss(x, y, t, margin=-0.5), a, b, -sides)
case("triplet_margin_loss", F.triplet_margin_loss, a, b, c)
case("triplet_margin_loss_swap",
     lambda x, y, z: F.triplet_margin_loss(x, y, z, margin=2, p=3, swap=True, reduction="none"),
     a, b, c)

case("conv3d", lambda x, w, b: F.conv3d(x, w, b, stride=(1, 2, 1), padding=(1, 0, 1), groups=2),
     numbers(1, 2, 3, 4, 3), numbers(2, 1, 2, 2, 3), numbers(2))
case("conv3d_single", F.conv3d, numbers(1, 2, 3, 3), numbers(2, 1, 2, 2, 2))
case("conv_transpose3d",
     lambda x, w: F.conv_transpose3d(x, w, stride=2, padding=1, output_padding=1),
     numbers(1, 2, 2, 2, 2), numbers(2, 1, 3, 2, 3))
case("max_pool3d", lambda x: F.max_pool3d(x, 2, stride=1, padding=1), numbers(1, 2, 3, 2, 3))
case("avg_pool3d", lambda x: F.avg_pool3d(x, (1, 2, 3), padding=(0, 1, 1),
                                          count_include_pad=False), numbers(2, 1, 2, 3, 5))
case("adaptive_avg_pool1d", lambda x: F.adaptive_avg_pool1d(x, 3), numbers(2, 2, 7))
case("adaptive_avg_pool1d_single", lambda x: F.adaptive_avg_pool1d(x, 2), numbers(2, 4))
case("adaptive_avg_pool3d", lambda x: F.adaptive_avg_pool3d(x, (2, 2, 1)), numbers(1, 1, 3, 4, 3))
case("adaptive_avg_pool3d_one", lambda x: F.adaptive_avg_pool3d(x, 1), numbers(1, 2, 2, 2, 2))
case("adaptive_max_pool1d", lambda x: F.adaptive_max_pool1d(x, 5), numbers(2, 2, 7))
case("adaptive_max_pool2d", lambda x: F.adaptive_max_pool2d(x, (3, 2)), numbers(2, 1, 5, 3))
case("adaptive_max_pool2d_even", lambda x: F.adaptive_max_pool2d(x, (2, 3)), numbers(2, 4, 6))
case("adaptive_max_pool2d_larger", lambda x: F.adaptive_max_pool2d(x, (4, 5)), numbers(1, 1, 3, 2))
case("adaptive_max_pool3d", lambda x: F.adaptive_max_pool3d(x, 2), numbers(1, 3, 3, 2))


def instance_norm_running(x, mean, var, weight, bias):
    mean, var = mean.detach().clone(), var.detach().clone()
    y = F.instance_norm(x, mean, var, weight, bias, True, 0.3, 1e-3)
    return torch.cat([y.flatten(), mean, var])


case("instance_norm", F.instance_norm, numbers(2, 3, 4))
case("instance_norm_running", instance_norm_running, numbers(2, 2, 3, 2), numbers(2),
     numbers(2, low=0.5, high=2), numbers(2), numbers(2))
case("glu", F.glu, numbers(3, 4))
case("glu_first", lambda x: F.glu(x, 0), numbers(4, 3))
case("pixel_shuffle", lambda x: F.pixel_shuffle(x, 2), numbers(2, 1, 8, 2, 3))
case("pixel_unshuffle", lambda x: F.pixel_unshuffle(x, 3), numbers(2, 3, 6))
case("unfold", lambda x: F.unfold(x, 2), numbers(2, 2, 3, 4))
case("unfold_window", lambda x: F.unfold(x, (2, 3), dilation=(2, 1), padding=(1, 2),
                                         stride=(1, 2)), numbers(2, 4, 3))
case("fold", lambda x: F.fold(x, (3, 4), 2), numbers(2, 8, 6))
case("fold_window", lambda x: F.fold(x, (4, 3), (2, 3), dilation=(2, 1), padding=(1, 2),
                                     stride=(1, 2)), numbers(6, 12))
words = classes(3, 4, count=5)
bags = classes(8, count=5)
offsets = torch.tensor([0, 3, 3, 6])
table = numbers(5, 3)
case("embedding_bag", F.embedding_bag, words, table)
case("embedding_bag_max", lambda i, w: F.embedding_bag(i, w, mode="max"), words, table)
case("embedding_bag_sum",
     lambda i, w, o, s: F.embedding_bag(i, w, o, mode="sum", per_sample_weights=s), bags, table,
     offsets, numbers(8))
case("embedding_bag_mean", lambda i, w, o: F.embedding_bag(i, w, o, padding_idx=1), bags, table,
     offsets)
case("embedding_bag_greatest", lambda i, w, o: F.embedding_bag(i, w, o, mode="max"), bags, table,
     offsets)


def ctc(x, targets, inputs, lengths, **how):
    """PyTorch's gradient by log-probabilities is that of a log_softmax behind them."""
    return F.ctc_loss(x.log_softmax(-1), targets, inputs, lengths, **how)


spoken = numbers(5, 2, 4)
case("ctc_loss", ctc, spoken, torch.tensor([[1, 1, 2], [3, 2, 0]]), torch.tensor([5, 4]),
     torch.tensor([3, 2]))
case("ctc_loss_line", lambda *a: ctc(*a, reduction="none", blank=2), spoken,
     torch.tensor([1, 1, 3]), torch.tensor([5, 4]), torch.tensor([3, 0]))
case("ctc_loss_infinite", lambda *a: ctc(*a, zero_infinity=True), spoken,
     torch.tensor([[1, 1, 2], [3, 2, 0]]), torch.tensor([3, 4]), torch.tensor([3, 2]))


def line(word, x):
    dtype = str(x.dtype).removeprefix("torch.")
    extents = " ".join(map(str, x.shape))
    values = " ".join(repr(round(float(v), 12)) for v in x.reshape(-1).tolist())
    return " ".join(f"{word} {dtype} | {extents} | {values}".split()) + "\n"


with open("neural_golden.txt", "w", encoding="ascii") as file:
    for name, inputs, output, gradients in cases:
        file.write(f"case {name}\n")
        file.writelines(line("input", x) for x in inputs)
        file.write(line("output", output))
        file.writelines(line("gradient", x) for x in gradients)
