"""Writes and reads safetensors files without the package."""
import json
import struct

import numpy
import torch

NAMES = {torch.float32: "F32", torch.float64: "F64", torch.int64: "I64", torch.bool: "BOOL"}


def save(path, tensors):
    header, body = {}, b""
    for name in sorted(tensors):
        tensor = tensors[name].detach().contiguous()
        data = tensor.numpy().tobytes()
        header[name] = {"dtype": NAMES[tensor.dtype], "shape": list(tensor.shape),
                        "data_offsets": [len(body), len(body) + len(data)]}
        body += data
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + body)


def load(path):
    data = open(path, "rb").read()
    (size,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + size])
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        first, last = entry["data_offsets"]
        dtype = {v: k for k, v in NAMES.items()}[entry["dtype"]]
        numbers = numpy.frombuffer(data[8 + size + first:8 + size + last],
                                   dtype=torch.zeros((), dtype=dtype).numpy().dtype)
        tensors[name] = torch.from_numpy(numbers.copy()).reshape(entry["shape"])
    return tensors
