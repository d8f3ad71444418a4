// Labels that came later, counted on a thread of their own, one file after
// the other: a large result takes seconds to read.
import { OUTCOME_SECONDS } from "../../http/limits.ts";
import { RequestThread, soonAgain } from "../request-thread.ts";
import type { OutcomeCounting } from "../services.ts";

/** Files under way or waiting at most. */
const MOST_AT_ONCE = 4;
const BUSY = "Too many files of labels are being counted; wait a moment.";
const FAILED = "The labels could not be counted now. Send them again in a while.";

export function createOutcomeCounting(spawnWorker: () => Worker): OutcomeCounting {
  const thread = new RequestThread(spawnWorker);
  let underWay = 0;
  return {
    count: async (request) => {
      if (underWay >= MOST_AT_ONCE) throw soonAgain("BUSY", BUSY);
      underWay++;
      try {
        return await thread.run("countOutcomes", request, FAILED, OUTCOME_SECONDS);
      } finally {
        underWay--;
      }
    },
    close: () => thread.close(),
  };
}
