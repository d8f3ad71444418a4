// A process of its own that may read a state folder and write nothing in
// it, and lists users and events: `bun … <folder>`
import { auditCommand } from "../../src/commands/service/audit.ts";
import { type UserAction, userCommand } from "../../src/commands/service/user.ts";
import { testConsole } from "./in-process.ts";

const dataFolder = process.argv[2]!;
const NOBODY = 65_534;
// Modes are no hindrance to root.
if (process.getuid!() === 0) process.setuid!(NOBODY);

const console = testConsole();
const user = (action: UserAction, email: string | null) =>
  userCommand(action, { dataFolder, email, admin: false, readPassword: null }, console);
await user("list", null);
await auditCommand({ dataFolder, since: null, until: null, json: false }, console);
const refusal = await user("disable", "ada@example.org").then(
  () => null,
  ({ code }: { code: string }) => code,
);
process.stdout.write(JSON.stringify({ printed: console.printed, refusal }));
