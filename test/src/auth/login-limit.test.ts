// Ten failed logins in ten minutes, per address and per user; then the next has to wait.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  createLoginLimit,
  FAILURE_WINDOW_SECONDS,
  type LoginLimit,
  MOST_FAILURES,
} from "../../../src/auth/login-limit.ts";

function limitWithClock() {
  const clock = { ms: 1_800_000_000_000 };
  return { clock, limit: createLoginLimit(() => clock.ms) };
}

/** One try that ends at once; gives the seconds to wait where it was not admitted. */
async function attempt(
  limit: LoginLimit,
  address: string,
  username: string,
  outcome: "succeeded" | "failed" | "abandoned" = "failed",
): Promise<number> {
  const admission = await limit.admit(address, username);
  if (!admission.admitted) return admission.retryAfterSeconds;
  admission.end(outcome);
  return 0;
}

async function failTenTimes(limit: LoginLimit, address: (index: number) => string, user: (index: number) => string) {
  for (let index = 0; index < MOST_FAILURES; index++) {
    expect(await attempt(limit, address(index), user(index))).toBe(0);
  }
}

describe("per user", () => {
  const manyAddresses = (index: number) => `10.0.0.${index}`;

  test("ten failures from ten addresses stop the eleventh, also with the right password; others may go on", async () => {
    const { limit } = limitWithClock();
    await failTenTimes(limit, manyAddresses, () => "a@example.com");
    expect(await attempt(limit, "10.0.1.1", "a@example.com", "succeeded")).toBe(600);
    expect(await attempt(limit, "10.0.1.1", "b@example.com")).toBe(0);
  });

  test("case and blanks around the name make no other user", async () => {
    const { limit } = limitWithClock();
    await failTenTimes(limit, manyAddresses, (index) => (index % 2 === 0 ? " A@Example.com" : "a@example.COM "));
    expect(await attempt(limit, "10.0.1.1", "a@example.com")).toBe(600);
  });

  test("a success forgets the user's failures", async () => {
    const { limit } = limitWithClock();
    for (let index = 0; index < 9; index++) await attempt(limit, manyAddresses(index), "a@example.com");
    expect(await attempt(limit, "10.0.0.99", "a@example.com", "succeeded")).toBe(0);
    await failTenTimes(limit, manyAddresses, () => "a@example.com");
    expect(await attempt(limit, "10.0.1.1", "a@example.com")).toBe(600);
  });
});

describe("per address", () => {
  const manyUsers = (index: number) => `user${index}@example.com`;

  test.each([
    ["IPv4", "192.0.2.7", "192.0.2.7", "192.0.2.8"],
    ["IPv4 in IPv6 clothes", "::ffff:192.0.2.7", "192.0.2.7", "::ffff:192.0.2.8"],
    ["one network of IPv6", "2001:db8:1:2::1", "2001:0DB8:1:2:aaaa:bbbb:cccc:dddd", "2001:db8:1:3::1"],
    ["a network with zeros in the middle", "2001:db8::5", "2001:db8:0:0:1::", "2001:db8:0:1::5"],
    ["an address of this link", "fe80::1%eth0", "fe80::2", "fe81::1"],
    ["no address at all", "", "", "192.0.2.8"],
  ])("%s: ten users' failures stop the eleventh", async (_name, address, same, other) => {
    const { limit } = limitWithClock();
    await failTenTimes(limit, () => address, manyUsers);
    expect(await attempt(limit, same, "fresh@example.com")).toBe(600);
    expect(await attempt(limit, other, "fresh@example.com")).toBe(0);
  });

  test("a success does not forget the address's failures", async () => {
    const { limit } = limitWithClock();
    for (let index = 0; index < 9; index++) await attempt(limit, "192.0.2.7", manyUsers(index));
    expect(await attempt(limit, "192.0.2.7", "mine@example.com", "succeeded")).toBe(0);
    expect(await attempt(limit, "192.0.2.7", manyUsers(9))).toBe(0);
    expect(await attempt(limit, "192.0.2.7", "mine@example.com", "succeeded")).toBe(600);
  });

  test("successes and faults of ours never count", async () => {
    const { limit } = limitWithClock();
    for (let index = 0; index < 100; index++) {
      expect(await attempt(limit, "192.0.2.7", "a@example.com", "succeeded")).toBe(0);
      expect(await attempt(limit, "192.0.2.7", "a@example.com", "abandoned")).toBe(0);
    }
  });
});

