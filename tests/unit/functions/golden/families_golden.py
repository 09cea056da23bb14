"""Makes cumulative_golden.txt, arrangement_golden.txt, contraction_golden.txt,
scatter_reduction_golden.txt, quantile_golden.txt, counting_golden.txt and sampling_golden.txt: what
PyTorch (1.13) gives for the cases that the tests of these names compute. Run it in this folder."""

import itertools
import warnings

import torch

from torch_golden import INF, NAN, gradient, write

warnings.simplefilter("ignore")

X = torch.tensor([[3.0, -1.0, 2.0, 2.0], [0.5, 4.0, -4.0, 0.0], [-2.0, 1.5, 1.0, 3.0]])
ODD = torch.tensor([[1.0, NAN, 2.0], [INF, 1.0, -INF], [-INF, -INF, -INF]])
TIES = torch.tensor([[2.0, 5.0, 5.0], [7.0, 7.0, 7.0]])
WHOLE = torch.tensor([[1, 2, 3], [4, 0, -6]])
SMALL = torch.tensor([[1, 2, 100], [0, 3, 120]], dtype=torch.int8)
TRUTHS = torch.tensor([[True, False], [True, True]])
NONE = torch.zeros(0, 3)
SCALAR = torch.tensor(-3.0)
HALVES = torch.tensor([400.0, -300.0, 350.0, 10.0], dtype=torch.float16)
ZEROS = torch.tensor([[0.0, 2.0, 3.0], [0.0, 0.0, 4.0], [2.0, 3.0, 4.0]])
CUBE = torch.arange(24.0).reshape(2, 3, 4)


def weighted(result):
    """A sum in which every element counts in its own way."""
    flat = result.flatten()
    return (flat * (torch.arange(flat.numel(), dtype=flat.dtype) + 1)).sum()


def cumulative():
    cases = {}
    inputs = {"x": X, "turned": X.t(), "odd": ODD, "ties": TIES, "whole": WHOLE, "small": SMALL,
              "truths": TRUTHS, "none": NONE}
    for (name, t), dim in itertools.product(inputs.items(), (0, 1)):
        at = f"{name}_{dim}"
        cases[f"cumprod_{at}"] = t.cumprod(dim)
        cases[f"cummax_values_{at}"] = t.cummax(dim).values
        cases[f"cummax_indices_{at}"] = t.cummax(dim).indices
        cases[f"cummin_values_{at}"] = t.cummin(dim).values
        cases[f"cummin_indices_{at}"] = t.cummin(dim).indices
        cases[f"diff_{at}"] = t.diff(dim=dim)
        if t.is_floating_point():
            cases[f"logcumsumexp_{at}"] = t.logcumsumexp(dim)
    cases["logcumsumexp_of_large"] = torch.tensor([1000.0, 999.0, -1000.0, 1001.0]).logcumsumexp(0)
    cases["cumprod_of_halves"] = torch.tensor([3.0, 0.5, 7.0]).half().float().cumprod(0).half()
    cases["cumprod_of_scalar"] = SCALAR.cumprod(0)
    cases["cummax_values_of_scalar"] = SCALAR.cummax(0).values
    cases["cummin_indices_of_scalar"] = SCALAR.cummin(0).indices
    cases["logcumsumexp_of_scalar"] = SCALAR.logcumsumexp(0)
    cases["diff_twice"] = X.diff(2)
    cases["diff_not"] = X.diff(0)
    cases["diff_beyond"] = X.diff(9)
    cases["diff_prepend"] = X.diff(prepend=torch.zeros(3, 1))
    cases["diff_both"] = X.diff(2, 0, X[:1], 2 * X[1:])
    cases["diff_promotes"] = WHOLE.diff(append=torch.tensor([[0.5], [1.5]]))
    cases["diff_of_uint8"] = torch.tensor([5, 3, 200], dtype=torch.uint8).diff()
    cases["diff_of_bools_twice"] = torch.tensor([True, True, False, False, True]).diff(2)
    for name, f in {
        "cumprod": lambda t: t.cumprod(1), "cummax": lambda t: t.cummax(1).values,
        "cummin": lambda t: t.cummin(0).values, "logcumsumexp": lambda t: t.logcumsumexp(1),
        "diff": lambda t: t.diff(2),
    }.items():
        cases[f"gradient_{name}"] = gradient(lambda t, f=f: weighted(f(t)), X)
        cases[f"gradient_{name}_zeros"] = gradient(lambda t, f=f: weighted(f(t)), ZEROS)
    return cases


