// Uploads that began in time and still run: their datasets must not expire meanwhile.

export class UploadsUnderWay {
  private readonly counts = new Map<string, number>();

  /** Begins an upload for this resource; the returned function ends it. */
  begin(key: string): () => void {
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    return () => {
      const left = this.counts.get(key)! - 1;
      if (left === 0) this.counts.delete(key);
      else this.counts.set(key, left);
    };
  }

  has(key: string): boolean {
    return this.counts.has(key);
  }
}
