"""One model behind each runtime, for clients in several threads: a request gives the bytes of an
input and takes those of the outputs. Switchyard is called through its C API, by ctypes, and
onnxruntime through its Python package, which calls its C API; Python's lock is free in both while
they run.
"""

import ctypes

HANDLE = ctypes.c_void_p
DTYPES = {"float32": 1, "int64": 7}
CONFIG = """
[host]
log_level = "error"
[routing]
order = ["cpu"]
[plugins.cpu]
library = "{plugin}"
options.threads = 1
"""


class Onnxruntime:
    """Requests are served by the thread that makes them."""

    def __init__(self, model):
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self.session = onnxruntime.InferenceSession(model, options,
                                                    providers=["CPUExecutionProvider"])
        self.names = [given.name for given in self.session.get_inputs()]

    def client(self):
        return lambda arrays: self.session.run(None, dict(zip(self.names, arrays)))


class Switchyard:
    """Requests are served by the thread that makes them: each client has a run of the model."""

    def __init__(self, model, library, plugin):
        self.functions = ctypes.CDLL(library)
        self.functions.swy_status_message.restype = ctypes.c_char_p
        runtime = self.get("swy_runtime_open_text", CONFIG.format(plugin=plugin).encode())
        self.device = self.get("swy_runtime_default_device", runtime)
        self.model = self.get("swy_model_load", runtime, str(model).encode(), None)
        self.count = self.get("swy_model_output_count", self.model, kind=ctypes.c_size_t).value

    def call(self, name, *arguments):
        function = getattr(self.functions, name)
        function.restype = HANDLE
        status = function(*arguments)
        if status:
            raise RuntimeError(self.functions.swy_status_message(HANDLE(status)).decode())

    def get(self, name, *arguments, kind=HANDLE):
        out = kind()
        self.call(name, *arguments, ctypes.byref(out))
        return out

    def tensor(self, array):
        shape = (ctypes.c_int64 * array.ndim)(*array.shape)
        return self.get("swy_tensor_from_bytes", self.device,
                        ctypes.c_int32(DTYPES[str(array.dtype)]), ctypes.c_uint32(array.ndim),
                        shape, ctypes.c_void_p(array.ctypes.data), ctypes.c_size_t(array.nbytes))

    def output(self, run, index):
        tensor = self.get("swy_run_output", run, ctypes.c_size_t(index))
        size = self.get("swy_tensor_size_bytes", tensor, kind=ctypes.c_size_t)
        data = ctypes.create_string_buffer(size.value)
        self.call("swy_tensor_read", tensor, data, size)
        self.functions.swy_tensor_release(tensor)
        return data

    def client(self):
        run = self.get("swy_run_create", self.model)

        def request(arrays):
            for index, array in enumerate(arrays):
                tensor = self.tensor(array)
                self.call("swy_run_set_input", run, ctypes.c_size_t(index), tensor)
                self.functions.swy_tensor_release(tensor)
            self.call("swy_run_execute", run)
            return [self.output(run, index) for index in range(self.count)]

        return request