def arrangement():
    cases = {}
    line = torch.tensor([1.0, 2.0, INF])
    for k in (0, 2, -1):
        cases[f"diag_line_{k}"] = torch.diag(line, k)
        cases[f"diag_matrix_{k}"] = torch.diag(X, k)
        cases[f"diag_turned_{k}"] = torch.diag(X.t(), k)
        cases[f"diag_embed_{k}"] = torch.diag_embed(CUBE[:, :2, :3], k)
        cases[f"diag_embed_first_{k}"] = torch.diag_embed(CUBE[:, :2, 1:3], k, 0, 2)
        cases[f"diag_embed_back_{k}"] = torch.diag_embed(X, k, -1, 0)
    cases["diag_of_bools"] = torch.diag(torch.tensor([True, False, True]))
    cases["diag_of_integers"] = torch.diag(torch.tensor([3, -4]), 1)
    cases["diag_of_none"] = torch.diag(torch.zeros(0))
    cases["diag_of_none_2"] = torch.diag(torch.zeros(0), 2)
    cases["trace"] = torch.trace(X)
    cases["trace_of_integers"] = torch.trace(SMALL)
    a, b, c = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([4.0, 5.0]), torch.tensor(6.0)
    for word in ("ij", "xy"):
        for count, tensors in enumerate(((a,), (a, b), (a, b, c), (c, c)), 1):
            for i, grid in enumerate(torch.meshgrid(*tensors, indexing=word)):
                cases[f"meshgrid_{word}_{count}_{i}"] = grid
    cases["tile"] = torch.tile(X, (2,))
    cases["tile_more"] = torch.tile(X, (2, 1, 2))
    cases["tile_none"] = torch.tile(X, (0,))
    cases["tile_scalar"] = torch.tile(SCALAR, (3,))
    cases["repeat_interleave"] = torch.repeat_interleave(X, 2)
    cases["repeat_interleave_0"] = torch.repeat_interleave(X, 2, 0)
    cases["repeat_interleave_turned"] = torch.repeat_interleave(X.t(), 3, -1)
    cases["repeat_interleave_not"] = torch.repeat_interleave(X, 0, 1)
    cases["repeat_interleave_scalar"] = torch.repeat_interleave(SCALAR, 3)
    cases["repeat_interleave_truths"] = torch.repeat_interleave(TRUTHS, 2, 1)
    times = torch.tensor([2, 0, 3])
    cases["repeat_interleave_times"] = torch.repeat_interleave(X, times, 0)
    cases["repeat_interleave_times_turned"] = torch.repeat_interleave(X.t(), times, 1)
    cases["repeat_interleave_times_flat"] = torch.repeat_interleave(X[:, 0], times)
    cases["repeat_interleave_one_time"] = torch.repeat_interleave(X, torch.tensor([2]), 1)
    cases["repeat_interleave_no_times"] = torch.repeat_interleave(X, torch.tensor([0, 0, 0]), 0)
    for name, f in {
        "diag": lambda t: torch.diag(t[0], -1), "diag_of_matrix": lambda t: torch.diag(t, 1),
        "diag_embed": lambda t: torch.diag_embed(t, 1), "trace": torch.trace,
        "meshgrid": lambda t: torch.meshgrid(t[0], t[:, 0], indexing="xy")[1],
        "tile": lambda t: torch.tile(t, (2, 1, 3)),
        "repeat_interleave": lambda t: torch.repeat_interleave(t, 2, 1),
        "repeat_interleave_times": lambda t: torch.repeat_interleave(t, times, 0),
    }.items():
        cases[f"gradient_{name}"] = gradient(lambda t, f=f: weighted(f(t)), X)
    return cases


