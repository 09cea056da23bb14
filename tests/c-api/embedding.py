"""Runs models from Python, by the C API alone: in one thread, in four at once, and one that another
thread cancels. Arrays of NumPy, where it is installed, are tensors without a copy, and the other way
round.

    embedding.py LIBRARY FASHION.ONNX COUNTING_LOOP.ONNX
"""
import array
import ctypes
import json
import os
import sys
import threading
import time

try:
    import numpy
except ImportError:
    numpy = None

FLOAT32, INT64 = 1, 7
CANCELLED = 9
HANDLE = ctypes.c_void_p


class Port(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_uint32), ("flags", ctypes.c_uint32),
                ("name", ctypes.c_char_p), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("rank", ctypes.c_uint32), ("dtype", ctypes.c_int32),
                ("dim_names", ctypes.POINTER(ctypes.c_char_p))]


class SwitchyardError(Exception):
    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind


class Library:
    """The functions of the library: a status becomes an exception, an out parameter the result.
    Python's lock is free while they run."""

    def __init__(self, file):
        self.functions = ctypes.CDLL(file)
        self.functions.swy_status_message.restype = ctypes.c_char_p

    def call(self, name, *arguments):
        function = getattr(self.functions, name)
        function.restype = HANDLE
        status = function(*arguments)
        if not status:
            return
        status = HANDLE(status)
        error = SwitchyardError(self.functions.swy_status_kind(status),
                                self.functions.swy_status_message(status).decode())
        self.functions.swy_status_release(status)
        raise error

    def get(self, name, *arguments, kind=HANDLE):
        out = kind()
        self.call(name, *arguments, ctypes.byref(out))
        return out

    def release(self, name, handle):
        getattr(self.functions, name + "_release")(handle)

    def text(self, name, *arguments):
        out = self.get(name, *arguments)
        text = ctypes.string_at(out).decode()
        self.functions.swy_text_release(out)
        return text


def make_tensor(library, device, dtype, shape, elements):
    data = array.array("f" if dtype == FLOAT32 else "q", elements).tobytes()
    extents = (ctypes.c_int64 * len(shape))(*shape)
    return library.get("swy_tensor_from_bytes", device, ctypes.c_int32(dtype),
                       ctypes.c_uint32(len(shape)), extents, data, ctypes.c_size_t(len(data)))


def elements_of(library, tensor):
    size = library.get("swy_tensor_size_bytes", tensor, kind=ctypes.c_size_t)
    data = ctypes.create_string_buffer(size.value)
    library.call("swy_tensor_read", tensor, data, size)
    return array.array("f", data.raw).tolist()


