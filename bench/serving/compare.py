"""Requests from several clients at once: one model, shared by 1 to 16 threads that each wait for
their answer, on Switchyard and on onnxruntime. Both compute a request on the client's own thread.

    python3 compare.py BUILD [--threads 1,2,4,8,16] [--seconds 2] [--rounds 3] [--only NAME,NAME]
                       [--models FOLDER]

Prints requests a second and the 50th and 99th percentiles of their times; the ratio is Switchyard's
requests a second to onnxruntime's. Needs what bench/current needs, which exports the models.
"""

import argparse
import pathlib
import statistics
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).parent
CACHE = pathlib.Path.home() / ".cache/switchyard/bench/current"


def exported(name, models):
    """Where bench/current has exported the model, in a process of its own: PyTorch takes what room
    a process has for the thread-local storage of libraries that are opened later."""
    export = HERE.parent / "current" / "export.py"
    subprocess.run([sys.executable, export, models, name], check=True, stdout=subprocess.DEVNULL)
    return models / name


def inputs_of(folder):
    import onnx

    files = sorted((folder / "test_data_set_0").glob("input_*.pb"))
    return [onnx.numpy_helper.to_array(onnx.TensorProto.FromString(file.read_bytes()))
            for file in files]


def check(sides, arrays):
    """Ends the program if the answers do not agree to a thousandth of their largest number."""
    import numpy

    expected = sides["onnxruntime"].client()(arrays)
    for given, wanted in zip(sides["switchyard"].client()(arrays), expected):
        found = numpy.frombuffer(given, wanted.dtype).reshape(wanted.shape)
        distance = numpy.abs(found - wanted).max() / numpy.abs(wanted).max()
        if not distance < 1e-3:
            sys.exit(f"the answers differ by {distance:.1e} of the largest number")


def serve(side, arrays, threads, seconds):
    """The times of the requests, of all clients, and how many there were in a second."""
    ready, times = threading.Barrier(threads + 1), [[] for _ in range(threads)]
    end = [0.0]

    def work(own):
        request = side.client()
        request(arrays)
        ready.wait()
        ready.wait()
        now = time.perf_counter()
        while now < end[0]:
            request(arrays)
            before, now = now, time.perf_counter()
            own.append(now - before)

    clients = [threading.Thread(target=work, args=(own,)) for own in times]
    for client in clients:
        client.start()
    ready.wait()
    start = time.perf_counter()
    end[0] = start + seconds
    ready.wait()
    for client in clients:
        client.join()
    elapsed = time.perf_counter() - start
    all_times = sorted(t for own in times for t in own)
    return len(all_times) / elapsed, all_times


def percentile(times, share):
    return times[min(len(times) - 1, int(len(times) * share))] * 1e3


def compare(name, sides, arrays, threads, options):
    rates, times = {side: [] for side in sides}, {side: [] for side in sides}
    for turn in range(options.rounds):
        for side in (list(sides) if turn % 2 == 0 else reversed(list(sides))):
            rate, taken = serve(sides[side], arrays, threads, options.seconds)
            rates[side].append(rate)
            times[side] = sorted(times[side] + taken)
    medians = {side: statistics.median(rates[side]) for side in sides}
    cells = [f"{medians[side]:.1f} | {percentile(times[side], 0.5):.2f} | "
             f"{percentile(times[side], 0.99):.2f}" for side in sides]
    ratio = medians["switchyard"] / medians["onnxruntime"]
    print(f"| {name} | {threads} | {' | '.join(cells)} | {ratio:.2f} |", flush=True)
    return ratio


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--threads", default="1,2,4,8,16")
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="mobilenet_v2,resnet50,distilbert_64")
    parser.add_argument("--models", type=pathlib.Path, default=CACHE)
    options = parser.parse_args()
    from clients import Onnxruntime, Switchyard

    libraries = [str(options.build.resolve() / place) for place in
                 ("lib/libswitchyard.so", "plugins/libswitchyard_cpu.so")]
    print("| model | clients | onnxruntime requests/s | p50 ms | p99 ms | Switchyard requests/s | "
          "p50 ms | p99 ms | ratio |\n|" + "---|" * 9)
    ratios = []
    for name in options.only.split(","):
        folder = exported(name, options.models)
        model, arrays = folder / "model.onnx", inputs_of(folder)
        switchyard = Switchyard(model, *libraries)
        sides = {"onnxruntime": Onnxruntime(model), "switchyard": switchyard}
        check(sides, arrays)
        for threads in options.threads.split(","):
            ratios.append(compare(name, sides, arrays, int(threads), options))
    print(f"\nGeometric mean of the ratios: {statistics.geometric_mean(ratios):.2f}")


main()
