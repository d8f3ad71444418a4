// A map of bounded size that forgets the least recently used entries.

/** Keeps at most `mostEntries`; the least recently read or written goes first. Constant time per call. */
export class RecentMap<Key, Value> {
  private readonly entries = new Map<Key, Value>();
  private readonly mostEntries: number;

  constructor(mostEntries: number) {
    this.mostEntries = mostEntries;
  }

  /** The value, which now counts as the most recently used. */
  get(key: Key): Value | undefined {
    const value = this.entries.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size <= this.mostEntries) return;
    const [oldest] = this.entries.keys();
    if (oldest !== undefined) this.entries.delete(oldest);
  }
}
