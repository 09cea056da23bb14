import { readFileSync } from "node:fs";

/** The lines of a table file as lists of words, without empty ones and comments. */
export function rowsOf(file) {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => line.trim().split(/\s+/));
}
