// How benches talk to a server that they have started: where it listens, and one request with its JSON answer.

export async function send(
  url: string,
  method: string,
  body: string | FormData | null,
  headers: Record<string, string>,
) {
  const response = await fetch(url, { method, headers, ...(body === null ? {} : { body }) });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, string>;
}

/** Where the server listens, as it says itself. */
export async function originOf(stdout: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stdout) {
    text += decoder.decode(chunk, { stream: true });
    const found = /listening on (\S+)\n/.exec(text);
    if (found !== null) return found[1]!;
  }
  throw new Error(`the server ended: ${text}`);
}
