// A server process with one model loaded, which runs it when it is asked to.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

// Settings of libraries that would decide threads or kernels behind the command line's back.
const TUNING = /^(OPENBLAS|OMP|GOMP|KMP|MKL|DNNL|ONEDNN|BLIS)_/;

function untunedEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !TUNING.test(name)));
}

export class Contender {
  #process;
  #lines;
  #complaints = "";

  /** Resolves once the server has run the model for the first time. */
  static async start(program, args, environment = {}) {
    const contender = new Contender();
    contender.#process = spawn(program, args, {
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...untunedEnvironment(), ...environment },
    });
    contender.#process.stderr.on("data", (text) => (contender.#complaints += text));
    contender.#process.on("error", (error) => (contender.#complaints += error.message));
    contender.#process.stdin.on("error", () => {});  // it has ended: its next answer says so
    const lines = createInterface({ input: contender.#process.stdout });
    contender.#lines = lines[Symbol.asyncIterator]();
    const word = await contender.#answer();
    if (word !== "ready") throw new Error(`the server says '${word}'`);
    return contender;
  }

  async #answer() {
    const { value, done } = await this.#lines.next();
    if (!done) return value;
    throw new Error(this.#complaints.trim().slice(-500) || "the server ended without a word");
  }

  async #ask(request) {
    this.#process.stdin.write(`${request}\n`);
    return this.#answer();
  }

  async #askNumbers(verb, count) {
    const answer = await this.#ask(`${verb} ${count}`);
    const numbers = answer.trim().split(" ").map(Number);
    if (numbers.some(Number.isNaN)) throw new Error(answer);
    return numbers;
  }

  /** Nanoseconds of each of `count` runs. */
  time(count) {
    return this.#askNumbers("time", count);
  }

  /** What the first `count` runs from the first state come to. */
  losses(count) {
    return this.#askNumbers("losses", count);
  }

  /** By how many kibibytes memory has peaked since before the first run, after `count` more. */
  async memoryGrowth(count) {
    return (await this.#askNumbers("memory", count))[0];
  }

  /** Writes the outputs of the last run as output_K.pb. */
  async writeOutputs(folder) {
    const answer = await this.#ask(`write ${folder}`);
    if (answer !== "ok") throw new Error(answer);
  }

  stop() {
    this.#process.stdin.end();
  }
}
