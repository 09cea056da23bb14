"""Times functions of a million floats beside PyTorch, one thread, in turns; see ../README.md."""

import argparse
import math
import pathlib
import subprocess
import time

import torch


class Switchyard:
    def __init__(self, build):
        self.process = subprocess.Popen([build / "bin/switchyard_bench_functions"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline()

    def names(self):
        return self.ask("?").split()

    def milliseconds(self, name):
        return float(self.ask(name))


class Torch:
    def __init__(self):
        torch.set_num_threads(1)
        self.x, self.y = torch.rand(1 << 20) * 0.8 + 0.1, torch.rand(1 << 20) + 0.5

    def milliseconds(self, name):
        function = getattr(torch, name)
        try:
            function(self.x)
            arguments = [self.x]
        except TypeError:
            arguments = [self.x, self.y]
        least = math.inf
        for _ in range(25):
            begin = time.perf_counter()
            function(*arguments)
            least = min(least, time.perf_counter() - begin)
        return least * 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--only", default="")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    ours, theirs = Switchyard(arguments.build), Torch()
    print("| function | torch ms | switchyard ms | ratio |\n|---|--:|--:|--:|")
    ratios = []
    for name in ours.names():
        if arguments.only not in name:
            continue
        rounds = [(theirs.milliseconds(name), ours.milliseconds(name)) for _ in range(arguments.rounds)]
        torch_ms, our_ms = (min(times) for times in zip(*rounds))
        ratios.append(our_ms / torch_ms)
        print(f"| {name} | {torch_ms:.2f} | {our_ms:.2f} | {ratios[-1]:.2f} |", flush=True)
    print(f"| geometric mean | | | {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f} |")


main()
