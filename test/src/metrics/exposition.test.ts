// The text format of Prometheus, by its own grammar, and histograms against observations that are counted one by one.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { counter, exposition, gauge, Histogram } from "../../../src/metrics/exposition.ts";
import { readExposition } from "../../support/exposition.ts";

describe("the text format", () => {
  test("has a heading and a line for each sample, in the order given", () => {
    const text = exposition([
      gauge("jobs", "Jobs.", [
        { labels: { kind: "a", state: "OPEN" }, value: 2 },
        { labels: { kind: "b", state: "OPEN" }, value: 0.5 },
      ]),
      counter("faults_total", "Faults.", 0),
    ]);
    expect(text).toBe(
      [
        "# HELP jobs Jobs.",
        "# TYPE jobs gauge",
        'jobs{kind="a",state="OPEN"} 2',
        'jobs{kind="b",state="OPEN"} 0.5',
        "# HELP faults_total Faults.",
        "# TYPE faults_total counter",
        "faults_total 0",
        "",
      ].join("\n"),
    );
  });

  test("leaves out what has no samples", () => {
    expect(exposition([gauge("none", "None.", []), new Histogram("also_none", "None.", [1])])).toBe("");
  });

  test("takes any text as the value of a label", () => {
    const anyText = fc.oneof(fc.string(), fc.constantFrom("\\", '"', "\n", '\\"\n', "\\n"));
    fc.assert(
      fc.property(anyText, (text) => {
        const samples = readExposition(exposition([gauge("odd", "Odd.", [{ labels: { text }, value: 1 }])]));
        expect(samples).toEqual([{ name: "odd", labels: { text }, value: 1 }]);
      }),
    );
  });
});

describe("a histogram", () => {
  test("counts an observation for every bound that it does not exceed", () => {
    const bounds = [0.1, 1, 5];
    const observations = fc.array(
      fc.tuple(fc.constantFrom("a", "b"), fc.oneof(fc.constantFrom(0, ...bounds, 6), fc.integer({ min: 0, max: 9 }))),
    );
    fc.assert(
      fc.property(observations, (observed) => {
        const histogram = new Histogram("time_seconds", "Time.", bounds);
        for (const [route, value] of observed) histogram.observe({ route }, value);
        const samples = readExposition(exposition([histogram]));
        for (const route of new Set(observed.map(([of]) => of))) {
          const values = observed.filter(([of]) => of === route).map(([, value]) => value);
          const sampleOf = (name: string, labels: object) =>
            samples.find((sample) => sample.name === name && Bun.deepEquals(sample.labels, labels))?.value;
          for (const bound of bounds) {
            const expected = values.filter((value) => value <= bound).length;
            expect(sampleOf("time_seconds_bucket", { route, le: String(bound) })).toBe(expected);
          }
          expect(sampleOf("time_seconds_bucket", { route, le: "+Inf" })).toBe(values.length);
          expect(sampleOf("time_seconds_count", { route })).toBe(values.length);
          expect(sampleOf("time_seconds_sum", { route })).toBeCloseTo(values.reduce((sum, value) => sum + value, 0));
        }
      }),
    );
  });
});
