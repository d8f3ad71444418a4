// Changing how a dataset is read: each change is stored at once, and the file read again with it.
import { useEffect, useRef, useState } from "preact/hooks";
import type { DatasetRecord } from "../../api/datasets/datasets.ts";
import { datasets } from "../../browser/api.ts";
import { type Changes, type Choices, changed, merged } from "../../browser/forms/choices.ts";
import { pause } from "../../browser/loading.ts";
import { asProblem, cancelled, type Problem } from "../../browser/problem.ts";
import { announce } from "../announcements.tsx";

export interface Choosing {
  /** The server's choices with the changes that are on their way. */
  shown: Choices;
  /** True from a change until the file has been read with it. */
  isReading: boolean;
  /** The problem of the last change; null once another is on its way. */
  problem: Problem | null;
  /** `words` are announced once it is done. */
  change(changes: Changes, words?: string): void;
}

/**
 * Changes that are made while an earlier one is being read go together. After
 * a refusal the stored choices are shown again.
 */
export function useChoosing(dataset: DatasetRecord, reload: () => void): Choosing {
  const [wanted, setWanted] = useState<Changes>({});
  const [state, setState] = useState<Pick<Choosing, "isReading" | "problem">>({ isReading: false, problem: null });
  const pending = useRef<{ changes: Changes; words: string | undefined } | null>(null);
  const isBusy = useRef(false);
  const leaving = useRef(new AbortController());
  const work = async () => {
    isBusy.current = true;
    setState({ isReading: true, problem: null });
    let problem: Problem | null = null;
    try {
      while (pending.current !== null) {
        const { changes, words } = pending.current;
        pending.current = null;
        const status = await changeAndRead(dataset.datasetKey, changes, leaving.current.signal);
        if (words !== undefined) announce(status === "COMPLETED" ? words : "The table cannot be read like that.");
      }
    } catch (error) {
      problem = asProblem(error);
    }
    pending.current = null;
    isBusy.current = false;
    if (leaving.current.signal.aborted) return;
    if (problem !== null) setWanted({});
    setState({ isReading: false, problem });
    reload();
  };
  useEffect(() => () => leaving.current.abort(), []);
  useEffect(() => {
    if (!isBusy.current) setWanted({});
  }, [dataset]);
  return {
    ...state,
    shown: changed(dataset, wanted),
    change: (changes, words) => {
      pending.current = { changes: merged(pending.current?.changes ?? {}, changes), words };
      setWanted((before) => merged(before, changes));
      if (!isBusy.current) void work();
    },
  };
}

/** Waits until the file was read with the changes. @throws Problem; CANCELLED once the signal says so */
async function changeAndRead(key: string, changes: Changes, signal: AbortSignal): Promise<DatasetRecord["status"]> {
  await datasets.change(key, changes);
  for (let round = 0; ; round++) {
    await new Promise((resolve) => setTimeout(resolve, pause(round)));
    if (signal.aborted) throw cancelled();
    const { status } = await datasets.get(key, signal);
    if (status !== "PROCESSING") return status;
  }
}
