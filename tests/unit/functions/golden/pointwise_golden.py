"""Makes pointwise_*.txt and promotion_golden.txt: what PyTorch (1.13) gives for the cases that
pointwise_test.cpp, pointwise_arithmetic_test.cpp and promotion_test.cpp compute. Run it in this
folder."""

import itertools
import math
import warnings

import torch

warnings.simplefilter("ignore")
INF, NAN = math.inf, math.nan
FLOATS = ["float32", "float64", "float16", "bfloat16"]
INTEGERS = ["int8", "uint8", "int16", "int32", "int64"]

ONE = [0.0, -0.0, 1, -1, 0.5, -0.5, 2, -2, 1.5, 2.5, -3.5, 0.25, 7, -7, 10, 30, INF, -INF, NAN]
ONE_WHOLE = {"uint8": [0, 1, 2, 3, 7, 100, 200]}
TWO = [0.0, -0.0, 1, -1, 2.5, -2.5, 3, 0.3125, 7.5, -7, INF, -INF, NAN]
TWO_LEFT = {"uint8": [0, 1, 2, 3, 7, 100, 255]}
TWO_RIGHT = {"uint8": [1, 2, 3, 7, 11, 200]}

UNARY = """abs neg sign square sqrt rsqrt reciprocal exp exp2 expm1 log log2 log10 log1p sin cos tan
asin acos atan sinh cosh tanh asinh acosh atanh erf erfc erfinv lgamma digamma floor ceil round trunc frac isnan isinf isfinite
nan_to_num logical_not bitwise_not""".split()
BINARY = """add sub mul div floor_divide remainder fmod pow atan2 hypot logaddexp maximum minimum eq ne lt le gt ge
logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor""".split()
LAID_OUT = "add sub mul div pow maximum lt remainder".split()


def line(name, result):
    dtype = str(result.dtype).removeprefix("torch.")
    extents = " ".join(str(e) for e in result.shape)
    values = " ".join(repr(float(v)) for v in result.double().flatten().tolist())
    return " ".join(f"{name} | {dtype} | {extents} | {values}".split()) + "\n"


def write(path, cases):
    with open(path, "w", encoding="ascii") as file:
        for name, result in cases.items():
            if result is not None:
                file.write(line(name, result))


def narrow_float(dtype):
    return dtype in (torch.float16, torch.bfloat16)


def computed(name, *given):
    """In float32 where PyTorch has no kernel for a narrow type; None where it takes no such type."""
    function = getattr(torch, name)
    try:
        return function(*given)
    except RuntimeError:
        if not narrow_float(given[0].dtype):
            return None
    try:
        result = function(*(x.float() for x in given))
        return result.to(given[0].dtype) if result.dtype == torch.float32 else result
    except RuntimeError:
        return None


def of_one(dtype):
    kind = getattr(torch, dtype)
    values = ONE if dtype in FLOATS else ONE_WHOLE.get(dtype, [0, 1, -1, 2, -2, 7, -7, 100, -100])
    if dtype == "bool":
        values = [False, True]
    x = torch.tensor(values, dtype=kind)
    cases = {f"{name}_{dtype}": computed(name, x) for name in UNARY}
    cases[f"sign_{dtype}"] = cases[f"sign_{dtype}"].where(x == x, x)  # NaN stays NaN here
    return cases


def of_two(dtype):
    kind = getattr(torch, dtype)
    left = right = TWO
    if dtype in INTEGERS:
        left = TWO_LEFT.get(dtype, [0, 1, -1, 2, -2, 3, 7, -7, 100, -100])
        right = TWO_RIGHT.get(dtype, [1, -1, 2, -2, 3, -3, 7, -7, 11])
    if dtype == "bool":
        left = right = [False, True]
    a = torch.tensor(left, dtype=kind).reshape(-1, 1)
    b = torch.tensor(right, dtype=kind)
    cases = {}
    for name in BINARY:
        if dtype in INTEGERS and name == "pow":
            b_pow = torch.tensor([0, 1, 2, 3, 5, 7], dtype=kind)
            cases[f"pow_{dtype}"] = torch.pow(a, b_pow)
        elif dtype == "bool" and name in ("pow", "floor_divide", "remainder", "fmod"):
            continue
        else:
            cases[f"{name}_{dtype}"] = computed(name, a, b)
    return cases


