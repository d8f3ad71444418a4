// Asks on the terminal: a name as it is typed, a password without showing it.
import { Cancelled } from "../../engine/stop-signal.ts";
import { SettingError } from "../common/setting-values.ts";

export interface Terminal {
  /** The line that is typed. @throws Cancelled at Ctrl-C, or where the input ends */
  ask(question: string, isHidden: boolean): Promise<string>;
  close(): void;
}

const LINE_ENDS = ["\r", "\n"];
/** Ctrl-C and Ctrl-D. */
const ENDS = [...LINE_ENDS, "\u0003", "\u0004"];
const ERASERS = ["\u007f", "\b"];

/** @throws SettingError where standard input is no terminal */
export function openTerminal(): Terminal {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) {
    throw new SettingError(
      "There is no terminal to ask on. Pipe the password in with --user and " +
        "--password-stdin, or an API key with --key.",
    );
  }
  // Keys typed or pasted ahead of the questions.
  let typed = "";
  const later = (text: string): void => {
    typed += text;
  };
  let hear = later;
  const listen = (text: string) => hear(text);
  stdin.setRawMode(true);
  stdin.setEncoding("utf8");
  stdin.on("data", listen);
  stdin.resume();
  return {
    async ask(question, isHidden) {
      const show = (text: string) => (isHidden ? undefined : stderr.write(text));
      stderr.write(question);
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const line: string[] = [];
      hear = (text) => {
        const keys = [...typed, ...text];
        typed = "";
        for (const [at, key] of keys.entries()) {
          if (!ENDS.includes(key)) {
            type(line, key, show);
            continue;
          }
          typed = keys.slice(at + 1).join("");
          hear = later;
          if (LINE_ENDS.includes(key)) resolve(line.join(""));
          else reject(new Cancelled());
          return;
        }
      };
      hear("");
      try {
        return await promise;
      } finally {
        stderr.write("\n");
      }
    },
    close() {
      stdin.off("data", listen);
      stdin.setRawMode(false);
      stdin.pause();
    },
  };
}

function type(line: string[], key: string, show: (text: string) => void): void {
  if (ERASERS.includes(key)) {
    if (line.pop() !== undefined) show("\b \b");
  } else if (key >= " ") {
    line.push(key);
    show(key);
  }
}