def contraction():
    a, b = torch.arange(24.0).reshape(2, 3, 4) / 8, torch.arange(36.0).reshape(4, 3, 3) / 4 - 3
    cases = {
        "tensordot": torch.tensordot(a, b.permute(1, 0, 2)),
        "tensordot_1": torch.tensordot(a, b, 1),
        "tensordot_0": torch.tensordot(a[0], b[0], 0),
        "tensordot_3": torch.tensordot(a, a, 3),
        "tensordot_dims": torch.tensordot(a, b, ([2, 1], [0, 1])),
        "tensordot_negative": torch.tensordot(a, b, ([-2], [-1])),
        "tensordot_none": torch.tensordot(a[0], b[0], ([], [])),
        "tensordot_integers": torch.tensordot(WHOLE, WHOLE.t(), 1),
        "tensordot_of_nothing": torch.tensordot(torch.zeros(2, 0), torch.zeros(0, 3), 1),
        "tensordot_empty": torch.tensordot(torch.zeros(0, 3), torch.ones(3, 2), 1),
        "kron": torch.kron(X, TIES),
        "kron_ranks": torch.kron(a, TIES),
        "kron_ranks_back": torch.kron(TIES[0], a),
        "kron_scalar": torch.kron(SCALAR, X),
        "kron_integers": torch.kron(WHOLE, SMALL),
        "kron_odd": torch.kron(ODD, torch.tensor([[1.0, 0.0]])),
        "kron_empty": torch.kron(NONE, X),
    }
    p, q = a, b[:2].permute(0, 2, 1)[:, :, :2].contiguous()
    q = torch.arange(16.0).reshape(2, 4, 2) / 4 - 1
    nan = torch.full((2, 3, 2), NAN)
    cases |= {
        "baddbmm": torch.baddbmm(torch.ones(2, 3, 2), p, q),
        "baddbmm_scaled": torch.baddbmm(torch.ones(3, 1), p, q, beta=0.25, alpha=-2),
        "baddbmm_scalar": torch.baddbmm(torch.tensor(2.0), p, q, beta=3),
        "baddbmm_without_input": torch.baddbmm(nan, p, q, beta=0, alpha=0.5),
        "baddbmm_integers": torch.baddbmm(
            torch.ones(1, 2, 2, dtype=torch.int64), WHOLE[None], WHOLE.t()[None], beta=2, alpha=3),
        "baddbmm_of_nothing": torch.baddbmm(
            torch.ones(2, 3, 1), torch.zeros(2, 3, 0), torch.zeros(2, 0, 2)),
        "gradient_tensordot": gradient(lambda t: weighted(torch.tensordot(t, t.t(), 1)), X),
        "gradient_kron": gradient(lambda t: weighted(torch.kron(t, t[:2])), X),
        "gradient_baddbmm": gradient(
            lambda t: weighted(torch.baddbmm(t[:, :3], t[None], t.t()[None], beta=2, alpha=3)), X),
    }
    rows, others = X, torch.tensor([[3.0, -1.0, 2.0, 2.0], [1.0, 0.0, 0.0, 2.0]])
    batch = torch.stack((others, 2 * others))
    for p in (0, 0.5, 1, 1.5, 2, 3, INF):
        word = str(p).replace(".", "_")
        cases[f"cdist_{word}"] = torch.cdist(rows, others, p)
        cases[f"cdist_batches_{word}"] = torch.cdist(rows, batch, p)
        cases[f"cdist_empty_{word}"] = torch.cdist(torch.zeros(2, 0), torch.zeros(3, 0), p)
        # PyTorch gives the whole gradient to each of several largest differences.
        apart = rows + torch.tensor([0.0, 0.125, 0.25, 0.375]) if p == INF else rows
        cases[f"gradient_cdist_{word}"] = gradient(
            lambda t, p=p: weighted(torch.cdist(t, others, p)), apart)
        cases[f"gradient_cdist_right_{word}"] = gradient(
            lambda t, p=p, a=apart: weighted(torch.cdist(a, t, p)), others)
    cases["cdist_no_rows"] = torch.cdist(torch.zeros(0, 4), others)
    cases["cdist_far"] = torch.cdist(torch.tensor([[INF, 0.0]]), torch.tensor([[1.0, 0.0]]))
    return cases