def borrow(library, device, values, released):
    """A tensor that shares the elements of an array of float32, strides and all."""
    numbers = ctypes.c_int64 * values.ndim
    strides = numbers(*(stride // values.itemsize for stride in values.strides))
    deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: released.append(values))
    tensor = library.get("swy_tensor_borrow", device, ctypes.c_int32(FLOAT32),
                         ctypes.c_uint32(values.ndim), numbers(*values.shape), strides,
                         ctypes.c_void_p(values.ctypes.data), ctypes.c_uint32(0), deleter, None)
    return tensor, deleter


def view(library, tensor, shape):
    """An array that shares the elements of a tensor, as long as the mapping is kept."""
    mapping, data = HANDLE(), ctypes.c_void_p()
    library.call("swy_tensor_map", tensor, ctypes.byref(mapping), ctypes.byref(data))
    floats = ctypes.cast(data, ctypes.POINTER(ctypes.c_float))
    return numpy.ctypeslib.as_array(floats, shape), mapping


def check_arrays(library, device):
    """Of a column of a larger array, and of the elements that a tensor shares with it."""
    released = []
    column = numpy.arange(12, dtype=numpy.float32).reshape(3, 4)[:, 1]
    tensor, deleter = borrow(library, device, column, released)
    assert elements_of(library, tensor) == [1.0, 5.0, 9.0]
    column[1] = -5
    assert elements_of(library, tensor) == [1.0, -5.0, 9.0], "the elements were copied"
    library.release("swy_tensor", tensor)
    assert len(released) == 1 and deleter

    tensor = make_tensor(library, device, FLOAT32, (2, 2), [1, 2, 3, 4])
    values, mapping = view(library, tensor, (2, 2))
    assert values.tolist() == [[1, 2], [3, 4]]
    source = make_tensor(library, device, FLOAT32, (2, 2), [5, 6, 7, 8])
    library.call("swy_tensor_assign", tensor, source)
    assert elements_of(library, tensor) == [5, 6, 7, 8]
    assert values.tolist() == [[5, 6], [7, 8]], "the elements were copied"
    for name, handle in (("swy_mapping", mapping), ("swy_tensor", tensor), ("swy_tensor", source)):
        library.release(name, handle)


def start_run(library, model, inputs):
    run = library.get("swy_run_create", model)
    for index, tensor in enumerate(inputs):
        library.call("swy_run_set_input", run, ctypes.c_size_t(index), tensor)
        library.release("swy_tensor", tensor)
    return run


def scores_of(library, model, device, shade):
    picture = make_tensor(library, device, FLOAT32, (1, 1, 28, 28), [shade] * 784)
    run = start_run(library, model, [picture])
    library.call("swy_run_execute", run)
    output = library.get("swy_run_output", run, ctypes.c_size_t(0))
    library.release("swy_run", run)
    scores = elements_of(library, output)
    library.release("swy_tensor", output)
    return scores


def check_ports(library, model):
    port = Port(struct_size=ctypes.sizeof(Port))
    library.call("swy_model_input_port", model, ctypes.c_size_t(0), ctypes.byref(port))
    assert port.dtype == FLOAT32 and port.rank == 4, (port.name, port.dtype, port.rank)
    assert port.shape[2] == 28 and port.shape[3] == 28
    assert [port.dim_names[i] for i in range(4)] == [b"N", b"", b"", b""]


def check_threads(library, model, device):
    shades = [0.0, 0.25, 0.5, 1.0]
    wanted = {shade: scores_of(library, model, device, shade) for shade in shades}
    assert all(len(scores) == 10 for scores in wanted.values())
    assert wanted[0.0] != wanted[1.0]
    wrong = []

    def work(shade):
        for _ in range(100):
            if scores_of(library, model, device, shade) != wanted[shade]:
                wrong.append(shade)

    threads = [threading.Thread(target=work, args=(shade,)) for shade in shades]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong, wrong


def check_cancellation(library, runtime, device, file):
    model = library.get("swy_model_load", runtime, file, None)
    run = start_run(library, model, [
        make_tensor(library, device, INT64, (), [9000000]),
        make_tensor(library, device, FLOAT32, (1,), [0.0]),
        make_tensor(library, device, FLOAT32, (1,), [1.0])])
    token = library.get("swy_cancellation_token_create")
    library.call("swy_run_set_cancellation_token", run, token)
    kinds = []

    def work():
        try:
            library.call("swy_run_execute", run)
            kinds.append(0)
        except SwitchyardError as error:
            kinds.append(error.kind)

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.2)
    assert not kinds, "the run ended before it was cancelled"
    library.functions.swy_cancellation_token_cancel(token)
    thread.join()
    assert kinds == [CANCELLED], kinds
    for name, handle in (("swy_cancellation_token", token), ("swy_run", run), ("swy_model", model)):
        library.release(name, handle)


def check_errors(library, runtime):
    try:
        library.get("swy_model_load", runtime, b"nowhere.onnx", None)
    except SwitchyardError as error:
        assert error.kind == 12 and "nowhere.onnx" in str(error), error
    else:
        raise AssertionError("a model that is not there was loaded")


def main(library_file, fashion, counting_loop):
    library = Library(library_file)
    runtime = library.get("swy_runtime_open")
    plugins = json.loads(library.text("swy_runtime_devices_json", runtime))["plugins"]
    device = library.get("swy_runtime_default_device", runtime)
    name = library.get("swy_device_name", device, kind=ctypes.c_char_p).value.decode()
    assert any(name == each["id"] for plugin in plugins for each in plugin["devices"]), plugins
    model = library.get("swy_model_load", runtime, fashion.encode(), None)
    check_ports(library, model)
    check_threads(library, model, device)
    check_cancellation(library, runtime, device, counting_loop.encode())
    check_errors(library, runtime)
    if numpy:
        check_arrays(library, device)
    elif os.environ.get("SWITCHYARD_REQUIRE_DATA") == "1":
        raise AssertionError("NumPy is not installed")
    assert json.loads(library.text("swy_runtime_fallbacks_json", runtime)) == []
    for kind, handle in (("model", model), ("device", device), ("runtime", runtime)):
        library.release("swy_" + kind, handle)
    print("models ran from Python on", name, "" if numpy else "(NumPy is not installed)")


main(*sys.argv[1:])
