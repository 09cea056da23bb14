// What a call costs each runtime before it computes anything: it is part of every model's time, and
// of onnxruntime's a part is node's.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { race } from "./race.mjs";
import { writeTensor } from "./tensor_file.mjs";

function field(number, wire, ...bytes) {
  return [(number << 3) | wire, ...bytes];
}
function message(number, ...parts) {
  const bytes = parts.flat();
  return field(number, 2, bytes.length, ...bytes);
}
function text(number, value) {
  return message(number, ...Buffer.from(value));
}

/** A model with one Neg of one float. */
function tinyModel() {
  const dimension = message(1, field(1, 0, 1));  // 1
  const tensorType = message(1, field(1, 0, 1), message(2, dimension));  // float32 of that shape
  const port = (number, name) => message(number, text(1, name), message(2, tensorType));
  const node = message(1, text(1, "x"), text(2, "y"), text(4, "Neg"));
  const graph = message(7, node, text(2, "tiny"), port(11, "x"), port(12, "y"));
  return Buffer.from([...field(1, 0, 8), ...graph, ...message(8, field(2, 0, 17))]);
}

/** { ours_us, peer_us } on one thread. */
export async function callCost(options) {
  const folder = join(options.scratch, "call_cost");
  const inputs = join(folder, "inputs");
  mkdirSync(inputs, { recursive: true });
  const file = join(folder, "tiny.onnx");
  writeFileSync(file, tinyModel());
  const data = Float32Array.of(1);
  writeTensor(join(inputs, "input_0.pb"), { name: "x", dtype: "float32", shape: [1], data });
  const model = { name: "call_cost", file, inputs, tolerance: "plain" };
  const result = await race(model, 1, options);
  if (result.failure) throw new Error(`${model.name}: ${result.failure}`);
  return { ours_us: result.ours_ms * 1000, peer_us: result.peer_ms * 1000 };
}
