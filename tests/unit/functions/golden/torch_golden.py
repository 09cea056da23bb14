"""Makes reduction_golden.txt and indexing_golden.txt: what PyTorch (1.13) gives for the cases that
reduction_test.cpp and indexing_test.cpp compute. Run it in this folder."""

import math

import torch

INF, NAN = math.inf, math.nan


def line(name, result):
    dtype = str(result.dtype).removeprefix("torch.")
    extents = " ".join(str(e) for e in result.shape)
    values = " ".join(repr(float(v)) for v in result.detach().double().flatten().tolist())
    return " ".join(f"{name} | {dtype} | {extents} | {values}".split()) + "\n"


def write(path, cases):
    with open(path, "w", encoding="ascii") as file:
        for name, result in cases.items():
            file.write(line(name, result))


def gradient(function, x):
    leaf = x.clone().requires_grad_()
    function(leaf).sum().backward()
    return leaf.grad


def reductions():
    x = torch.tensor([[3.0, -1.0, 2.0, 2.0], [0.5, 4.0, -4.0, 0.0], [-2.0, 1.5, 1.0, 3.0]])
    odd = torch.tensor([[1.0, NAN, 2.0], [INF, 1.0, -INF], [-INF, -INF, -INF]])
    ties = torch.tensor([[2.0, 5.0, 5.0], [7.0, 7.0, 7.0]])
    whole = torch.tensor([[1, 2, 3], [4, 0, -6]])
    small = torch.tensor([[1, 2, 100], [0, 3, 120]], dtype=torch.int8)
    truths = torch.tensor([[True, False], [True, True]])
    none = torch.zeros(0, 3)
    half = torch.tensor([400.0, -300.0, 350.0, 10.0], dtype=torch.float16)
    zeros = torch.tensor([[0.0, 2.0, 3.0], [0.0, 0.0, 4.0], [2.0, 3.0, 4.0]])
    cases = {}
    for name, t in {"x": x, "turned": x.t(), "odd": odd, "ties": ties}.items():
        cases[f"amax_{name}"] = t.amax()
        cases[f"amax_0_{name}"] = t.amax(0)
        cases[f"amin_keep_{name}"] = t.amin((0, 1), keepdim=True)
        cases[f"max_values_{name}"] = t.max(1).values
        cases[f"max_indices_{name}"] = t.max(1).indices
        cases[f"min_values_{name}"] = t.min(-2, keepdim=True).values
        cases[f"min_indices_{name}"] = t.min(-2, keepdim=True).indices
        cases[f"argmax_{name}"] = t.argmax()
        cases[f"argmin_1_{name}"] = t.argmin(1)
        cases[f"prod_{name}"] = t.prod()
        cases[f"prod_1_{name}"] = t.prod(1)
        cases[f"var_{name}"] = t.var()
        cases[f"var_0_{name}"] = torch.var(t, dim=0, unbiased=False, keepdim=True)
        cases[f"std_{name}"] = t.std()
        cases[f"std_1_{name}"] = torch.std(t, dim=1)
        cases[f"logsumexp_{name}"] = t.logsumexp((0, 1))
        cases[f"logsumexp_1_{name}"] = t.logsumexp(1, keepdim=True)
        cases[f"cumsum_0_{name}"] = t.cumsum(0)
        cases[f"cumsum_1_{name}"] = t.cumsum(1)
        cases[f"any_0_{name}"] = t.any(0)
        cases[f"all_1_{name}"] = t.all(1, keepdim=True)
        for p in (0, 1, 2, 3, 0.5, -1, INF, -INF):
            word = str(p).replace("-", "minus_").replace(".", "_")
            cases[f"norm_{word}_{name}"] = torch.linalg.vector_norm(t, p)
            cases[f"norm_{word}_1_{name}"] = torch.linalg.vector_norm(t, p, 1)
    cases["prod_of_integers"] = whole.prod(1)
    cases["prod_of_int8"] = small.prod()
    cases["prod_of_bools"] = truths.prod(0)
    cases["cumsum_of_int8"] = small.cumsum(1)
    cases["cumsum_of_bools"] = truths.cumsum(0)
    cases["amax_of_integers"] = whole.amax(1)
    cases["max_of_int8"] = small.max(0).values
    cases["amin_of_bools"] = truths.amin(0)
    cases["max_of_bools"] = truths.max(1).indices
    cases["count_nonzero"] = whole.count_nonzero()
    cases["any_of_bools"] = truths.any()
    cases["all_of_bools"] = truths.all()
    cases["any_of_none"] = none.any()
    cases["all_of_none"] = none.all()
    cases["any_0_of_none"] = none.any(0)
    cases["all_0_of_none"] = none.all(0)
    cases["prod_of_none"] = none.prod(0)
    cases["var_of_none"] = none.var()
    cases["logsumexp_of_none"] = none.logsumexp(0)
    cases["norm_of_none"] = torch.linalg.vector_norm(none, 2, 0)
    cases["cumsum_of_none"] = none.cumsum(0)
    cases["amax_1_of_none"] = none.amax(1)
    cases["argmax_1_of_none"] = none.argmax(1)
    scalar = torch.tensor(-3.0)
    cases["amax_of_scalar"] = scalar.amax()
    cases["amax_dim_of_scalar"] = scalar.amax(-1)
    cases["argmax_of_scalar"] = scalar.argmax(0)
    cases["max_values_of_scalar"] = scalar.max(0).values
    cases["max_indices_of_scalar"] = scalar.max(0).indices
    cases["prod_of_scalar"] = scalar.prod(0)
    cases["cumsum_of_scalar"] = scalar.cumsum(0)
    cases["var_of_scalar"] = scalar.var(unbiased=False)
    cases["var_of_one"] = torch.tensor([2.0]).var()
    cases["norm_of_scalar"] = torch.linalg.vector_norm(scalar, 3)
    cases["logsumexp_of_scalar"] = scalar.logsumexp(0)
    cases["var_of_halves"] = half.var()
    cases["gradient_amax_ties"] = gradient(lambda t: t.amax(1), ties)
    cases["gradient_max_ties"] = gradient(lambda t: t.max(), ties)
    cases["gradient_max_nan"] = gradient(lambda t: t.max(), odd)
    cases["gradient_max_dim_ties"] = gradient(lambda t: t.max(1).values, ties)
    cases["gradient_prod_zeros"] = gradient(lambda t: t.prod(1), zeros)
    cases["gradient_prod_all_zeros"] = gradient(lambda t: t.prod(), zeros)
    cases["gradient_norm_zero"] = gradient(lambda t: t.norm(), torch.zeros(3))
    cases["gradient_norm_inf"] = gradient(lambda t: t.norm(INF), torch.tensor([1.0, -3.0, 3.0]))
    cases["gradient_norm_half"] = gradient(lambda t: t.norm(0.5), torch.tensor([0.0, 4.0, -1.0]))
    cases["gradient_norm_3_zero"] = gradient(lambda t: t.norm(3), torch.zeros(3))
    cases["gradient_std_flat"] = gradient(lambda t: t.std(), torch.ones(3))
    cases["gradient_logsumexp"] = gradient(lambda t: t.logsumexp(1), x)
    return cases


