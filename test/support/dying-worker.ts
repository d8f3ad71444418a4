// A worker that is sound but for one kind of work, named by its last argument, of which its thread dies.
import "../../workers/worker.ts";
import type { ToWorker } from "../../workers/messages.ts";

declare const self: Worker;

const deadly = process.argv.at(-1);
const sound = self.onmessage!;

self.onmessage = (event: MessageEvent<ToWorker>) => {
  if (event.data.kind === "work" && event.data.work === deadly) process.exit(3);
  sound.call(self, event);
};
