// The models to compare: the npm models of tests/models, and those in folders that the user names.
// A model is { name, file, inputs, tolerance }, or { name, absent: why }.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { writeRandomInputs } from "./inputs.mjs";
import { rowsOf } from "./rows.mjs";

const TESTS = new URL("../../tests/models/", import.meta.url);

/** Rows of models.txt and smoke.txt, by what they say of a model. */
function knownModels() {
  const expected = rowsOf(new URL("models.txt", TESTS)).map(([name, source, data, tolerance]) => ({
    name, source, data, tolerance,
  }));
  // smoke.txt's models are large networks, whose last digits depend on how sums are ordered.
  const smoke = rowsOf(new URL("smoke.txt", TESTS)).map(([name, source]) => ({
    name, source, tolerance: "loose",
  }));
  return [...expected, ...smoke];
}

/** Folders that hold test data: each of `folders`, or what lies directly below it. */
function dataFolders(folders) {
  const holdsData = (folder) => existsSync(join(folder, "test_data_set_0"));
  return folders.map((folder) => resolve(folder)).flatMap((folder) => {
    if (!existsSync(folder)) throw new Error(`there is no folder ${folder}`);
    if (holdsData(folder)) return [folder];
    return readdirSync(folder).sort().map((name) => join(folder, name)).filter(holdsData);
  });
}

function fetched(source, cache) {
  const [, packageName, path] = source.match(/^(.*):(.*)$/);
  const packages = join(cache, "packages");
  mkdirSync(packages, { recursive: true });
  const script = fileURLToPath(new URL("fetch.sh", TESTS));
  const run = spawnSync(script, [packageName, packages], { encoding: "utf8" });
  if (run.status === 77) return { absent: run.stderr.trim() };
  if (run.status !== 0) throw new Error(run.stderr.trim() || `fetch.sh ended with ${run.status}`);
  return { file: join(run.stdout.trim(), path) };
}

function npmModel(row, folder, cache, scratch) {
  const { file, absent } = fetched(row.source, cache);
  if (absent) return { name: row.name, absent };
  const inputs = folder ? join(folder, "test_data_set_0") : join(scratch, row.name, "inputs");
  if (!folder && !writeRandomInputs(row.name, inputs)) {
    return { name: row.name, absent: "neither data nor a line in bench/models/inputs.txt" };
  }
  return { name: row.name, file, inputs, tolerance: row.tolerance };
}

function folderModel(folder, row) {
  const name = row?.name ?? basename(folder);
  const file = join(folder, "model.onnx");
  if (!existsSync(file)) return { name, absent: `${folder} holds no model.onnx` };
  const inputs = join(folder, "test_data_set_0");
  return { name, file, inputs, tolerance: row?.tolerance ?? "plain" };
}

/**
 * Every npm model, on the data in `folders` that models.txt names for it, else on random inputs;
 * then the other models in `folders`. `only`, unless empty, names the models that are wanted.
 */
export function modelList({ folders, only, cache, scratch }) {
  const known = knownModels();
  const data = dataFolders(folders);
  const isWanted = (name) => only.length === 0 || only.includes(name);
  const fromNpm = known.filter((row) => row.source !== "shared");
  const npmModels = fromNpm.filter(({ name }) => isWanted(name)).map((row) => {
    const folder = data.find((folder) => basename(folder) === row.data);
    return npmModel(row, folder, cache, scratch);
  });
  const others = data
    .filter((folder) => !fromNpm.some((row) => row.data === basename(folder)))
    .map((folder) => folderModel(folder, known.find((row) => row.data === basename(folder))));
  const models = [...npmModels, ...others.filter(({ name }) => isWanted(name))];
  const unknown = only.filter((name) => !models.some((model) => model.name === name));
  if (unknown.length > 0) throw new Error(`there is no model ${unknown.join(", ")}`);
  return models;
}
