// Reads the text format of Prometheus strictly: whatever its grammar does not have is refused.
export interface ReadSample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*",?)*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/g;

/** Throws where a line is none, a family is not announced or announced twice, or a sample stands twice. */
export function readExposition(text: string): ReadSample[] {
  if (text !== "" && !text.endsWith("\n")) throw new Error("the last line has no end");
  const types = new Map<string, string>();
  const seen = new Set<string>();
  let family = "";
  return text
    .split("\n")
    .slice(0, -1)
    .flatMap((line) => {
      const [, comment, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
      if (comment === "HELP") {
        if (!NAME.test(name) || types.has(name)) throw new Error(`no family, or a second one: ${line}`);
        family = name;
        return [];
      }
      if (comment === "TYPE") {
        if (name !== family || !/^(gauge|counter|histogram)$/.test(rest)) throw new Error(`no type: ${line}`);
        types.set(name, rest);
        return [];
      }
      return [readSample(line, family, types.get(family), seen)];
    });
}

function readSample(line: string, family: string, type: string | undefined, seen: Set<string>): ReadSample {
  const [, name = "", labelText = "", number = ""] = SAMPLE.exec(line) ?? [];
  const suffixes = type === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
  if (!suffixes.some((suffix) => name === family + suffix)) throw new Error(`no sample of ${family}: ${line}`);
  if (type === "counter" && !name.endsWith("_total")) throw new Error(`no name of a counter: ${name}`);
  const value = Number(number);
  if (number === "" || Number.isNaN(value)) throw new Error(`no value: ${line}`);
  const key = line.slice(0, line.lastIndexOf(" "));
  if (seen.has(key)) throw new Error(`twice: ${key}`);
  seen.add(key);
  const pairs = [...labelText.matchAll(LABEL)].map(([, label, text]) => [label!, unescaped(text!)]);
  return { name, labels: Object.fromEntries(pairs), value };
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, (_, character: string) => (character === "n" ? "\n" : character));
}
