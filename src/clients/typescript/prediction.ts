// A scored file: wait for it, read its rows, take the file along.

import type { PredictionAbout, PredictionDetail, Reason, ResultRow } from "./answers.ts";
import { ASKING, type AskOptions, type Connection } from "./connection.ts";
import { CsvReader, resultDelimiter } from "./csv.ts";
import { Download } from "./download.ts";
import { List } from "./lists.ts";
import { type Names, only } from "./options.ts";
import { Outcomes } from "./outcomes.ts";
import { ownProblem } from "./problem.ts";
import { Resource } from "./resource.ts";
import { polled, WAITING, type WaitOptions } from "./waiting.ts";

export interface ResultFileOptions {
  /** Keeps spreadsheets from reading cells as formulas; false by default. */
  spreadsheetSafe?: boolean;
}

const TAKING: Names<ResultFileOptions> = { spreadsheetSafe: true };

/** A file that was sent to be scored. */
export class Prediction extends Resource<PredictionAbout, PredictionDetail> {
  /** The true labels of its rows, once they are known. */
  readonly outcomes: Outcomes;

  /** @internal */
  constructor(connection: Connection, about: PredictionAbout) {
    super(connection, "/api/v1/predictions", about.predictionKey, about);
    this.outcomes = new Outcomes(connection, this.key);
  }

  /** Resolves once it has its result. @throws CupelProblem PREDICTION_FAILED, or the signal's reason */
  async wait(options: WaitOptions = {}): Promise<this> {
    const { onProgress, signal } = only(WAITING, options);
    const progress = { stage: "predicting", key: this.key, share: null, bestPerformance: null } as const;
    await polled<{ status: string; waitingReason?: string }>(
      this.connection,
      `${this.path}/progress`,
      { onProgress, signal },
      {
        isOver: ({ status }) => status !== "PENDING" && status !== "RUNNING",
        show: ({ status, waitingReason }) => {
          const share = status === "COMPLETED" ? 1 : null;
          return { ...progress, share, elapsedSeconds: 0, waitingReason };
        },
      },
    );
    const { status, errorReason } = await this.look({ signal });
    if (status === "COMPLETED") return this;
    throw ownProblem("PREDICTION_FAILED", "The prediction has failed", errorReason ?? `It is ${status}.`);
  }

  /** The result as a CSV file: the rows that were sent, then the answers. */
  file(options: ResultFileOptions = {}): Download {
    const { spreadsheetSafe = false } = only(TAKING, options);
    const query = spreadsheetSafe ? { spreadsheetSafe } : {};
    return new Download(this.connection, `prediction-${this.key}.csv`, `${this.path}/file`, query);
  }

  /** The rows of the result in the order of the file, as they come. @throws CupelProblem, or the signal's reason */
  async *rows(options: AskOptions = {}): AsyncGenerator<ResultRow, void> {
    const decoder = new TextDecoder();
    const stream = this.file().stream(options);
    const reader = stream.getReader();
    let opening = "";
    let records: CsvReader | null = null;
    let rowOf: ((cells: readonly string[]) => ResultRow) | null = null;
    try {
      for (let isOver = false; !isOver; ) {
        const { done, value } = await reader.read();
        isOver = done;
        let text = decoder.decode(value, { stream: !isOver });
        if (records === null) {
          opening += text;
          // The delimiter is known once the header is there.
          if (!isOver && !/[\r\n]/.test(opening)) continue;
          records = new CsvReader(resultDelimiter(opening));
          text = opening;
        }
        const whole = [...records.push(text), ...(isOver ? records.end() : [])];
        for (const cells of whole) {
          if (rowOf === null) rowOf = rowsBy(cells);
          else yield rowOf(cells);
        }
      }
    } finally {
      await reader.cancel().catch(() => undefined);
    }
  }

  /** Deletes it and its result. @throws CupelProblem, or the signal's reason */
  async delete(options: AskOptions = {}): Promise<void> {
    await this.connection.json("DELETE", this.path, only(ASKING, options));
  }
}

/** All predictions of the account, newest first. */
export class Predictions extends List<Prediction, PredictionAbout> {
  /** @internal */
  constructor(connection: Connection) {
    super(connection, "/api/v1/predictions", "predictions");
  }

  /** @internal */
  protected itemOf(about: PredictionAbout): Prediction {
    return new Prediction(this.connection, about);
  }
}

/** The answers are the last columns; the file that was sent may have columns of the same names. */
function rowsBy(header: readonly string[]): (cells: readonly string[]) => ResultRow {
  const isOf = (at: number, name: string) => header[at]?.replace(/_\d+$/, "") === name;
  const ours = header.findLastIndex((_, at) => isOf(at, "prediction") && isOf(at + 1, "confidence"));
  const probabilities = header.flatMap((name, at) =>
    at > ours + 1 && name.startsWith("probability_") ? [{ label: name.slice("probability_".length), at }] : [],
  );
  const reasons = header.flatMap((name, at) => (at > ours + 1 && /^reason_\d+(_\d+)?$/.test(name) ? [at] : []));
  return (cells) => ({
    row: Object.fromEntries(header.slice(0, ours).map((name, at) => [name, cells[at] ?? ""])),
    label: cells[ours] ?? "",
    confidence: Number(cells[ours + 1]),
    probabilities: Object.fromEntries(probabilities.map(({ label, at }) => [label, Number(cells[at])])),
    ...(reasons.length > 0 && { reasons: reasonsOf(reasons, cells) }),
  });
}

function reasonsOf(places: readonly number[], cells: readonly string[]): Reason[] {
  return places
    .filter((at) => (cells[at] ?? "") !== "")
    .map((at) => ({ column: cells[at]!, effect: Number(cells[at + 1]) }));
}
