// A process of its own that writes until no file of its may grow, without the
// reserve and with it: `bun fill-log.ts <folder>`
import { COMMAND_LINE, recordAudit } from "../../data/audit.ts";
import { type Database, openDatabase } from "../../data/database/database.ts";
import { openReserve } from "../../data/files/storage-reserve.ts";
import { storageFault } from "../../src/storage/storage-fault.ts";
import { withReserve } from "../../src/storage/storage-room.ts";

const folder = process.argv[2]!;
const now = new Date();

const reserve = openReserve(folder);
const database = openDatabase(folder);
// Not in the way of the fault: what is written goes to the log alone.
database.client.run("PRAGMA wal_autocheckpoint = 0");
database.client.run("PRAGMA synchronous = OFF");
const plain = write(database, 10_000);
const reserved = write(withReserve(database, reserve), 300);
const { rows } = database.client.query<{ rows: number }, []>("SELECT count(*) AS rows FROM auditEvents").get()!;
process.stdout.write(JSON.stringify({ plain, reserved, isKept: reserve.isKept, rows }));

function write(to: Database, mostRows: number): { rows: number; fault: string | null } {
  const event = { action: "LOGIN", objectKey: null, detail: null } as const;
  for (let row = 0; row < mostRows; row++) {
    try {
      to.write(() => recordAudit(to, COMMAND_LINE, event, now));
    } catch (fault) {
      return { rows: row, fault: storageFault(fault) };
    }
  }
  return { rows: mostRows, fault: null };
}
