// The audit trail in the database: what is written, found, read on and removed,
// and that it goes with its change or not at all.
import { describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import {
  type AuditFilter,
  auditAfter,
  COMMAND_LINE,
  listAudit,
  recordAudit,
  removeAuditBefore,
} from "../../data/audit.ts";
import { AUDIT_ACTIONS, type AuditAction } from "../../data/database/audit-actions.ts";
import type { Database } from "../../data/database/database.ts";
import { ALL, later, NOON, withState } from "./state.ts";

function note(database: Database, action: AuditAction, userKey: string | null, seconds: number): string {
  const objectKey = randomUUID();
  const actor = { ...COMMAND_LINE, userKey, email: userKey === null ? null : "ann@example.com" };
  recordAudit(database, actor, { action, objectKey, detail: null }, later(seconds));
  return objectKey;
}

describe("the audit trail", () => {
  test("keeps who, what, where and when as they were given", () =>
    withState(({ database, ann }) => {
      const actor = {
        userKey: ann,
        email: "ann@example.com",
        apiKeyId: randomUUID(),
        address: "192.0.2.7",
        requestId: randomUUID(),
      };
      const event = { action: "CHAMPION_MOVED", objectKey: randomUUID(), detail: "v2" } as const;
      recordAudit(database, actor, event, NOON);
      const { items, total } = listAudit(database, {}, ALL);
      expect(items).toEqual([{ id: 1, time: NOON.toISOString(), ...actor, ...event }]);
      expect(total).toBe(1);
    }));

  test("is not written where the change is not made", () =>
    withState(({ database }) => {
      const change = () =>
        database.write(() => {
          note(database, "DATASET_DELETED", null, 0);
          throw new Error("the change fails");
        });
      expect(change).toThrow("the change fails");
      expect(listAudit(database, {}, ALL)).toEqual({ items: [], total: 0 });
    }));

  test("takes every action that there is", () =>
    withState(({ database }) => {
      for (const action of AUDIT_ACTIONS) note(database, action, null, 0);
      expect(listAudit(database, {}, ALL).items.map(({ action }) => action)).toEqual([...AUDIT_ACTIONS].reverse());
    }));

  test("is found by time, action and user, newest first, page by page", () =>
    withState(({ database, ann, bob }) => {
      const keys = [
        note(database, "LOGIN", ann, 0),
        note(database, "LOGIN", bob, 1),
        note(database, "DATASET_CREATED", ann, 1),
        note(database, "LOGIN", ann, 2),
      ];
      const found = (filter: AuditFilter, page = ALL) => {
        const { items, total } = listAudit(database, filter, page);
        return [items.map(({ objectKey }) => keys.indexOf(objectKey!)), total];
      };
      expect(found({})).toEqual([[3, 2, 1, 0], 4]);
      expect(found({ from: later(1).toISOString() })).toEqual([[3, 2, 1], 3]);
      expect(found({ to: later(1).toISOString() })).toEqual([[0], 1]);
      expect(found({ from: later(1).toISOString(), to: later(2).toISOString() })).toEqual([[2, 1], 2]);
      expect(found({ action: "LOGIN" })).toEqual([[3, 1, 0], 3]);
      expect(found({ action: "LOGIN", userKey: ann })).toEqual([[3, 0], 2]);
      expect(found({ userKey: ann }, { offset: 1, limit: 1 })).toEqual([[2], 3]);
      expect(found({ userKey: randomUUID() })).toEqual([[], 0]);
    }));

  test("is read on from any row, in the order it was written", () =>
    withState(({ database, ann }) => {
      // Clocks are set back: the order of times is not that of writing.
      const keys = [note(database, "LOGIN", ann, 5), note(database, "LOGIN", ann, 3), note(database, "LOGIN", ann, 9)];
      const first = auditAfter(database, 0, {}, 2);
      expect(first.map(({ objectKey }) => objectKey)).toEqual(keys.slice(0, 2));
      expect(auditAfter(database, first[1]!.id, {}, 2).map(({ objectKey }) => objectKey)).toEqual(keys.slice(2));
      expect(auditAfter(database, 0, { from: later(5).toISOString() }, 9)).toHaveLength(2);
    }));

  test("forgets what is older than a time, and nothing else", () =>
    withState(({ database, ann }) => {
      for (let second = 0; second < 5; second++) note(database, "LOGIN", ann, second);
      expect(removeAuditBefore(database, later(3), 2)).toBe(2);
      expect(removeAuditBefore(database, later(3), 2)).toBe(1);
      expect(listAudit(database, {}, ALL).items.map(({ time }) => time)).toEqual([
        later(4).toISOString(),
        later(3).toISOString(),
      ]);
      expect(removeAuditBefore(database, later(3), 2)).toBe(0);
    }));

  test("outlasts the user whom it names", () =>
    withState(({ database, ann }) => {
      note(database, "LOGIN", ann, 0);
      database.client.run("DELETE FROM users WHERE key = ?", [ann]);
      expect(listAudit(database, { userKey: ann }, ALL).items).toMatchObject([{ email: "ann@example.com" }]);
    }));
});
