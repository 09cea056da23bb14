"""Makes linalg_golden.txt and fft_golden.txt: what PyTorch (1.13) gives for the cases that the
tests of these names compute. Vectors of svd and eigh are known but for their sign: their sizes are
compared. Run it in this folder."""

import torch

from torch_golden import INF, gradient, write

linalg, fft = torch.linalg, torch.fft


def counted(*shape, step=7, dtype=torch.float64):
    """Numbers that are easily made elsewhere, too."""
    count = torch.Size(shape).numel()
    return ((torch.arange(count, dtype=torch.float64) * step % 11) / 4 - 1).reshape(shape).to(dtype)


def square(*stack, n=3, dtype=torch.float64):
    return counted(*stack, n, n, dtype=dtype) + 3 * torch.eye(n, dtype=dtype)


def definite(*stack, n=3, dtype=torch.float64):
    x = counted(*stack, n, n, dtype=dtype)
    return x @ x.mT + torch.eye(n, dtype=dtype)


def weighted(result):
    flat = result.flatten()
    return (flat * (torch.arange(flat.numel(), dtype=flat.dtype) + 1)).sum()


def symmetric(x):
    return (x + x.mT) / 2


SHAPES = {"one": (1, 1), "tall": (4, 2), "wide": (2, 5), "square": (3, 3), "stack": (2, 3, 4),
          "empty_stack": (0, 3, 2), "no_rows": (0, 3), "no_columns": (2, 0), "nothing": (2, 0, 0)}


def of_squares(cases):
    inputs = {"one": square(n=1), "square": square(), "stack": square(2, 2), "float32":
              square(2, n=4, dtype=torch.float32), "turned": square(n=4).mT, "large":
              square(n=20), "nothing": torch.zeros(2, 0, 0), "empty": torch.zeros(0, 3, 3)}
    for name, x in inputs.items():
        cases[f"det_{name}"] = linalg.det(x)
        cases[f"slogdet_sign_{name}"] = linalg.slogdet(x)[0]
        cases[f"slogdet_logarithm_{name}"] = linalg.slogdet(x)[1]
        cases[f"inv_{name}"] = linalg.inv(x)
        for n in (0, 1, 2, 5, -1, -3):
            word = str(n).replace("-", "minus_")
            cases[f"matrix_power_{word}_{name}"] = linalg.matrix_power(x, n)
    singular = torch.tensor([[1.0, 2.0], [2.0, 4.0]])
    cases["det_singular"] = linalg.det(singular)
    cases["slogdet_sign_singular"] = linalg.slogdet(singular)[0]
    cases["slogdet_logarithm_singular"] = linalg.slogdet(singular)[1]
    cases["inv_integers"] = linalg.inv(torch.tensor([[2.0, 1.0], [1.0, 1.0]]))
    cases["gradient_det"] = gradient(lambda t: weighted(linalg.det(t)), square(2))
    cases["gradient_det_large"] = gradient(
        lambda t: weighted(linalg.det(t / 4)), square(2, n=10))
    cases["gradient_slogdet"] = gradient(lambda t: weighted(linalg.slogdet(t)[1]), square(2))
    cases["gradient_inv"] = gradient(lambda t: weighted(linalg.inv(t)), square(2))
    cases["gradient_matrix_power"] = gradient(
        lambda t: weighted(linalg.matrix_power(t, -3)), square())


def of_any(cases):
    for name, shape in SHAPES.items():
        x = counted(*shape)
        q, r = linalg.qr(x)
        u, s, vh = linalg.svd(x, full_matrices=False)
        cases |= {f"qr_q_{name}": q, f"qr_r_{name}": r, f"svd_u_{name}": u.abs(),
                  f"svd_s_{name}": s, f"svd_vh_{name}": vh.abs(),
                  f"svdvals_{name}": linalg.svdvals(x), f"pinv_{name}": linalg.pinv(x),
                  f"matrix_rank_{name}": linalg.matrix_rank(x)}
    poor = counted(4, 2) @ counted(2, 3)
    cases["matrix_rank_poor"] = linalg.matrix_rank(poor)
    cases["matrix_rank_atol"] = linalg.matrix_rank(square(), atol=3.0)
    cases["matrix_rank_rtol"] = linalg.matrix_rank(square(), rtol=0.9)
    cases["pinv_poor"] = linalg.pinv(poor)
    cases["pinv_atol"] = linalg.pinv(square(), atol=3.0)
    cases["pinv_rtol"] = linalg.pinv(square(), rtol=0.5)
    cases["pinv_float32"] = linalg.pinv(counted(2, 3, dtype=torch.float32))
    for name in ("tall", "wide", "square", "stack"):
        x = counted(*SHAPES[name])
        cases[f"gradient_qr_{name}"] = gradient(
            lambda t: weighted(linalg.qr(t)[0]) + weighted(linalg.qr(t)[1]), x)
        cases[f"gradient_svd_{name}"] = gradient(
            lambda t: weighted(linalg.svd(t, full_matrices=False)[0] ** 2)
            + weighted(linalg.svd(t, full_matrices=False)[2] ** 2), x)
        cases[f"gradient_svdvals_{name}"] = gradient(lambda t: weighted(linalg.svdvals(t)), x)
        cases[f"gradient_pinv_{name}"] = gradient(lambda t: weighted(linalg.pinv(t)), x)
    cases["gradient_pinv_unit"] = gradient(lambda t: weighted(linalg.pinv(t)), torch.eye(3))


