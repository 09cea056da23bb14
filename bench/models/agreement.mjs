// Whether two runs of a model gave the same, within a tolerance of tests/models/models.txt.
import { readdirSync } from "node:fs";
import { join } from "node:path";

import { readTensor } from "./tensor_file.mjs";

const TOLERANCES = {
  plain: { peak: 1e-4, absolute: 1e-5, steps: 0 },
  loose: { peak: 1e-3, absolute: 1e-5, steps: 0 },
  one_step: { peak: 1e-4, absolute: 1e-5, steps: 1 },
};

function toleranceCalled(name) {
  if (name.startsWith("atol:")) return { peak: 0, absolute: Number(name.slice(5)), steps: 0 };
  if (!(name in TOLERANCES)) throw new Error(`no tolerance is called ${name}`);
  return TOLERANCES[name];
}

function peakOf(data) {
  let peak = 0;
  for (const value of data) if (Number.isFinite(value)) peak = Math.max(peak, Math.abs(value));
  return peak;
}

function elementsDiffer(a, b, allowed) {
  if (Object.is(a, b) || a === b) return false;
  return !(Math.abs(Number(a) - Number(b)) <= allowed);  // true for NaN against a number
}

function outputDifference(got, expected, tolerance) {
  if (got.dtype !== expected.dtype) return `is ${got.dtype}, not ${expected.dtype}`;
  if (got.shape.join("x") !== expected.shape.join("x")) {
    return `has shape ${got.shape.join("x")}, not ${expected.shape.join("x")}`;
  }
  const isFloat = expected.dtype.startsWith("float");
  const allowed = isFloat
    ? tolerance.peak * peakOf(expected.data) + tolerance.absolute
    : tolerance.steps;
  const position = got.data.findIndex((value, i) => elementsDiffer(value, expected.data[i], allowed));
  if (position < 0) return null;
  return `has ${got.data[position]}, not ${expected.data[position]}, at ${position} (allowed: ${allowed})`;
}

/** The first difference between the outputs in two folders, in words; null if they agree. */
export function difference(gotFolder, expectedFolder, toleranceName) {
  const tolerance = toleranceCalled(toleranceName);
  const files = readdirSync(expectedFolder).sort();
  if (files.join() !== readdirSync(gotFolder).sort().join()) return "another number of outputs";
  if (files.length === 0) return "no outputs";
  for (const file of files) {
    const expected = readTensor(join(expectedFolder, file));
    const found = outputDifference(readTensor(join(gotFolder, file)), expected, tolerance);
    if (found) return `output ${expected.name} ${found}`;
  }
  return null;
}
