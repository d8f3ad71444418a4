// Progress on a fake clock: the lines of a terminal, of a narrow and a plain one, and of a pipe.
import { describe, expect, test } from "bun:test";
import { plainProgress } from "../../../src/progress/plain-progress.ts";
import { chooseProgress } from "../../../src/progress/progress.ts";
import { ProgressState } from "../../../src/progress/progress-state.ts";
import { silentProgress } from "../../../src/progress/progress-view.ts";
import { type TerminalTraits, terminalProgress, terminalTraits } from "../../../src/progress/terminal.ts";

/** A clock moved by hand, and the texts written so far. */
function fakes(timeLimitSeconds: number | null = null) {
  let nowMs = 0;
  const written: string[] = [];
  return {
    clock: { now: () => nowMs, timeLimitSeconds },
    wait: (ms: number) => {
      nowMs += ms;
    },
    written,
    write: (text: string) => written.push(text),
  };
}

function fakeTerminal(traits: Partial<TerminalTraits> = {}, timeLimitSeconds: number | null = null) {
  const { clock, wait, written, write } = fakes(timeLimitSeconds);
  let tick = () => {};
  let ticking = true;
  const view = terminalProgress(
    { write },
    { columns: () => 80, color: false, ascii: false, ...traits },
    clock,
    (run) => {
      tick = run;
      return () => {
        ticking = false;
      };
    },
  );
  return { view, wait, written, tick: () => tick(), isTicking: () => ticking };
}

describe("the time left", () => {
  test("comes from the pace of the finished units and counts down between them", () => {
    const { clock, wait } = fakes();
    const state = new ProgressState(clock);
    state.stage("Training", 21);
    expect(state.timeLeftWords()).toBe("");
    wait(30_000);
    state.advance(3);
    expect(state.timeLeftWords()).toBe("3 min left");
    wait(50_000);
    expect(state.timeLeftWords()).toBe("2 min 10 s left");
    wait(900_000);
    expect(state.timeLeftWords()).toBe("1 s left");
    state.advance(18);
    expect(state.timeLeftWords()).toBe("");
  });

  test("is never more than the time limit leaves", () => {
    const { clock, wait } = fakes(60);
    const state = new ProgressState(clock);
    state.stage("Training", 100);
    expect(state.timeLeftWords()).toBe("");
    wait(10_000);
    state.advance(1);
    expect(state.timeLeftWords()).toBe("50 s left");
  });
});

test("the best of a refinement is none of the attempts that follow, theirs is the best to the end", () => {
  const { clock } = fakes();
  const state = new ProgressState(clock);
  state.stage("Refining columns, steps", 3);
  state.best(0.85, 15, "naive Bayes");
  state.stage("Training", 20);
  expect([state.bestWords, state.bestAlgorithm]).toEqual(["", ""]);
  state.best(0.9, 10, "random forest");
  state.attempts(1, 20, 0);
  state.stage("Refitting on all rows", 1);
  expect([state.bestWords, state.bestAlgorithm]).toEqual(["best 90.0%, 10 wrong", "random forest"]);
});

