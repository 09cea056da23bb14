"""Writes counting_loop.onnx: y = x + count * step by a Loop, and two outputs that are no tensors.

    counting_loop.py FILE
"""
import sys

FLOAT32, INT64, BOOL = 1, 7, 9
GRAPH, TYPE = 5, 13  # kinds of attributes


def varint(number):
    data = bytearray()
    while number > 0x7F:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(data + bytearray([number]))


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def tensor_type(dtype, *dims):
    shape = b"".join(field(1, field(2, dim)) for dim in dims)
    return field(1, field(1, dtype) + field(2, shape))


def value(name, its_type):
    return field(1, name) + field(2, its_type)


def attribute(name, kind, number, content):
    return field(1, name) + field(number, content) + field(20, kind)


def node(op, inputs, outputs, *attributes):
    names = b"".join(field(1, name) for name in inputs)
    names += b"".join(field(2, name) for name in outputs)
    return names + field(4, op) + b"".join(field(5, each) for each in attributes)


def graph(name, nodes, inputs, outputs):
    data = b"".join(field(1, each) for each in nodes) + field(2, name)
    data += b"".join(field(11, each) for each in inputs)
    return data + b"".join(field(12, each) for each in outputs)


def model():
    vector = tensor_type(FLOAT32, "n")
    body = graph(
        "body",
        [node("Identity", ["go_on"], ["goes_on"]), node("Add", ["sum", "step"], ["next"])],
        [value("i", tensor_type(INT64)), value("go_on", tensor_type(BOOL)), value("sum", vector)],
        [value("goes_on", tensor_type(BOOL)), value("next", vector)])
    main = graph(
        "counting_loop",
        [node("Loop", ["count", "", "x"], ["y"], attribute("body", GRAPH, 6, body)),
         node("SequenceConstruct", ["x", "step"], ["pair"]),
         node("Optional", [], ["nothing"], attribute("type", TYPE, 14, vector))],
        [value("count", tensor_type(INT64)), value("x", vector), value("step", vector)],
        [value("y", vector), value("pair", field(4, field(1, vector))),
         value("nothing", field(9, field(1, vector)))])
    return field(1, 8) + field(8, field(1, "") + field(2, 17)) + field(7, main)


with open(sys.argv[1], "wb") as file:
    file.write(model())