def scatter_reduction():
    cases = {}
    index = torch.tensor([[0, 1, 1, 3], [2, 2, 2, 2], [0, 0, 3, 3]])
    column = torch.tensor([[0, 2, 0, 2]])
    source = torch.tensor([[1.0, 2.0, -3.0, 4.0], [5.0, 0.0, 0.5, -2.0], [2.0, 2.0, -1.0, 3.0]])
    # PyTorch has an element that is left out share the gradient where it equals the result.
    apart = torch.tensor([[1.0, 2.0, -3.0, 4.0], [5.0, 0.0, 0.5, -2.0], [2.0, 2.0, -1.0, 3.25]])
    whole = torch.tensor([[5, -7, 2, 9], [1, 1, 1, 1]])
    whole_index = torch.tensor([[0, 0, 1, 1], [3, 3, 3, 2]])
    pieces = torch.tensor([[2, 3, -4, 1], [7, 2, -2, -5]])
    nan_source = torch.tensor([[NAN, 2.0, INF, -INF]])
    for reduce, self in itertools.product(("sum", "prod", "mean", "amax", "amin"), (True, False)):
        word = f"{reduce}_{'self' if self else 'alone'}"
        more = {"reduce": reduce, "include_self": self}
        cases[f"scatter_reduce_{word}"] = X.scatter_reduce(1, index, source, **more)
        cases[f"scatter_reduce_rows_{word}"] = X.scatter_reduce(0, column, source, **more)
        cases[f"scatter_reduce_turned_{word}"] = X.t().scatter_reduce(0, index.t(), source.t(), **more)
        cases[f"scatter_reduce_whole_{word}"] = whole.scatter_reduce(1, whole_index, pieces, **more)
        cases[f"scatter_reduce_odd_{word}"] = X[:1].scatter_reduce(
            1, torch.tensor([[0, 0, 1, 2]]), nan_source, **more)
        cases[f"scatter_reduce_none_{word}"] = X.scatter_reduce(
            1, torch.zeros(3, 0, dtype=torch.int64), torch.zeros(3, 0), **more)
        cases[f"scatter_reduce_scalar_{word}"] = SCALAR.scatter_reduce(
            0, torch.tensor(0), torch.tensor(2.0), **more)
        cases[f"gradient_scatter_reduce_{word}"] = gradient(
            lambda t: weighted(t.scatter_reduce(1, index, source, **more)), X)
        cases[f"gradient_scatter_reduce_source_{word}"] = gradient(
            lambda t: weighted(X.scatter_reduce(1, index, t, **more)), source if self else apart)
    cases["take_along_dim"] = torch.take_along_dim(X, torch.tensor([[0, 3], [1, 1], [2, 0]]), 1)
    cases["take_along_dim_broadcast"] = torch.take_along_dim(X, torch.tensor([[2, 0, 2]]), 1)
    cases["take_along_dim_x_broadcast"] = torch.take_along_dim(X[:1], torch.tensor([[2], [0]]), 1)
    cases["take_along_dim_rows"] = torch.take_along_dim(X, X.argmax(0, keepdim=True), 0)
    cases["take_along_dim_flat"] = torch.take_along_dim(X, torch.tensor([[11, 0], [4, 4]]))
    cases["take_along_dim_sorted"] = torch.take_along_dim(X.t(), X.t().argsort(-1), -1)
    cases["gradient_take_along_dim"] = gradient(
        lambda t: weighted(torch.take_along_dim(t, torch.tensor([[2, 0, 2]]), 1)), X)
    return cases


