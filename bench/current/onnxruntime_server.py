"""One model on onnxruntime under the clock: the peer of models/switchyard_server.cpp, whose protocol
it speaks.

    python3 onnxruntime_server.py MODEL INPUTS THREADS
"""

import pathlib
import sys
import time

import onnx
import onnxruntime


def session_of(model, threads):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def feeds_of(session, folder):
    feeds = {}
    for i, wanted in enumerate(session.get_inputs()):
        tensor = onnx.TensorProto()
        tensor.ParseFromString((pathlib.Path(folder) / f"input_{i}.pb").read_bytes())
        feeds[wanted.name] = onnx.numpy_helper.to_array(tensor)
    return feeds


def main(model, inputs, threads):
    session = session_of(model, int(threads))
    feeds = feeds_of(session, inputs)
    names = [output.name for output in session.get_outputs()]
    outputs = session.run(names, feeds)
    print("ready", flush=True)
    for line in sys.stdin:
        verb, argument = line.split(maxsplit=1)
        if verb == "time":
            times = []
            for _ in range(int(argument)):
                start = time.perf_counter_ns()
                outputs = session.run(names, feeds)
                times.append(time.perf_counter_ns() - start)
            print(*times, flush=True)
        else:
            for i, value in enumerate(outputs):
                tensor = onnx.numpy_helper.from_array(value, names[i])
                path = pathlib.Path(argument.strip()) / f"output_{i}.pb"
                path.write_bytes(tensor.SerializeToString())
            print("ok", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
