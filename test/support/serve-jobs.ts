// A process of its own that works on the jobs of a state folder until it is killed: `bun serve-jobs.ts <folder>`.
import { openDatabase } from "../../data/database.ts";
import { openStateFolder } from "../../data/state-folder.ts";
import { startScheduler } from "../../src/jobs/scheduler.ts";
import { servicesOf } from "./job-state.ts";

const folder = process.argv[2]!;
const state = openStateFolder(folder);
startScheduler(servicesOf(openDatabase(folder), state, []));
setInterval(() => {}, 1_000);