def quantiles():
    cases = {}
    odd = torch.tensor([[1.0, NAN, 2.0, 0.0], [INF, 1.0, -INF, 5.0], [NAN, NAN, NAN, NAN]])
    inputs = {"x": X, "turned": X.t(), "odd": odd, "whole": WHOLE, "small": SMALL, "ties": TIES}
    for name, t in inputs.items():
        cases[f"median_{name}"] = t.median()
        cases[f"nanmedian_{name}"] = t.nanmedian()
        for dim in (0, 1):
            cases[f"median_{name}_{dim}"] = t.median(dim).values
            cases[f"nanmedian_{name}_{dim}"] = t.nanmedian(dim, keepdim=True).values
    cases["median_indices"] = torch.tensor([[3.0, 1.0, 2.0], [4.0, 7.0, NAN]]).median(1).indices
    cases["nanmedian_indices"] = torch.tensor([[3.0, 1.0, 2.0], [4.0, 7.0, NAN]]).nanmedian(
        1, keepdim=True).indices
    cases["median_of_scalar"] = SCALAR.median()
    cases["median_of_scalar_0"] = SCALAR.median(0).values
    cases["median_of_halves"] = HALVES.float().median().half()
    q = torch.tensor([0.0, 0.3, 0.5, 1.0])
    finite = {"x": X, "turned": X.t(), "ties": TIES, "double": X.double()}
    for word in ("linear", "lower", "higher", "midpoint", "nearest"):
        more = {"interpolation": word}
        for name, t in finite.items():
            shares = q.to(t.dtype)
            cases[f"quantile_{word}_{name}"] = t.quantile(0.4, **more)
            cases[f"quantile_{word}_{name}_1"] = t.quantile(0.4, 1, keepdim=True, **more)
            cases[f"quantile_{word}_{name}_q"] = t.quantile(shares, 0, **more)
            cases[f"quantile_{word}_{name}_q_keep"] = t.quantile(shares, 1, keepdim=True, **more)
            cases[f"quantile_{word}_{name}_flat_keep"] = t.quantile(shares, keepdim=True, **more)
        cases[f"quantile_{word}_cube"] = CUBE.quantile(q, 1, keepdim=True, **more)
        cases[f"quantile_{word}_odd"] = odd.quantile(0.4, 1, **more)
        cases[f"nanquantile_{word}_odd"] = odd.nanquantile(q, 1, **more)
        cases[f"nanquantile_{word}_flat"] = odd.nanquantile(0.4, **more)
        cases[f"nanquantile_{word}_x"] = X.nanquantile(0.7, 0, keepdim=True, **more)
        cases[f"gradient_quantile_{word}"] = gradient(
            lambda t: weighted(t.quantile(q, 1, **more)), X)
        cases[f"gradient_nanquantile_{word}"] = gradient(
            lambda t: weighted(t.nanquantile(q, 0, **more)), odd[:2])
    cases["quantile_of_scalar"] = SCALAR.quantile(0.3)
    cases["quantile_of_scalar_0"] = SCALAR.quantile(q, 0)
    cases["gradient_quantile_by_q"] = gradient(lambda t: weighted(X.quantile(t, 1)), q[1:2])
    for name, t in {"x": X, "ties": TIES, "odd": odd}.items():
        cases[f"gradient_median_{name}"] = gradient(lambda t: t.median(), t)
        cases[f"gradient_nanmedian_{name}"] = gradient(lambda t: t.nanmedian(), t)
    even = torch.tensor([[3.0, 1.0, 2.0], [4.0, 7.0, 6.0]])
    cases["gradient_median_1"] = gradient(lambda t: weighted(t.median(1).values), even)
    return cases


