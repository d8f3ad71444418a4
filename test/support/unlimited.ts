// Storage settings without any limit.
import type { StorageSettings } from "../../src/storage/quotas.ts";

/** Everything is kept, and everything may be sent. */
export const UNLIMITED: StorageSettings = {
  keepDeletedDays: null,
  keepResultsDays: null,
  keepAuditDays: null,
  quotaBytesPerUser: null,
  quotaBytes: null,
};
