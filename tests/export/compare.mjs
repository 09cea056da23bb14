// Runs each case's model.onnx on onnxruntime and compares with expected.npy.
//
//   node compare.mjs FOLDER CACHE
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

import { installedPeer } from "../../bench/models/peer.mjs";

const TOLERANCE = 2e-5;
const TYPES = {
  "<f4": { name: "float32", array: Float32Array },
  "<i8": { name: "int64", array: BigInt64Array },
};

const [folder, cache] = process.argv.slice(2);
let runtime;
try {
  runtime = createRequire(join(installedPeer(cache), "anything.js"))("onnxruntime-node");
} catch (error) {
  console.log(error.message);
  process.exit(77);
}

/** The tensor of a .npy file of format 1.0. */
function readNpy(file) {
  const bytes = readFileSync(file);
  const start = 10 + bytes.readUInt16LE(8);
  const header = bytes.toString("latin1", 10, start);
  const type = TYPES[/'descr': '([^']+)'/.exec(header)[1]];
  const shape = /'shape': \(([^)]*)\)/.exec(header)[1].split(",").filter((n) => n.trim());
  const data = new type.array(new Uint8Array(bytes.subarray(start)).buffer);
  return new runtime.Tensor(type.name, data, shape.map(Number));
}

/** The largest difference of elements; infinite where shapes differ or one is not a number. */
function difference(output, expected) {
  if (String(output.dims) !== String(expected.dims)) return Infinity;
  let largest = 0;
  expected.data.forEach((value, i) => {
    const apart = Math.abs(Number(output.data[i]) - Number(value));
    largest = Number.isNaN(apart) ? Infinity : Math.max(largest, apart);
  });
  return largest;
}

const cases = readdirSync(folder).sort();
let failed = cases.length > 0 ? 0 : 1;
for (const name of cases) {
  const file = (part) => join(folder, name, part);
  let apart;
  try {
    const session = await runtime.InferenceSession.create(file("model.onnx"), {
      executionProviders: ["cpu"],
    });
    const { output } = await session.run({ input: readNpy(file("input.npy")) });
    apart = difference(output, readNpy(file("expected.npy")));
  } catch (error) {
    apart = `onnxruntime refuses it: ${error.message}`;
  }
  if (apart <= TOLERANCE) continue;
  console.log(`${name}: ${apart}`);
  failed++;
}
console.log(`${cases.length - failed} of ${cases.length} networks as onnxruntime computes them`);
process.exit(failed ? 1 : 0);