def of_symmetric(cases):
    for name, x in {"one": definite(n=1), "square": definite(), "stack": definite(2, 2), "float32":
                    definite(2, dtype=torch.float32), "nothing": torch.zeros(2, 0, 0)}.items():
        cases[f"cholesky_{name}"] = linalg.cholesky(x)
        cases[f"cholesky_upper_{name}"] = linalg.cholesky(x, upper=True)
        values, vectors = linalg.eigh(x)
        cases |= {f"eigh_values_{name}": values, f"eigh_vectors_{name}": vectors.abs(),
                  f"eigvalsh_{name}": linalg.eigvalsh(x)}
    mixed = square()
    cases["eigvalsh_lower_triangle"] = linalg.eigvalsh(mixed)
    cases["eigvalsh_upper_triangle"] = linalg.eigvalsh(mixed, UPLO="U")
    cases["gradient_cholesky"] = gradient(
        lambda t: weighted(linalg.cholesky(symmetric(t))), definite(2))
    cases["gradient_cholesky_upper"] = gradient(
        lambda t: weighted(linalg.cholesky(symmetric(t), upper=True)), definite())
    cases["gradient_eigh"] = gradient(
        lambda t: weighted(linalg.eigh(symmetric(t))[1] ** 2)
        + weighted(linalg.eigh(symmetric(t))[0]), definite(2))
    cases["gradient_eigvalsh"] = gradient(
        lambda t: weighted(linalg.eigvalsh(symmetric(t))), definite(2))


def of_systems(cases):
    a, stack = square(), square(2, 1)
    line, sides, more = counted(3, step=5), counted(3, 2, step=5), counted(2, 3, 2, step=5)
    cases |= {
        "solve": linalg.solve(a, sides), "solve_line": linalg.solve(a, line),
        "solve_stack": linalg.solve(stack, more), "solve_lines": linalg.solve(square(2), sides.mT),
        "solve_line_of_stack": linalg.solve(square(2), line),
        "solve_right": linalg.solve(a, sides.mT, left=False),
        "solve_turned": linalg.solve(a.mT, sides),
        "solve_float32": linalg.solve(a.float(), sides.float()),
        "solve_no_sides": linalg.solve(a, torch.zeros(3, 0, dtype=torch.float64)),
        "solve_empty": linalg.solve(torch.zeros(0, 3, 3), torch.zeros(3, 2)),
        "gradient_solve": gradient(lambda t: weighted(linalg.solve(t, more)), stack),
        "gradient_solve_sides": gradient(lambda t: weighted(linalg.solve(stack, t)), sides),
        "gradient_solve_right": gradient(
            lambda t: weighted(linalg.solve(t, sides.mT, left=False)), a),
    }
    for upper in (False, True):
        for left in (False, True):
            for unit in (False, True):
                word = ("upper" if upper else "lower") + ("_left" if left else "_right")
                word += "_unit" * unit
                b = more if left else more.mT
                options = {"upper": upper, "left": left, "unitriangular": unit}
                cut = torch.triu if upper else torch.tril
                cases[f"solve_triangular_{word}"] = linalg.solve_triangular(
                    cut(stack), b, **options)
                cases[f"gradient_solve_triangular_{word}"] = gradient(
                    lambda t: weighted(linalg.solve_triangular(t, b, **options)), cut(a))
    tall, wide = counted(5, 2), counted(2, 4)
    for name, x, b in (("tall", tall, counted(5, 3, step=5)), ("wide", wide, counted(2, 3, step=5)),
                       ("stack", counted(2, 4, 3), counted(2, 4, 1, step=5))):
        solution = linalg.lstsq(x, b, driver="gelsy").solution
        cases[f"lstsq_{name}"] = solution
        # PyTorch's own are for a full rank alone.
        has_residuals = x.size(-2) > x.size(-1)
        left = ((x @ solution - b) ** 2).sum(-2)
        cases[f"lstsq_residuals_{name}"] = left if has_residuals else x.new_zeros(0)
        cases[f"gradient_lstsq_{name}"] = gradient(lambda t: weighted(torch.linalg.pinv(t) @ b), x)
    cases["lstsq_line"] = linalg.lstsq(tall, counted(5, 1, step=5)).solution[:, 0]


