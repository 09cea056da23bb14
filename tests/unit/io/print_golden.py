#!/usr/bin/python3
"""Writes print_golden.txt: tensors and how PyTorch prints them. Run it with PyTorch 1.13.

PyTorch's text is taken as it is but for the dtype, whose name goes without "torch.". A case is

    case NAME
    dtype float32
    shape 2 3
    data HEX             the elements, little-endian; or: count START STEP
    LINE...              the text
    end
"""

import pathlib

import torch
import torch._tensor_str as printer

add_suffixes = printer._add_suffixes
printer._add_suffixes = lambda text, suffixes, *rest, **more: add_suffixes(
    text, [suffix.replace("torch.", "") for suffix in suffixes], *rest, **more)

nan, inf = float("nan"), float("inf")
cases = []


def bytes_of(tensor):
    flat = tensor.reshape(-1)
    if tensor.dtype == torch.bfloat16:  # which numpy has not
        flat = flat.view(torch.int16)
    return flat.numpy().tobytes()


def case(name, tensor, data=None):
    data = data or "data " + bytes_of(tensor).hex()
    dtype = str(tensor.dtype).replace("torch.", "")
    shape = " ".join(["shape", *map(str, tensor.shape)])
    cases.append("\n".join([f"case {name}", f"dtype {dtype}", shape, data, str(tensor), "end\n"]))


def values(name, numbers, dtype=torch.float32):
    case(name, torch.tensor(numbers, dtype=dtype))


def count(name, shape, dtype=torch.float32, start=0.0, step=1.0):
    size = int(torch.tensor(shape).prod()) if shape else 1
    tensor = (torch.arange(size, dtype=torch.float64) * step + start).to(dtype).reshape(shape)
    case(name, tensor, f"count {start} {step}")


# Style and width of floating-point numbers.
values("a number", 3.0)
values("a fraction", 0.1)
values("a negative fraction", -1234.5678)
values("whole", [1.0, 2.0, 300.0])
values("whole negative", [[-1.0, 0.0], [10.0, -200.0]])
values("fractions", [1.5, 2.25, -3.125])
values("fractions and zero", [0.0, 0.5])
values("wide range", [0.001, 1000.0, 2.0])
values("wide range without fractions", [1.0, 1001.0])
values("just not wide", [1.0, 1000.0])
values("large", [1e8, 1e8])
values("larger", [1.5e8])
values("small", [0.0001])
values("small double", [0.0001], torch.float64)
values("smaller", [0.00009, 0.00008])
values("tiny", [1e-30, -1e-38])
values("denormal", [1e-45])
values("huge", [3.4e38, -3.4e38])
values("huge double", [1e300, 1e-300, -1.0], torch.float64)
values("halves round to even", [0.00005, 0.12345, 0.12355, 2.00005])
values("zeros", [0.0, 0.0, -0.0])
values("nan and inf", [nan, inf, -inf])
values("nan and zero", [nan, 0.0])
values("nan among whole", [nan, 1.0, -inf])
values("nan among fractions", [nan, 1.5, inf, 100.25])
values("nan among small", [nan, 1e-10, -inf])
values("a nan", nan)
values("a negative infinity", -inf)

# Types.
for dtype in [torch.float16, torch.bfloat16, torch.float64]:
    values(f"{dtype} fractions", [0.1, 2.5, -3.0], dtype)
    values(f"{dtype} scalar", 1.0, dtype)
values("half range", [1.0, 65504.0, 6e-8], torch.float16)
for dtype in [torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64]:
    values(f"{dtype}", [[1, 20], [100, 7]], dtype)
    values(f"{dtype} scalar", 5, dtype)
values("negative integers", [-1, 10, -100], torch.int64)
values("limits", [2**63 - 1, -(2**63)], torch.int64)
values("bools", [True, False, True], torch.bool)
values("only false", [[False, False]], torch.bool)
values("a bool", True, torch.bool)
values("complex", [1 + 2j, -3.5 - 0.25j, 0j], torch.complex64)
values("complex whole", [[1 + 2j], [-3 - 4j]], torch.complex64)
values("complex number", 1 - 1j, torch.complex64)
values("complex nan", [complex(nan, inf), complex(1.5, -inf)], torch.complex64)

# Empty tensors.
for dtype in [torch.float32, torch.float64, torch.int64, torch.bool]:
    for shape in [(0,), (0, 3), (2, 0, 4)]:
        case(f"empty {dtype} {shape}", torch.empty(shape, dtype=dtype))

# Lines, and what follows them.
count("a full line", (20,))
count("more than a line", (50,))
count("integers of several lines", (3, 40), torch.int64, -5.0, 7.0)
count("fractions of several lines", (2, 17), torch.float32, 0.0, 0.125)
count("rank 3", (2, 3, 4))
count("rank 4", (2, 1, 2, 3), torch.int32)
count("rank 5", (1, 2, 1, 2, 2), torch.float64, 0.5, 0.25)
count("extents of 1", (1, 1, 1))
for length in range(8, 19):
    count(f"dtype behind {length}", (length,), torch.int32, 10.0, 1.0)
    count(f"dtype behind {length} doubles", (length,), torch.float64, 10.0, 1.0)
count("deeper than a line", (1,) * 30 + (3,), torch.float64)

# Summaries above 1000 elements.
count("exactly 1000", (1000,), torch.uint8, 0.0, 0.1)
count("1001", (1001,))
count("a summary of integers", (2000,), torch.int64)
count("a summary of fractions", (1500,), torch.float32, 0.0, 0.125)
count("a summary of a matrix", (40, 50))
count("a summary of a narrow matrix", (400, 5))
count("a summary of a wide matrix", (5, 400), torch.int16)
count("a summary of six rows", (6, 200))
count("a summary of seven rows", (7, 200))
count("a summary of rank 3", (10, 11, 12), torch.int64)
count("a summary of rank 4", (8, 2, 9, 10), torch.float64)
count("a summary of small and large", (1001,), torch.float64, 0.0, 0.001)

pathlib.Path(__file__).with_suffix(".txt").write_text("".join(cases))
print(len(cases), "cases")