describe("time", () => {
  test("the wait counts down and ends when the oldest of the ten is ten minutes old", async () => {
    const { clock, limit } = limitWithClock();
    await attempt(limit, "192.0.2.7", "a@example.com");
    clock.ms += 60_000;
    for (let index = 0; index < 9; index++) await attempt(limit, "192.0.2.7", "a@example.com");
    expect(await attempt(limit, "192.0.2.7", "a@example.com")).toBe(540);
    clock.ms += 539_001;
    expect(await attempt(limit, "192.0.2.7", "a@example.com")).toBe(1);
    clock.ms += 999;
    expect(await attempt(limit, "192.0.2.7", "a@example.com")).toBe(0);
    expect(await attempt(limit, "192.0.2.7", "a@example.com")).toBe(60);
  });

  test("refused tries do not prolong the wait", async () => {
    const { clock, limit } = limitWithClock();
    for (let index = 0; index < 500; index++) await attempt(limit, "192.0.2.7", "a@example.com");
    clock.ms += FAILURE_WINDOW_SECONDS * 1_000;
    expect(await attempt(limit, "192.0.2.7", "a@example.com")).toBe(0);
  });

  test("whatever the sequence, no window of ten minutes holds more than ten failures of one user", async () => {
    const steps = fc.array(fc.record({ waitMs: fc.nat(200_000), address: fc.nat(5) }), { maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const { clock, limit } = limitWithClock();
        const failedMs: number[] = [];
        for (const { waitMs, address } of sequence) {
          clock.ms += waitMs;
          const recent = failedMs.filter((ms) => ms > clock.ms - FAILURE_WINDOW_SECONDS * 1_000);
          const seconds = await attempt(limit, `10.0.0.${address}`, `a@example.com`);
          expect(seconds === 0).toBe(recent.length < MOST_FAILURES);
          if (seconds === 0) failedMs.push(clock.ms);
          else expect(seconds).toBe(Math.ceil((recent[0]! + FAILURE_WINDOW_SECONDS * 1_000 - clock.ms) / 1_000));
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe("tries at the same time", () => {
  test("of a hundred wrong passwords sent at once, ten are looked at", async () => {
    const { limit } = limitWithClock();
    let lookedAt = 0;
    const answers = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const admission = await limit.admit("192.0.2.7", "a@example.com");
        if (!admission.admitted) return admission.retryAfterSeconds;
        lookedAt++;
        await Bun.sleep(1);
        admission.end("failed");
        return 0;
      }),
    );
    expect(lookedAt).toBe(10);
    expect(answers.filter((seconds) => seconds === 600)).toHaveLength(90);
  });

  test("of a hundred right passwords sent at once, all are let in, ten at a time", async () => {
    const { limit } = limitWithClock();
    let atOnce = 0;
    let mostAtOnce = 0;
    const answers = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const admission = await limit.admit("192.0.2.7", "a@example.com");
        if (!admission.admitted) return false;
        mostAtOnce = Math.max(mostAtOnce, ++atOnce);
        await Bun.sleep(1);
        atOnce--;
        admission.end("succeeded");
        return true;
      }),
    );
    expect(answers.every((isIn) => isIn)).toBe(true);
    expect(mostAtOnce).toBe(10);
  });

  test("those who wait are bounded: the rest are asked to come back in a second", async () => {
    const { limit } = limitWithClock();
    const held = await Promise.all(Array.from({ length: 10 }, () => limit.admit("192.0.2.7", "a@example.com")));
    const waiting = Array.from({ length: 500 }, () => attempt(limit, "192.0.2.7", "a@example.com", "succeeded"));
    await Bun.sleep(0);
    expect(await attempt(limit, "192.0.2.7", "a@example.com")).toBe(1);
    for (const admission of held) if (admission.admitted) admission.end("succeeded");
    expect(await Promise.all(waiting)).toEqual(Array<number>(500).fill(0));
  });
});

test("memory is bounded: the address that failed longest ago is forgotten for the sake of ten thousand others", async () => {
  const { limit } = limitWithClock();
  await failTenTimes(
    limit,
    () => "192.0.2.7",
    (index) => `user${index}@example.com`,
  );
  for (let index = 0; index < 9_999; index++) {
    await attempt(limit, `10.${index >> 8}.${index & 255}.1`, `x${index}@example.com`);
  }
  expect(await attempt(limit, "192.0.2.7", "fresh@example.com")).toBe(600);
  for (let index = 0; index < 10_000; index++) {
    await attempt(limit, `11.${index >> 8}.${index & 255}.1`, `y${index}@example.com`);
  }
  expect(await attempt(limit, "192.0.2.7", "fresh@example.com")).toBe(0);
});
