"""Exports networks.py's networks, and quantize.py's of them, as ONNX files with random inputs, in
ONNX's layout for test data.

    python3 export.py FOLDER [NAME...]
"""

import pathlib
import shutil
import sys
import warnings

OPSET = 17


def _settle(module, inputs):
    """Batch norms that have seen data, so that activations keep their size through deep networks."""
    import torch

    norms = [m for m in module.modules() if isinstance(m, torch.nn.BatchNorm2d)]
    for norm in norms:
        norm.train()
        norm.momentum = 1.0
    with torch.no_grad():
        module(*inputs)
    module.eval()


def names():
    from networks import NETWORKS
    from quantize import QUANTIZED

    return [*NETWORKS, *QUANTIZED]


def export(name, folder):
    """Writes FOLDER/NAME/model.onnx and its inputs, unless they are there."""
    from quantize import QUANTIZED

    target = pathlib.Path(folder) / name
    model = target / "model.onnx"
    if model.exists():
        return target
    target.mkdir(parents=True, exist_ok=True)
    unfinished = target / "unfinished.onnx"
    write = _write_quantized if name in QUANTIZED else _write_network
    write(name, target, unfinished)
    unfinished.rename(model)
    return target


def _write_quantized(name, target, unfinished):
    from quantize import QUANTIZED, quantize

    source = export(QUANTIZED[name][0], target.parent)
    shutil.copytree(source / "test_data_set_0", target / "test_data_set_0", dirs_exist_ok=True)
    quantize(name, source, unfinished)


def _write_network(name, target, unfinished):
    import onnx
    import torch

    from networks import NETWORKS

    data = target / "test_data_set_0"
    data.mkdir(exist_ok=True)
    torch.manual_seed(0)
    module, inputs = NETWORKS[name]()
    module.eval()
    _settle(module, inputs)
    for i, value in enumerate(inputs):
        tensor = onnx.numpy_helper.from_array(value.numpy(), f"input_{i}")
        (data / f"input_{i}.pb").write_bytes(tensor.SerializeToString())
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        torch.onnx.export(module, inputs, str(unfinished), opset_version=OPSET, dynamo=False)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for name in sys.argv[2:] or names():
        print(export(name, sys.argv[1]))