def layouts():
    a = torch.arange(12.0).reshape(3, 4) - 5.25
    b = torch.arange(24.0).reshape(4, 6)[:, ::2] * 0.5 + 0.25
    cube = torch.arange(24.0).reshape(2, 3, 4) + 1
    shapes = {
        "transposed": (a.t(), b),
        "expanded": (a[:, :1].expand(3, 4), torch.tensor(2.0).expand(3, 4)),
        "sliced": (cube[:, 1:, ::2], cube[1, :2, 1::2]),
        "permuted": (cube.permute(2, 0, 1), cube[:, 0, 0].reshape(2, 1)),
        "empty": (torch.zeros(0, 3), torch.ones(3)),
        "empty_by_one": (torch.zeros(2, 0, 3), torch.ones(1, 1)),
        "rank_0": (torch.tensor(3.0), torch.tensor(-2.0)),
        "rank_0_left": (torch.tensor(3.0), a),
        "number_right": (a, 2),
        "number_left": (2.5, b),
        "integers_number": (torch.tensor([1, -2, 3]), 2),
        "integers_float": (torch.tensor([1, -2, 3]), 0.5),
        "number_integers": (3, torch.tensor([1, 2, 3])),
    }
    cases = {}
    for name, (word, (x, y)) in itertools.product(LAID_OUT, shapes.items()):
        function = getattr(torch, name)
        if not torch.is_tensor(x) and name != "pow" and name != "remainder":
            x = torch.tensor(x) if isinstance(x, float) else torch.tensor(x)
        if not torch.is_tensor(y) and name in ("maximum",):
            y = torch.tensor(y)
        cases[f"{name}_{word}"] = function(x, y)
    return cases


def arithmetic():
    x = torch.tensor([-2.0, -0.5, 0.0, 0.5, NAN, INF, -INF])
    whole = torch.tensor([-3, 0, 4, 9])
    mask = torch.tensor([True, False, True, False, True, False, True])
    return {
        "lerp": torch.lerp(torch.tensor([1.0, 2.0]), torch.tensor([3.0, -2.0]), 0.25),
        "lerp_tensor": torch.lerp(torch.tensor([1.0, 2.0]), torch.tensor([3.0, -2.0]),
                                  torch.tensor([0.75, 1.0])),
        "addcmul": torch.addcmul(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]),
                                 torch.tensor([[0.5], [2.0]]), value=-2),
        "addcmul_integers": torch.addcmul(whole, whole, whole, value=2),
        "addcdiv": torch.addcdiv(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]),
                                 torch.tensor([[0.5], [2.0]]), value=-2),
        "add_alpha": torch.add(x, mask, alpha=2),
        "sub_alpha": torch.sub(whole, whole.flip(0), alpha=3),
        "sub_alpha_number": torch.sub(x, 2, alpha=0.5),
        "pow_half": torch.pow(x[:-1], 0.5),  # of -infinity: NaN, and infinity here
        "pow_two": torch.pow(whole, 2),
        "pow_three": torch.pow(x, 3),
        "pow_float_of_integers": torch.pow(whole, 0.5),
        "pow_of_number": torch.pow(2, whole.clamp(min=0)),
        "pow_negative": torch.pow(torch.tensor([1, -1, 2, -3]), torch.tensor([-1, -3, -2, -1])),
        "exp2_exact": torch.exp2(torch.tensor([-3.0, 0.0, 1.0, 10.0])),
        "floor_divide_tenth": torch.floor_divide(torch.tensor([1.0, -1.0, 5.0]),
                                                 torch.tensor([0.1, 0.1, -0.3])),
        "wrap_add": torch.tensor([120, -120], dtype=torch.int8)
                    + torch.tensor([100, -100], dtype=torch.int8),
        "wrap_mul": torch.tensor([200, 3], dtype=torch.uint8) * 2,
        "wrap_number": torch.tensor([1, 2], dtype=torch.int8) + 300,
        "wrap_neg": -torch.tensor([1, 0, 255], dtype=torch.uint8),
        "wrap_abs": torch.abs(torch.tensor([-128], dtype=torch.int8)),
        "wrap_floor_divide": torch.tensor([-128, 127, -127], dtype=torch.int8) // 3,
        "wrap_int16": torch.tensor([32767], dtype=torch.int16) + 1,
        "wrap_int32": torch.tensor([2147483647], dtype=torch.int32) + 1,
        "wrap_pow": torch.pow(torch.tensor([3, -3], dtype=torch.int32), 21),
    }