describe("a terminal", () => {
  test("shows stage, bar and time left, below them the best and the attempts, and clears all of it", () => {
    const { view, wait, written, isTicking } = fakeTerminal();
    view.stage("Training", 21);
    wait(30_000);
    view.attempts(3, 21, 1);
    wait(100);
    view.best(0.942, 58, "extra-trees");
    wait(100);
    view.advance(3);
    expect(written.at(0)).toBe(`\u001b[?25lTraining  ${"░".repeat(28)}  0 of 21\u001b[K\u001b[J`);
    expect(written.at(-1)).toBe(
      "\r\u001b[1ATraining  ████░░░░░░░░░░░░░░░░░░░░░░░░  3 of 21  3 min 2 s left\u001b[K\n" +
        "best 94.2%, 58 wrong · 3 of 21 attempts, 1 failed · extra-trees\u001b[K\u001b[J",
    );
    view.finish();
    expect(written.at(-1)).toBe("\r\u001b[1A\u001b[J\u001b[?25h");
    expect(isTicking()).toBe(false);
    const count = written.length;
    view.stage("Again", 1);
    view.note("again");
    view.finish();
    expect(written).toHaveLength(count);
  });

  test("is redrawn at most ten times a second, and shows the last state at the next tick", () => {
    const { view, wait, written, tick } = fakeTerminal();
    view.stage("Predicting", 1000);
    for (let i = 0; i < 1000; i++) {
      wait(1);
      view.advance();
    }
    expect(written.length).toBeLessThanOrEqual(11);
    wait(250);
    tick();
    expect(written.at(-1)).toContain("1,000 of 1,000");
    const count = written.length;
    wait(250);
    tick();
    expect(written).toHaveLength(count);
  });

  test("stays within narrow windows and clears lines that a narrower window has wrapped", () => {
    let columns = 120;
    const { view, wait, written } = fakeTerminal({ columns: () => columns }, 3600);
    view.stage("Training on a table whose name takes up all of the line", 21);
    wait(200);
    view.best(0.942, 58, "a very long name of an algorithm that fits nowhere at all ".repeat(3));
    for (columns of [60, 40, 10]) {
      wait(200);
      view.advance();
      const lines = Bun.stripANSI(written.at(-1) ?? "")
        .replace("\r", "")
        .split("\n");
      for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThan(columns);
    }
    expect(written.at(-3)).toStartWith("\r\u001b[3A");
  });

  test("puts both halves on one line where it is wide", () => {
    const { view, wait, written } = fakeTerminal({ columns: () => 160 });
    view.stage("Training", 21);
    wait(200);
    view.best(0.942, 58, "extra-trees");
    expect(written.at(-1)).not.toContain("\n");
    expect(written.at(-1)).toEndWith("best 94.2%, 58 wrong · extra-trees\u001b[K\u001b[J");
  });

  test("writes ASCII alone where the locale has no more, and colours where they are wanted", () => {
    const plain = fakeTerminal({ ascii: true });
    plain.view.stage("Reading", null);
    plain.wait(200);
    plain.view.stage("Training", 4);
    plain.wait(200);
    plain.view.advance(2);
    expect([...plain.written.join("")].filter((character) => character > "~")).toEqual([]);
    expect(plain.written.at(-1)).toContain("[#############-------------]");
    const colourful = fakeTerminal({ color: true });
    colourful.view.stage("Training", 4);
    expect(colourful.written.at(0)).toContain("\u001b[1mTraining\u001b[0m");
  });

  test("puts notes above the lines, and lets no name steer it", () => {
    const { view, written } = fakeTerminal();
    view.note("before");
    view.stage("Reading \u001b[2Jx.csv", null);
    view.note("warning: \u001b]0;title\u0007");
    expect(written).toEqual([
      "before\n",
      "\u001b[?25l⠋ Reading \\u001b[2Jx.csv\u001b[K\u001b[J",
      "\rwarning: \\u001b]0;title\\u0007\u001b[J\n",
      "⠋ Reading \\u001b[2Jx.csv",
    ]);
  });

  test("tells what it can show by the usual conventions", () => {
    const stream = { isTTY: true, columns: 60 };
    const traits = (environment: Record<string, string>) => terminalTraits(stream, environment);
    expect(traits({ LANG: "en_US.UTF-8" })).toMatchObject({ color: true, ascii: false });
    expect(traits({ LANG: "en_US.UTF-8", NO_COLOR: "1" })).toMatchObject({ color: false });
    expect(traits({ LANG: "en_US.UTF-8", LC_ALL: "C" })).toMatchObject({ ascii: true });
    expect(traits({ TERM: "dumb", LANG: "en_US.UTF-8" })).toBeNull();
    expect(terminalTraits({}, {})).toBeNull();
    expect(traits({})?.columns()).toBe(60);
  });
});

describe("a pipe", () => {
  test("gets a line for each stage, then one for each tenth, five seconds apart at least", () => {
    const { clock, wait, written, write } = fakes(600);
    const view = plainProgress(write, clock);
    view.stage("Reading churn.csv", null);
    view.stage("Training", 20);
    for (let i = 1; i <= 20; i++) {
      wait(2000);
      view.attempts(i, 20, 0);
      view.best(0.942, 58, "extra-trees");
      view.advance();
    }
    view.note("warning: x");
    view.finish();
    view.note("late");
    expect(written).toEqual([
      "Reading churn.csv\n",
      "Training: 0 of 20\n",
      ...[3, 6, 9, 12, 15, 18].map(
        (i) => `Training: ${i} of 20; ${(20 - i) * 2} s left; best 94.2%, 58 wrong; extra-trees; ${i} of 20 attempts\n`,
      ),
      "warning: x\n",
    ]);
  });

  test("hears at least once a minute while units finish", () => {
    const { clock, wait, written, write } = fakes();
    const view = plainProgress(write, clock);
    view.stage("Training", 1000);
    for (let i = 0; i < 12; i++) {
      wait(10_000);
      view.advance();
    }
    expect(written).toHaveLength(3);
    expect(written.at(-1)).toBe("Training: 12 of 1,000; 2 h 45 min left\n");
  });

  test("is what a stream that is no terminal is", () => {
    const { written, write } = fakes();
    const view = chooseProgress({ write });
    view.stage("Reading", null);
    view.finish();
    expect(written).toEqual(["Reading\n"]);
  });
});

test("silence says nothing", () => {
  expect(silentProgress.stage("Training", 3)).toBeUndefined();
  expect(silentProgress.note("x")).toBeUndefined();
});