def indexing():
    x = torch.arange(24.0).reshape(2, 3, 4)
    y = torch.arange(120.0).reshape(2, 3, 4, 5)
    turned = y.permute(3, 1, 0, 2)
    i = torch.tensor([1, 0, 1])
    j = torch.tensor([[0], [-1]])
    k = torch.tensor([2, -3, 0], dtype=torch.long)
    mask = x % 3 == 0
    rows = torch.tensor([[True, False, True], [False, False, True]])
    cases = {
        "integer": x[1],
        "negative": x[-1, 2, -4],
        "slices": x[:, 1:, ::2],
        "slice_beyond": x[5:, -100:2],
        "slice_negative": x[..., -3:-1],
        "ellipsis": x[..., 1],
        "ellipsis_between": y[0, ..., 1:3, 2],
        "ellipsis_of_none": x[0, ..., 1, 2],
        "new_axes": x[None, :, 1, None],
        "new_axis_last": x[..., None],
        "tensor": x[i],
        "tensor_last": x[..., k],
        "tensor_of_rank_2": x[:, j],
        "tensor_of_none": x[torch.zeros(0, dtype=torch.long)],
        "tensor_of_rank_0": x[torch.tensor(1), :, torch.tensor(-1)],
        "tensors_neighbours": y[:, k, j],
        "tensors_neighbours_last": y[..., k, j],
        "tensors_apart": y[:, k, :, j],
        "tensors_apart_first": y[i, :, k],
        "tensors_around_integer": y[:, k, 0, j],
        "tensors_around_slice": y[i, 1:, k],
        "tensors_around_new_axis": x[i, None, k],
        "tensors_all": x[i, k, k],
        "tensors_of_turned": turned[:, k, i],
        "tensors_apart_of_turned": turned[k, :, i],
        "mask_whole": x[mask],
        "mask_first": x[torch.tensor([False, True])],
        "mask_of_two": x[rows],
        "mask_last": x[..., torch.tensor([True, False, False, True])],
        "mask_between": y[1, torch.tensor([True, False, True])],
        "mask_of_none": x[torch.zeros(2, 3, dtype=torch.bool)],
        "mask_beside_tensor": x[torch.tensor([True, True]), :, torch.tensor([1, 3])],
        "mask_two_apart": y[torch.tensor([True, True]), :,
                            torch.tensor([True, False, False, True])],
        "mask_two_neighbours": y[:, torch.tensor([True, False, True]),
                                 torch.tensor([True, False, False, True])],
        "mask_true": x[torch.tensor(True)],
        "mask_false": x[torch.tensor(False)],
        "mask_of_turned": turned[turned % 7 == 1],
        "scalar": torch.tensor(5.0)[None],
        "nonzero": torch.nonzero(rows),
        "nonzero_of_scalar": torch.nonzero(torch.tensor(3.0)),
        "nonzero_of_zero": torch.nonzero(torch.tensor(0.0)),
        "masked_select": torch.masked_select(x, rows[:, :, None]),
        "masked_select_broadcast": torch.masked_select(torch.arange(4.0), mask[0]),
        "index_select": x.index_select(1, torch.tensor([2, 0, 2])),
        "index_select_turned": turned.index_select(-2, torch.tensor([1, 0], dtype=torch.int32)),
        "index_select_scalar": torch.tensor(5.0).index_select(0, torch.tensor([0])),
        "gather": x.gather(1, torch.tensor([[[0, 1, 2, 0]], [[2, 2, 1, 0]]])),
        "gather_less": x.gather(2, torch.tensor([[[3, 1], [0, 0]]])),
        "gather_scalar": torch.tensor(5.0).gather(0, torch.tensor(0)),
        "scatter": x.scatter(1, torch.tensor([[[0, 1, 2, 0]]]), -torch.ones(2, 2, 4)),
        "scatter_number": x.scatter(2, torch.tensor([[[3, 1], [0, 2]]]), 9.5),
        "scatter_add": x.scatter_add(0, torch.tensor([[[0, 1, 0, 1], [1, 1, 0, 0]]] * 2),
                                     torch.ones(2, 3, 4)),
        "index_add": x.index_add(1, torch.tensor([0, 2, 0, 0]), torch.ones(2, 4, 4)),
        "index_add_first": x.index_add(0, torch.tensor([1], dtype=torch.int32), x[:1]),
        "embedding": torch.nn.functional.embedding(torch.tensor([[0, 2], [1, 2]]), x[1]),
        "one_hot": torch.nn.functional.one_hot(torch.tensor([[0, 2], [1, 0]]), 4),
        "one_hot_inferred": torch.nn.functional.one_hot(torch.tensor([0, 2, 1])),
        "flip": x.flip((0, 2)),
        "flip_of_turned": turned.flip((1,)),
        "roll": x.roll(1, 2),
        "roll_back": x.roll(-5, 1),
        "triu": torch.triu(x, 1),
        "tril": torch.tril(x, -1),
        "repeat": x[:, 0].repeat(2, 1, 2),
    }
    numbers = torch.tensor([[3.0, NAN, 1.0, 3.0], [-INF, 0.0, INF, NAN]])
    for name, t in {"": numbers, "_turned": numbers.t()}.items():
        cases[f"sort_values{name}"] = t.sort(stable=True).values
        cases[f"sort_indices{name}"] = t.sort(stable=True).indices
        cases[f"sort_down{name}"] = t.sort(dim=0, descending=True, stable=True).values
        cases[f"topk_values{name}"] = t.topk(2).values
        cases[f"topk_smallest{name}"] = t.topk(1, 0, largest=False).values
    cases["argsort"] = torch.tensor([3, 1, 2, 1]).sort(stable=True, descending=True).indices
    cases["sort_of_bools"] = torch.tensor([True, False, True]).sort(stable=True).values
    cases["sort_of_scalar"] = torch.tensor(3.0).sort().indices
    cases["topk_of_none"] = torch.zeros(2, 3).topk(0).values

    def put(target, *index, value):
        result = target.clone()
        result[index] = value
        return result

    cases |= {
        "put_integer": put(x, 1, value=-1.0),
        "put_slice": put(x, slice(None), slice(1, None), 0, value=torch.tensor([7.0, 8.0])),
        "put_leading_ones": put(x, 0, 0, value=torch.ones(1, 1, 4)),
        "put_mask_number": put(x, mask, value=-1.0),
        "put_mask_values": put(x, mask, value=torch.arange(8.0)),
        "put_mask_rows": put(x, rows, value=torch.tensor([1.0, 2.0, 3.0, 4.0])),
        "put_mask_last": put(x, ..., torch.tensor([True, False, False, True]), value=-2.0),
        "put_tensor": put(x, torch.tensor([1]), value=torch.arange(4.0)),
        "put_tensor_last": put(x, ..., k[:2], value=torch.tensor([1.5, 2.5])),
        "put_tensors_neighbours": put(y, slice(None), k[:2], j, value=torch.arange(5.0)),
        "put_tensors_apart": put(y, slice(None), k[:2], slice(None), j,
                                 value=torch.arange(8.0).reshape(2, 4)),
        "put_integers": put(torch.arange(6), torch.tensor([0, 2]), value=2.9),
        "put_rank_0": put(torch.tensor(5.0), ..., value=3.0),
    }
    weight = torch.arange(12.0).reshape(4, 3)
    cases |= {
        "gradient_index": gradient(lambda t: t[i] * t[i], x),
        "gradient_mask": gradient(lambda t: t[mask] ** 2, x),
        "gradient_embedding": gradient(
            lambda t: torch.nn.functional.embedding(torch.tensor([0, 2, 2, 1]), t, 1) ** 2, weight),
        "gradient_topk": gradient(lambda t: t.topk(2).values ** 2, torch.tensor([3.0, 1.0, 2.0])),
        "gradient_put": gradient(lambda t: put(t * 2, 0, slice(1, 3), value=t[1, 0]) ** 2, x),
        "gradient_put_tensor": gradient(
            lambda t: put(t * 2, torch.tensor([0]), k[:2], value=t[1, 0]) ** 2, x),
    }
    return cases


if __name__ == "__main__":
    write("reduction_golden.txt", reductions())
    write("indexing_golden.txt", indexing())