def norms(cases):
    x, stack = counted(3, 4), counted(2, 3, 4)
    for name, order in (("1", 1), ("minus_1", -1), ("2", 2), ("minus_2", -2), ("inf", INF),
                        ("minus_inf", -INF), ("frobenius", "fro"), ("nuclear", "nuc")):
        cases[f"matrix_norm_{name}"] = linalg.matrix_norm(x, order)
        cases[f"matrix_norm_dims_{name}"] = linalg.matrix_norm(stack, order, dim=(2, 0))
        cases[f"matrix_norm_keep_{name}"] = linalg.matrix_norm(
            stack, order, dim=(-3, 1), keepdim=True)
        cases[f"norm_{name}"] = linalg.norm(x, order)
        cases[f"gradient_matrix_norm_{name}"] = gradient(
            lambda t: linalg.matrix_norm(t, order), square())
    for name, order in (("0", 0), ("1", 1), ("2", 2), ("3", 3), ("half", 0.5), ("inf", INF)):
        cases[f"vector_norm_{name}"] = linalg.vector_norm(stack, order)
        cases[f"vector_norm_dims_{name}"] = linalg.vector_norm(
            stack, order, dim=(0, 2), keepdim=True)
        cases[f"norm_line_{name}"] = linalg.norm(x[0], order)
        cases[f"norm_dim_{name}"] = linalg.norm(x, order, dim=0)
    cases["norm_all"] = linalg.norm(stack)
    cases["norm_of_dims"] = linalg.norm(stack, dim=(0, 1))


def products(cases):
    a, b, c, d = counted(2, 5), counted(5, 3), counted(3, 4), counted(4, 6)
    cases["multi_dot"] = linalg.multi_dot((a, b, c, d))
    cases["multi_dot_two"] = linalg.multi_dot((a, b))
    cases["multi_dot_row"] = linalg.multi_dot((a[0], b, c))
    cases["multi_dot_column"] = linalg.multi_dot((b, c, d[:, 0]))
    cases["multi_dot_number"] = linalg.multi_dot((a[0], b, c, d[:, 0]))
    cases["gradient_multi_dot"] = gradient(lambda t: weighted(linalg.multi_dot((t, b, c, d))), a)


def transforms():
    cases = {}
    real = torch.view_as_real
    x = counted(2, 3, 4)
    z = torch.complex(counted(2, 4, 3), counted(2, 4, 3, step=5))
    for norm in ("backward", "ortho", "forward"):
        for n in (None, 1, 2, 5, 6):
            word = f"{norm}_{n or 'all'}"
            for dim in (-1, 0):
                at = f"{word}_{'last' if dim else 'first'}"
                cases[f"fft_{at}"] = real(fft.fft(z, n, dim, norm))
                cases[f"ifft_{at}"] = real(fft.ifft(z, n, dim, norm))
                cases[f"rfft_{at}"] = real(fft.rfft(x, n, dim, norm))
                cases[f"irfft_{at}"] = fft.irfft(z, n, dim, norm)
        for name, shape, dims in (("all", None, (-2, -1)), ("shape", (3, 5), (-2, -1)),
                                  ("dims", None, (0, 1)), ("three", None, (1, 0, 2))):
            word = f"{norm}_{name}"
            cases[f"fft2_{word}"] = real(fft.fftn(z, shape, dims, norm))
            cases[f"ifft2_{word}"] = real(fft.ifftn(z, shape, dims, norm))
            cases[f"rfft2_{word}"] = real(fft.rfftn(x, shape, dims, norm))
            cases[f"irfft2_{word}"] = fft.irfftn(z, shape, dims, norm)
    cases["fft_float32"] = real(fft.fft(z.to(torch.complex64)))
    cases["rfft_integers"] = real(fft.rfft(torch.arange(7)))
    cases["rfft_prime"] = real(fft.rfft(counted(2, 97)))
    cases["fft_large"] = real(fft.fft(torch.complex(counted(1000), counted(1000, step=3))))[::37]
    cases["rfft_of_empty_stack"] = real(fft.rfft(torch.zeros(0, 5)))
    for n in (1, 2, 7, 8):
        cases[f"fftfreq_{n}"] = fft.fftfreq(n, 0.25)
        cases[f"rfftfreq_{n}"] = fft.rfftfreq(n, dtype=torch.float64)
    cases["fftshift"] = fft.fftshift(x)
    cases["ifftshift"] = fft.ifftshift(x)
    cases["fftshift_odd"] = real(fft.fftshift(z, -1))
    cases["ifftshift_odd"] = real(fft.ifftshift(z, -1))
    parts = real(z)
    cases["gradient_fft"] = gradient(
        lambda t: weighted(real(fft.fft(torch.view_as_complex(t), 7, 1, "ortho"))), parts)
    cases["gradient_rfft"] = gradient(lambda t: weighted(real(fft.rfft(t, 4, norm="forward"))), x)
    cases["gradient_irfft"] = gradient(
        lambda t: weighted(fft.irfft(torch.view_as_complex(t), 7)), parts)
    cases["gradient_rfft2"] = gradient(lambda t: weighted(real(fft.rfft2(t))), x)
    return cases


matrices = {}
for family in (of_squares, of_any, of_symmetric, of_systems, norms, products):
    family(matrices)
write("linalg_golden.txt", matrices)
write("fft_golden.txt", transforms())