def counting():
    cases = {}
    sequence = torch.tensor([1.0, 3.0, 3.0, 5.0, 7.0])
    values = torch.tensor([[0.0, 1.0, 3.0], [4.0, 7.0, 9.0], [INF, -INF, NAN]])
    rows = torch.tensor([[1, 3, 5, 7, 9], [2, 4, 4, 8, 10]])
    sought = torch.tensor([[3, 6, 9], [4, 6, 11]])
    for right in (False, True):
        word = "right" if right else "left"
        more = {"right": right}
        cases[f"searchsorted_{word}"] = torch.searchsorted(sequence, values, **more)
        cases[f"searchsorted_rows_{word}"] = torch.searchsorted(rows, sought, **more)
        cases[f"searchsorted_turned_{word}"] = torch.searchsorted(
            rows.t().contiguous().t(), sought.t().contiguous().t(), **more)
        cases[f"searchsorted_number_{word}"] = torch.searchsorted(sequence, 3.0, **more)
        cases[f"searchsorted_int32_{word}"] = torch.searchsorted(
            sequence, values, out_int32=True, **more)
        cases[f"searchsorted_sorter_{word}"] = torch.searchsorted(
            sequence[[3, 0, 4, 1, 2]], values, sorter=torch.tensor([1, 3, 4, 0, 2]), **more)
        cases[f"searchsorted_empty_{word}"] = torch.searchsorted(torch.zeros(0), values, **more)
        cases[f"searchsorted_no_values_{word}"] = torch.searchsorted(
            sequence, torch.zeros(0, 2), **more)
        cases[f"bucketize_{word}"] = torch.bucketize(values, sequence, **more)
        cases[f"bucketize_number_{word}"] = torch.bucketize(
            torch.tensor(4), torch.tensor([1, 4, 6]), out_int32=True, **more)
    tests = torch.tensor([2.0, 0.0, NAN, 4.0])
    for invert in (False, True):
        word = "out" if invert else "in"
        cases[f"isin_{word}"] = torch.isin(X, tests, invert=invert)
        cases[f"isin_integers_{word}"] = torch.isin(WHOLE, torch.tensor([[4], [-6]]), invert=invert)
        cases[f"isin_number_{word}"] = torch.isin(WHOLE, 3, invert=invert)
        cases[f"isin_odd_{word}"] = torch.isin(ODD, torch.tensor([NAN, INF]), invert=invert)
        cases[f"isin_none_{word}"] = torch.isin(X, torch.zeros(0), invert=invert)
        cases[f"isin_of_none_{word}"] = torch.isin(NONE, tests, invert=invert)
    numbers = torch.tensor([3, 1, 1, 0, 5])
    weights = torch.tensor([0.5, 1.0, 2.0, -1.0, 4.0])
    cases |= {
        "bincount": torch.bincount(numbers),
        "bincount_minlength": torch.bincount(numbers, minlength=8),
        "bincount_less": torch.bincount(numbers, minlength=2),
        "bincount_weights": torch.bincount(numbers, weights),
        "bincount_double": torch.bincount(numbers, weights.double(), minlength=7),
        "bincount_integers": torch.bincount(numbers, torch.tensor([1, 2, 3, 4, 5])),
        "bincount_uint8": torch.bincount(numbers.to(torch.uint8)),
        "bincount_strided": torch.bincount(torch.tensor([[1, 9], [2, 9], [1, 9]])[:, 0]),
        "bincount_none": torch.bincount(torch.zeros(0, dtype=torch.int64), minlength=3),
        "histc": torch.histc(X, 4),
        "histc_bounds": torch.histc(X, 5, -2, 3),
        "histc_turned": torch.histc(X.t(), 3, 0, 4),
        "histc_infinite": torch.histc(torch.tensor([1.0, INF, 2.0, -INF, 1.5, -1.0]), 4, -1, 2),
        "histc_equal": torch.histc(torch.full((4,), 2.0), 4),
        "histc_default": torch.histc(X),
        "histc_double": torch.histc(X.double(), 6, 0, 3),
        "histc_none": torch.histc(torch.zeros(0), 3),
    }
    repeated = torch.tensor([[2.0, 1.0, 2.0], [3.0, 1.0, 1.0], [2.0, 1.0, 2.0]])
    runs = torch.tensor([[1, 1, 1], [1, 1, 1], [2, 0, 0], [1, 1, 1]])
    bools = torch.tensor([True, True, False, True])
    for name, t in {"x": X, "repeated": repeated, "turned": repeated.t()[1:], "whole": runs,
                    "bools": bools, "none": NONE, "scalar": SCALAR}.items():
        dims = (None,) if t.dim() < 2 or name == "none" else (None, 0, 1)
        for dim in dims:
            word = name if dim is None else f"{name}_{dim}"
            more = {"return_inverse": True, "return_counts": True, "dim": dim}
            u, v = torch.unique(t, **more), torch.unique_consecutive(t, **more)
            for part, a, b in zip(("values", "inverse", "counts"), u, v):
                cases[f"unique_{word}_{part}"] = a
                cases[f"unique_consecutive_{word}_{part}"] = b
    cases["unique_consecutive_nan"] = torch.unique_consecutive(torch.tensor([1.0, NAN, NAN, 2.0, 2.0]))
    return cases


