// Writes another threshold into the file of a version (D109), and a champion's chosen one into those of its successor.
import { open } from "node:fs/promises";
import { setImmediate as otherRequests } from "node:timers/promises";
import { placeWhole, writeAll } from "../../data/files/file-store.ts";
import { withThreshold } from "../../engine/model/model-threshold.ts";
import type { ChosenThreshold } from "../../engine/successor/paired-decisions.ts";
import { openParts } from "../../workers/reading/file-chunks.ts";
import { modelThreshold } from "./prediction-file.ts";

/**
 * Replaces the file by one with the threshold: a crash leaves the old one or the
 * new one. `note` is called before the new one counts.
 */
export async function storeThreshold(path: string, threshold: number | null, note: () => void): Promise<void> {
  const { readAt, sizeBytes, close } = openParts(path);
  try {
    await placeWhole(path, async (temporary) => {
      const output = await open(temporary, "wx");
      try {
        for (const piece of withThreshold(readAt, sizeBytes, threshold)) {
          await writeAll(output, piece);
          await otherRequests();
        }
      } finally {
        await output.close();
      }
      note();
    });
  } finally {
    close();
  }
}

/** The threshold of a version if it is another one than the training found; null for more than two labels. */
export function chosenThreshold(path: string): ChosenThreshold | null {
  const stored = modelThreshold(path);
  if (stored === null || stored.threshold === stored.trainedThreshold) return null;
  return { positiveLabel: stored.positiveLabel, threshold: stored.threshold };
}

/** Has a version decide as its champion does. Twice is as once. Models of more labels stay as they are. */
export async function takeOverThreshold(path: string, { positiveLabel, threshold }: ChosenThreshold): Promise<void> {
  const stored = modelThreshold(path);
  if (stored === null) return;
  const at = stored.positiveLabel === positiveLabel ? threshold : 1 - threshold;
  if (stored.threshold !== at) await storeThreshold(path, at, () => undefined);
}
