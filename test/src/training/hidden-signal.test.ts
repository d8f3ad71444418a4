// A frequent label: do the champion's probabilities tell rows apart, or are held-out rows too few to tell?
import { describe, expect, test } from "bun:test";
import type { TrainingTask } from "../../../engine/search/training-task.ts";
import { hiddenSignal, hiddenWords } from "../../../src/training/hidden-signal.ts";

/** `shares`: held-out rows by label; four times as many are learned from. */
function judged(shares: Record<string, number>, logLoss: number, objective = "accuracy") {
  const labels = Object.keys(shares);
  const held = labels.flatMap((label, code) => new Array<number>(shares[label]!).fill(code));
  const classes = Uint8Array.from([held, held, held, held, held].flat());
  const rows = Uint32Array.from(classes.keys());
  const split = { learning: rows.slice(held.length), judging: rows.slice(0, held.length) };
  const task = { table: { labels, classes }, split, objective } as unknown as TrainingTask;
  const attempt = { answer: { holdout: { logLoss, thresholds: { rocArea: 0.9 } } } };
  return hiddenSignal({ attempt } as unknown as Parameters<typeof hiddenSignal>[0], task);
}

/** The log-loss of the labels' shares. */
const GUESSED = -(0.0025 * Math.log(0.0025) + 0.9975 * Math.log(0.9975));
const ADVICE = "Do not rely on it";

describe("a frequent label", () => {
  test("hides what the probabilities tell", () => {
    const signal = judged({ no: 1_995, yes: 5 }, GUESSED / 2)!;
    expect(signal).toMatchObject({ label: "yes", rocArea: 0.9, untold: null });
    expect(hiddenWords(signal, ADVICE)).toStartWith("But its probabilities do tell rows apart (area under the ROC");
  });

  test("leaves too few others to tell", () => {
    const signal = judged({ no: 1_995, yes: 5 }, GUESSED)!;
    const only = 'only 5 of 2,000 held-out rows have the label "yes", too few to tell whether';
    expect(hiddenWords(signal, ADVICE)).toBe(`Do not rely on it: ${only} its probabilities tell rows apart.`);
    expect(hiddenWords(signal, `${ADVICE} yet`)).toBe(
      `Do not rely on it yet: ${only} its probabilities tell rows apart.`,
    );
    expect(hiddenWords(judged({ no: 200, yes: 1 }, 1)!, ADVICE)).toContain("only 1 of 201 held-out rows has the label");
    expect(hiddenWords(judged({ no: 200, yes: 0 }, 1)!, ADVICE)).toContain("none of 200 held-out rows has the label");
    const three = judged({ no: 1_995, yes: 3, "not yet": 2 }, 1)!;
    expect(hiddenWords(three, ADVICE)).toContain('only 5 of 2,000 held-out rows have another label than "no", too few');
    expect(three.label).toBe("not yet");
  });

  test("hides nothing where others are enough, where it is not that frequent, or for another objective", () => {
    expect(judged({ no: 1_971, yes: 29 }, 1)).not.toBeNull();
    expect(judged({ no: 1_970, yes: 30 }, 1)).toBeNull();
    expect(judged({ no: 79, yes: 21 }, 1)).toBeNull();
    expect(judged({ no: 1_995, yes: 5 }, 1, "balanced-accuracy")).toBeNull();
  });
});
