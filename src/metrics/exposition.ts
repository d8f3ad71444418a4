// Metrics in the text format of Prometheus (0.0.4), and the histogram, which is gathered over time.

type Labels = Readonly<Record<string, string>>;

interface Sample {
  labels: Labels;
  value: number;
}

interface Figure {
  name: string;
  help: string;
  type: "gauge" | "counter";
  samples: readonly Sample[];
}

export type Family = Figure | Histogram;

export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Families without samples are left out; a name may occur in one family only. */
export function exposition(families: readonly Family[]): string {
  return families.map((family) => (family instanceof Histogram ? family.lines() : figureLines(family))).join("");
}

export function gauge(name: string, help: string, values: number | readonly Sample[]): Figure {
  return { name, help, type: "gauge", samples: samplesOf(values) };
}

export function counter(name: string, help: string, values: number | readonly Sample[]): Figure {
  return { name, help, type: "counter", samples: samplesOf(values) };
}

function samplesOf(values: number | readonly Sample[]): readonly Sample[] {
  return typeof values === "number" ? [{ labels: {}, value: values }] : values;
}

interface Series {
  labels: Labels;
  /** Observations of each bucket alone; the last is for those above all bounds. */
  counts: number[];
  sum: number;
}

/** Observations counted by bounds, one series for each set of labels that occurred. */
export class Histogram {
  private readonly name: string;
  private readonly help: string;
  private readonly bounds: readonly number[];
  private readonly series = new Map<string, Series>();

  /** @param bounds ascending; an observation counts for every bound that it does not exceed */
  constructor(name: string, help: string, bounds: readonly number[]) {
    this.name = name;
    this.help = help;
    this.bounds = bounds;
  }

  /** Label values must be few: names of ours, never keys or texts of users. Give the same labels in the same order. */
  observe(labels: Labels, value: number): void {
    const key = Object.values(labels).join("\n");
    let series = this.series.get(key);
    if (series === undefined) {
      series = { labels, counts: new Array<number>(this.bounds.length + 1).fill(0), sum: 0 };
      this.series.set(key, series);
    }
    const index = this.bounds.findIndex((bound) => value <= bound);
    series.counts[index < 0 ? this.bounds.length : index]!++;
    series.sum += value;
  }

  lines(): string {
    if (this.series.size === 0) return "";
    const lines = [heading(this.name, "histogram", this.help)];
    for (const { labels, counts, sum } of this.series.values()) {
      let count = 0;
      counts.forEach((more, index) => {
        count += more;
        const le = index < this.bounds.length ? String(this.bounds[index]) : "+Inf";
        lines.push(line(`${this.name}_bucket`, { ...labels, le }, count));
      });
      lines.push(line(`${this.name}_sum`, labels, sum), line(`${this.name}_count`, labels, count));
    }
    return lines.join("");
  }
}

function figureLines({ name, type, help, samples }: Figure): string {
  if (samples.length === 0) return "";
  return heading(name, type, help) + samples.map(({ labels, value }) => line(name, labels, value)).join("");
}

function heading(name: string, type: string, help: string): string {
  return `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}\n# TYPE ${name} ${type}\n`;
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}\n`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
