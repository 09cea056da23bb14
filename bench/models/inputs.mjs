// The inputs of a model for which no data are given: made from inputs.txt, the same at every run.
import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { rowsOf } from "./rows.mjs";
import { arrayType, writeTensor } from "./tensor_file.mjs";

const SEED = 20240229;

// mulberry32: uniform in [0, 1).
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function filled(dtype, count, values, random) {
  const [least, most = least] = values.split("..").map(Number);
  const data = new (arrayType(dtype))(count);
  const isBig = data instanceof BigInt64Array;
  for (let i = 0; i < count; ++i) {
    const value = least + (most - least) * random();
    data[i] = isBig ? BigInt(Math.trunc(value)) : value;
  }
  return data;
}

/** Writes the inputs of `model` into `folder`; false if inputs.txt does not tell them. */
export function writeRandomInputs(model, folder) {
  const rows = rowsOf(new URL("inputs.txt", import.meta.url)).filter(([name]) => name === model);
  if (rows.length === 0) return false;
  mkdirSync(folder, { recursive: true });
  const random = randomNumbers(SEED);
  rows.forEach(([, dtype, extents, values], i) => {
    const shape = extents === "scalar" ? [] : extents.split("x").map(Number);
    const count = shape.reduce((product, extent) => product * extent, 1);
    const data = filled(dtype, count, values, random);
    writeTensor(join(folder, `input_${i}.pb`), { name: "", dtype, shape, data });
  });
  return true;
}
