// The budget of memory: limits of control groups in either version, how a server divides it, and what is refused.
import { describe, expect, test } from "bun:test";
import {
  divideBudget,
  groupLimit,
  MemoryExceeded,
  requireBudget,
  requireJobBytes,
  threadsWithin,
} from "../../../src/common/memory-budget.ts";

const MIB = 2 ** 20;
const limitOf = (files: Record<string, string>) => groupLimit((path) => files[path] ?? null);

describe("groupLimit", () => {
  test.each<[string, Record<string, string>, number]>([
    ["none without control groups", {}, Number.POSITIVE_INFINITY],
    [
      "none where they set none",
      { "/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "max\n" },
      Number.POSITIVE_INFINITY,
    ],
    [
      "that of the root, as a container has it",
      { "/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "1073741824\n" },
      2 ** 30,
    ],
    [
      "the narrowest on the way down",
      {
        "/proc/self/cgroup": "0::/system.slice/cupel.service\n",
        "/sys/fs/cgroup/memory.max": "max\n",
        "/sys/fs/cgroup/system.slice/memory.max": "500\n",
        "/sys/fs/cgroup/system.slice/cupel.service/memory.max": "800\n",
      },
      500,
    ],
    [
      "that of the first version",
      {
        "/proc/self/cgroup": "9:name=systemd:/\n4:cpu,memory:/docker/ab:c\n0::/\n",
        "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
        "/sys/fs/cgroup/memory/docker/ab:c/memory.limit_in_bytes": "4096\n",
      },
      4_096,
    ],
  ])("is %s", (_, files, expected) => {
    expect(limitOf(files)).toBe(expected);
  });
});

describe("the budget", () => {
  test("is divided among the program, its models and its jobs, of which heavy ones leave a part", () => {
    for (const budgetMib of [256, 1_024, 32_768]) {
      const { budgetBytes, cacheBytes, jobBytes } = divideBudget(budgetMib);
      expect(budgetBytes).toBe(budgetMib * MIB);
      expect(cacheBytes + jobBytes.light).toBeLessThan(budgetBytes);
      expect(jobBytes.light).toBeGreaterThan(0);
      expect(jobBytes.heavy).toBeWithin(0.8 * jobBytes.light, 0.9 * jobBytes.light);
    }
  });

  test("has as many threads as it has room for, and one whatever it is", () => {
    const threads = [256, 270, 512, 1_024, 32_768].map((budgetMib) => threadsWithin(8, divideBudget(budgetMib)));
    expect(threads).toEqual([1, 1, 2, 6, 8]);
    expect(threadsWithin(3, divideBudget(32_768))).toBe(3);
  });

  test("refuses with both numbers and what would help", () => {
    const memory = divideBudget(1_024);
    expect(() => requireJobBytes(memory.jobBytes.heavy, "heavy", memory)).not.toThrow();
    expect(() => requireJobBytes(900 * MIB, "heavy", memory)).toThrow(
      /^This takes up to 900 MiB of memory, and a refinement or training may have 7\d\d MiB on this server\. .*--memory-budget-mib/,
    );
    expect(() => requireBudget("Reading this table", 100 * MIB, 1_024, 1)).not.toThrow();
    expect(() => requireBudget("Training on this table", 1_000 * MIB, 1_024, 2)).toThrow(MemoryExceeded);
    expect(() => requireBudget("Training on this table", 1_000 * MIB, 1_024, 2)).toThrow(
      /^Training on this table takes up to 1064 MiB of memory on 2 threads, and 1024 MiB may be used\. .*--workers/,
    );
  });
});
