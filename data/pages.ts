// A page of a list, and how long a job took.

export interface Page {
  /** Items to skip. */
  offset: number;
  /** Most items to give. */
  limit: number;
}

export interface Paged<T> {
  items: T[];
  /** Items of the whole list. */
  total: number;
}

/** What most changes of a job can answer. */
export interface Times {
  startedOn: string | null;
  finishedOn: string | null;
}

/** Whole seconds of processing: 0 while it waits, frozen once it has finished. */
export function elapsedSeconds({ startedOn, finishedOn }: Times, now: Date): number {
  if (startedOn === null) return 0;
  const endMs = finishedOn === null ? now.getTime() : Date.parse(finishedOn);
  return Math.max(0, Math.floor((endMs - Date.parse(startedOn)) / 1000));
}