def sampling():
    cases = {}
    image = (torch.arange(24.0).reshape(2, 1, 3, 4) * 7 % 11) / 4
    grid = (torch.arange(36.0).reshape(2, 3, 3, 2) * 5 % 17) / 6 - 1.4
    volume = (torch.arange(24.0).reshape(1, 2, 2, 3, 2) * 7 % 11) / 4
    places = (torch.arange(24.0).reshape(1, 2, 2, 2, 3) * 5 % 17) / 6 - 1.4
    sample = torch.nn.functional.grid_sample
    for mode, padding, corners in itertools.product(
            ("bilinear", "nearest", "bicubic"), ("zeros", "border", "reflection"), (False, True)):
        word = f"{mode}_{padding}_{'corners' if corners else 'edges'}"
        more = {"mode": mode, "padding_mode": padding, "align_corners": corners}
        cases[f"grid_sample_{word}"] = sample(image, grid, **more)
        cases[f"grid_sample_turned_{word}"] = sample(
            image.transpose(2, 3), grid.transpose(1, 2), **more)
        if mode != "bicubic":
            cases[f"grid_sample_volume_{word}"] = sample(volume, places, **more)
        cases[f"gradient_grid_sample_{word}"] = gradient(
            lambda t: weighted(sample(t, grid, **more)), image)
        cases[f"gradient_grid_sample_grid_{word}"] = gradient(
            lambda t: weighted(sample(image.double(), t, **more)), grid.double())
    cases["grid_sample_none"] = sample(image, torch.zeros(2, 0, 3, 2), align_corners=False)
    theta = torch.tensor([[[1.0, 0.0, 0.5], [0.25, -1.0, 0.0]]])
    space = torch.tensor([[[1.0, 0.0, 0.5, 0.0], [0.25, -1.0, 0.0, 1.0], [0.0, 0.5, 2.0, 0.0]]])
    grid_of = torch.nn.functional.affine_grid
    for corners in (False, True):
        word = "corners" if corners else "edges"
        cases[f"affine_grid_{word}"] = grid_of(theta, (1, 3, 2, 3), corners)
        cases[f"affine_grid_two_{word}"] = grid_of(torch.cat((theta, 2 * theta)), (2, 1, 1, 4), corners)
        cases[f"affine_grid_volume_{word}"] = grid_of(space, (1, 1, 2, 2, 3), corners)
        cases[f"gradient_affine_grid_{word}"] = gradient(
            lambda t: weighted(grid_of(t, (1, 3, 2, 3), corners)), theta)
    return cases


write("cumulative_golden.txt", cumulative())
write("arrangement_golden.txt", arrangement())
write("contraction_golden.txt", contraction())
write("scatter_reduction_golden.txt", scatter_reduction())
write("quantile_golden.txt", quantiles())
write("counting_golden.txt", counting())
write("sampling_golden.txt", sampling())