def choices():
    x = torch.tensor([-2.0, -0.5, 0.0, 0.5, NAN, INF, -INF])
    whole = torch.tensor([-3, 0, 4, 9])
    mask = torch.tensor([True, False, True, False, True, False, True])
    some = torch.tensor([True, False, False, True])
    half = torch.tensor([1.5, -2.0], dtype=torch.float16)
    return {
        "where": torch.where(mask, x, -x),
        "where_number": torch.where(mask, x, 0.0),
        "where_broadcast": torch.where(mask.reshape(-1, 1), torch.ones(2), torch.zeros(1)),
        "where_rank_0": torch.where(some, whole.float(), torch.tensor(2.0)),
        "clamp": torch.clamp(x, -1, 0.25),
        "clamp_low": torch.clamp(x, min=-1),
        "clamp_high": torch.clamp(x, max=0.25),
        "clamp_crossed": torch.clamp(x, 1, -1),
        "clamp_integers": torch.clamp(whole, -1, 5),
        "clamp_integers_float": torch.clamp(whole, -1.5, 5),
        "clamp_half": torch.clamp(half.float(), -1, 1).half(),
        "clamp_tensors": torch.clamp(x, torch.full((7,), -1.0), torch.tensor([0.25]).expand(7)),
        "clamp_tensor_mixed": torch.clamp(whole, torch.tensor([-1.5, 0.5, 0.5, 0.5])),
        "clamp_tensor_nan": torch.clamp(x, torch.tensor([NAN] + [0.0] * 6)),
        "masked_fill": x.masked_fill(mask, -1),
        "masked_fill_broadcast": torch.zeros(2, 4).masked_fill(some, 3.5),
        "masked_fill_integers": whole.masked_fill(some, 7),
        "nan_to_num_value": torch.nan_to_num(x, 3.5),
        "nan_to_num_half": torch.nan_to_num(torch.tensor([INF, -INF, NAN]).half(), 1),
        "nan_to_num_double": torch.nan_to_num(torch.tensor([INF, -INF, NAN]).double()),
        "isclose": torch.isclose(torch.tensor([1.0, 1.0, INF, INF, NAN, 0.0]),
                                 torch.tensor([1.00001, 1.1, INF, -INF, NAN, 1e-9])),
        "isclose_nan": torch.isclose(torch.tensor([NAN, 1.0, NAN]), torch.tensor([NAN, NAN, 1.0]),
                                     equal_nan=True),
        "isclose_wide": torch.isclose(torch.tensor([1.0, 10.0]), torch.tensor([2.0, 2.0]), 0.5, 0.1),
        "isclose_integers": torch.isclose(torch.tensor([16777217, 5]), torch.tensor([16777216, 5]),
                                          0, 0),
        "bitwise_bools_integers": torch.bitwise_and(torch.tensor([True, False]),
                                                    torch.tensor([3, 3])),
        "equal_integers_float": torch.eq(torch.tensor([1, 2]), torch.tensor([1.0, 2.5])),
        "lt_bools": torch.lt(torch.tensor([True, False]), torch.tensor([True, True])),
        "float_to_integers": torch.tensor([2.9, -2.9, 100.5]).to(torch.int32),
        "integers_to_bool": torch.tensor([0, -1, 256]).to(torch.bool),
        "nan_to_bool": torch.tensor([NAN, 0.0, -0.0, 0.1]).to(torch.bool),
        "integers_narrowed": torch.tensor([300, -129, 128]).to(torch.int8),
    }


def promotion():
    """Lines of `kind dtype kind dtype result`; a kind is tensor, scalar or number."""
    dtypes = FLOATS + INTEGERS + ["bool"]
    operands = [("tensor", d, torch.ones(2, dtype=getattr(torch, d))) for d in dtypes]
    operands += [("scalar", d, torch.ones((), dtype=getattr(torch, d))) for d in dtypes]
    operands += [("number", "bool", True), ("number", "int64", 1), ("number", "float32", 1.0)]
    with open("promotion_golden.txt", "w", encoding="ascii") as file:
        for (kind, d, a), (other, e, b) in itertools.product(operands, operands):
            result = str(torch.result_type(a, b)).removeprefix("torch.")
            file.write(f"{kind} {d} {other} {e} {result}\n")


for dtype in FLOATS + INTEGERS + ["bool"]:
    write(f"pointwise_{dtype}.txt", of_one(dtype) | of_two(dtype))
write("pointwise_arithmetic_golden.txt", layouts() | arithmetic())
write("pointwise_golden.txt", choices())
promotion()
