"""Races Switchyard against onnxruntime on networks that torchvision, transformers and PyTorch export.

    python3 compare.py BUILD [BUILD...] [--threads 1,2,4,8,16] [--only NAME,...] [--rounds 5]
                       [--models FOLDER] [--config FILE] [--json FILE]

Several builds run against the same peer in the same rounds. Ends with 1 if outputs differ or a model
does not run.
"""

import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from export import export, names
from quantize import QUANTIZED

HERE = pathlib.Path(__file__).resolve().parent
ROUND_SECONDS = 0.2
LEAST_RUNS = 3
REST_SECONDS = 0.2    # threads of the one before spin for a while before they sleep
TOLERANCE = 1e-3     # of the largest number of an output
# Rounding to a byte that falls the other way grows through the layers of a random network: both
# sides are as far from the model computed in float32 as from each other.
BYTES_TOLERANCE = 0.2
TUNING = ("OMP_", "GOMP_", "KMP_", "MKL_", "OPENBLAS_", "DNNL_", "ONEDNN_", "ORT_")


class Server:
    """A process with one model loaded, which runs it when it is asked to."""

    def __init__(self, command):
        environment = {k: v for k, v in os.environ.items() if not k.startswith(TUNING)}
        self.complaints = tempfile.TemporaryFile("w+")  # a pipe that nobody reads would fill up
        self.process = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self.complaints, text=True, env=environment)
        self.expect("ready")

    def answer(self):
        line = self.process.stdout.readline().strip()
        if not line:
            self.process.wait()
            self.complaints.seek(0)
            raise RuntimeError(self.complaints.read()[-500:] or "the server ended")
        return line

    def expect(self, word):
        line = self.answer()
        if line != word:
            raise RuntimeError(line)

    def ask(self, request):
        self.process.stdin.write(request + "\n")
        self.process.stdin.flush()

    def time(self, count):
        self.ask(f"time {count}")
        return [int(word) / 1e6 for word in self.answer().split()]

    def outputs(self, folder):
        import onnx

        self.ask(f"write {folder}")
        self.expect("ok")
        files = sorted(pathlib.Path(folder).glob("output_*.pb"))
        tensors = [onnx.TensorProto.FromString(file.read_bytes()) for file in files]
        return [onnx.numpy_helper.to_array(tensor) for tensor in tensors]

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


def difference(ours, peer, tolerance):
    """Why two lists of outputs do not agree, or nothing."""
    import numpy

    if len(ours) != len(peer):
        return f"{len(ours)} outputs, not {len(peer)}"
    for i, (a, b) in enumerate(zip(ours, peer)):
        if a.shape != b.shape:
            return f"output {i} is {a.shape}, not {b.shape}"
        distance = numpy.abs(a.astype("f8") - b).max() / max(numpy.abs(b).max(), 1e-30)
        if not distance <= tolerance:
            return f"output {i} differs by {distance:.1e} of its largest number"
    return None


def runs_a_round(server):
    server.time(LEAST_RUNS)
    run = statistics.median(server.time(LEAST_RUNS))
    return max(LEAST_RUNS, math.ceil(ROUND_SECONDS * 1e3 / run))


def race(commands, rounds, tolerance):
    """Medians of the rounds' medians by name, or {"failure": why}."""
    servers = {}
    try:
        for name, command in commands.items():
            try:
                servers[name] = Server(command)
            except RuntimeError as error:
                return {"failure": f"{name}: {error}"}
        with tempfile.TemporaryDirectory() as scratch:
            outputs = {}
            for name, server in servers.items():
                folder = pathlib.Path(scratch) / name
                folder.mkdir()
                outputs[name] = server.outputs(folder)
        for name in servers:
            why = difference(outputs[name], outputs["onnxruntime"], tolerance)
            if why:
                return {"failure": f"{name}: {why}"}
        counts = {name: runs_a_round(server) for name, server in servers.items()}
        medians = {name: [] for name in servers}
        for turn in range(rounds):
            order = list(servers) if turn % 2 == 0 else list(reversed(servers))
            for name in order:
                time.sleep(REST_SECONDS)
                medians[name].append(statistics.median(servers[name].time(counts[name])))
        return {name: statistics.median(list_) for name, list_ in medians.items()}
    finally:
        for server in servers.values():
            server.stop()


def commands_of(options, folder, threads):
    model, inputs = folder / "model.onnx", folder / "test_data_set_0"
    made = {"onnxruntime": [sys.executable, HERE / "onnxruntime_server.py", model, inputs, threads]}
    for build in options.builds:
        name = "switchyard" if len(options.builds) == 1 else build.name
        config = options.config or build / "config" / "cpu-only.toml"
        made[name] = [build / "bin" / "switchyard_bench_model", model, inputs, threads, config]
    return made


def geometric_mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def report(results, threads):
    """A table of one number of threads for each builder: milliseconds and ratios to the peer."""
    timed = [r for r in results if r["threads"] == threads and "failure" not in r]
    if not timed:
        return
    sides = [name for name in timed[0] if name not in ("model", "threads", "onnxruntime")]
    print(f"\n| {threads} thread(s) | onnxruntime ms |", " | ".join(f"{s} ms | ratio" for s in sides),
          "|\n|---|--:|" + "--:|--:|" * len(sides))
    for r in timed:
        cells = [f"{r[s]:.2f} | {r[s] / r['onnxruntime']:.2f}" for s in sides]
        print(f"| {r['model']} | {r['onnxruntime']:.2f} |", " | ".join(cells), "|")
    means = [f" | {geometric_mean([r[s] / r['onnxruntime'] for r in timed]):.2f}" for s in sides]
    print("| geometric mean | |", " | ".join(means), "|", flush=True)


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("builds", nargs="+", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--threads", default="1,2,4,8,16")
    parser.add_argument("--only", default="")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--models", default="~/.cache/switchyard/bench/current")
    parser.add_argument("--config", type=pathlib.Path)
    parser.add_argument("--json")
    return parser.parse_args()


def main():
    options = read_options()
    root = pathlib.Path(options.models).expanduser()
    wanted = [name for name in options.only.split(",") if name] or names()
    counts = [int(text) for text in options.threads.split(",")]
    folders, results = {}, []
    for name in wanted:
        try:
            folders[name] = export(name, root)
        except Exception as error:  # whatever an exporter may throw
            results.append({"model": name, "threads": 0, "failure": f"export: {error}"})
    for threads in counts:
        for name, folder in folders.items():
            tolerance = BYTES_TOLERANCE if name in QUANTIZED else TOLERANCE
            found = race(commands_of(options, folder, threads), options.rounds, tolerance)
            results.append({"model": name, "threads": threads, **found})
        report(results, threads)
    for failed in (r for r in results if "failure" in r):
        print(f"FAILED {failed['model']}, {failed['threads']} thread(s): {failed['failure']}")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(results, indent=1))
    return any("failure" in result for result in results)


if __name__ == "__main__":
    sys.exit(main())
