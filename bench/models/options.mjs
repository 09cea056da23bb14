import { parseArgs } from "node:util";

export const USAGE = `usage: bench/run BUILD models [OPTION...]

  --models DIR     models with test data in ONNX's layout: DIR or the folders in it; repeatable
  --only A,B       only these models
  --threads 1,2    numbers of threads, one after the other
  --rounds N       rounds of each runtime, in turns, about 0.2 s each (default 7)
  --config FILE    Switchyard's configuration (default: BUILD/config/cpu-only.toml)
  --json FILE      writes all figures
  --markdown       prints the table as Markdown
`;

const MODELS = { models: { type: "string", multiple: true, default: [] } };

function numbers(option, text) {
  const values = text.split(",").map(Number);
  if (values.every((value) => Number.isInteger(value) && value > 0)) return values;
  throw new Error(`--${option} takes integers, not '${text}'`);
}

/** The command line after BUILD. `more` are options of a race of its own. Throws an error for what
 *  it does not know. */
export function readOptions(args, more = MODELS) {
  const { values } = parseArgs({
    args,
    options: {
      ...more,
      only: { type: "string", default: "" },
      threads: { type: "string", default: "1,2" },
      rounds: { type: "string", default: "7" },
      config: { type: "string" },
      json: { type: "string" },
      markdown: { type: "boolean", default: false },
    },
  });
  return {
    ...values,
    only: values.only.split(",").filter((name) => name !== ""),
    threads: numbers("threads", values.threads),
    rounds: numbers("rounds", values.rounds)[0],
  };
}
