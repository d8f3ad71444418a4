// `cupel serve` in a process that meets a fault which nobody catches: `bun crashing-serve.ts <folder> thrown|rejected`.
import { serve } from "../../src/commands/service/serve.ts";
import { readServeOptions } from "../../src/service/config.ts";
import { spawnWorker, testConsole } from "./in-process.ts";

const [folder, how] = process.argv.slice(2);
const console = testConsole();
const print = (line: string) => {
  if (!line.startsWith("listening")) return 0;
  const fault = new TypeError("a secret");
  if (how === "rejected") void Promise.reject(fault);
  else
    setTimeout(() => {
      throw fault;
    });
  return 0;
};
const options = readServeOptions({ data: folder, port: "0", workers: "1" }, {}, 1);
await serve(options, { email: undefined, password: "correct horse battery" }, { ...console, print }, spawnWorker);
