// The log of a server as a process, heard as it is written: how each job ended.

export interface HeardLog {
  /** Resolves with the state in which the job ended, as soon as that is in the log. */
  ended(key: string): Promise<string>;
}

/** @param stream standard error of a server that logs JSON */
export function hearLog(stream: ReadableStream<Uint8Array>): HeardLog {
  const ends = new Map<string, PromiseWithResolvers<string>>();
  const endOf = (key: string) => {
    const known = ends.get(key) ?? Promise.withResolvers<string>();
    ends.set(key, known);
    return known;
  };
  const hear = async () => {
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of stream) {
      const lines = (text + decoder.decode(chunk, { stream: true })).split("\n");
      text = lines.pop()!;
      for (const line of lines.map((json) => JSON.parse(json) as Record<string, string>)) {
        if (line["event"] === "job.ended") endOf(line["key"]!).resolve(line["state"]!);
      }
    }
  };
  void hear();
  return { ended: (key) => endOf(key).promise };
}
