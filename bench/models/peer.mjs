// onnxruntime for node, installed once into the cache; nothing of it is executed while installing.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const SOURCE = new URL("peer/", import.meta.url);

export const PEER_VERSION = JSON.parse(readFileSync(new URL("package.json", SOURCE), "utf8"))
  .dependencies["onnxruntime-node"];

/** The node_modules folder with onnxruntime-node in it. */
export function installedPeer(cache) {
  const folder = join(cache, `onnxruntime-${PEER_VERSION}`);
  const modules = join(folder, "node_modules");
  if (existsSync(join(modules, ".package-lock.json"))) return modules;  // npm writes it last
  mkdirSync(folder, { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) {
    copyFileSync(new URL(file, SOURCE), join(folder, file));
  }
  const run = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: folder, encoding: "utf8",
  });
  if (run.status !== 0) {
    throw new Error(`npm does not install onnxruntime-node ${PEER_VERSION} into ${folder}: ` +
      `${(run.stderr ?? run.error?.message ?? "").trim().split("\n").at(-1)}`);
  }
  return modules;
}
