// A process of its own that works on the jobs of a state folder until it is killed: `bun serve-jobs.ts <folder>
// [<query>]`. It kills itself as soon as a write leaves a state in which the query finds a row.
import { openDatabase } from "../../data/database/database.ts";
import { openStateFolder } from "../../data/files/state-folder.ts";
import { startScheduler } from "../../src/jobs/scheduler.ts";
import { servicesOf, tellingWrites } from "./job-state.ts";

const [folder = "", query = "SELECT 1 WHERE false"] = process.argv.slice(2);
const state = openStateFolder(folder);
const database = openDatabase(folder);
const sought = database.client.query(query);
const watched = tellingWrites(database, () => {
  if (sought.get() !== null) process.kill(process.pid, "SIGKILL");
});
startScheduler(servicesOf(watched, state, []));
setInterval(() => {}, 1_000);
