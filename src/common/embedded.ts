// Files built from the sources: the executable holds them; a server started from source builds each once, in memory.

/** A file inside the executable, by the name that it was given there. */
export function embeddedFile(name: string): Blob {
  const embedded = (Bun.embeddedFiles as (Blob & { name: string })[]).find((file) => file.name === name);
  if (embedded === undefined) throw new Error(`the executable holds no ${name}`);
  return embedded;
}

/**
 * Makes something at its first use, and keeps it; after a failure, of a disk
 * that was full, say, the next use tries again.
 */
export function madeOnce<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | null = null;
  return () => {
    made ??= make().catch((fault) => {
      made = null;
      throw fault;
    });
    return made;
  };
}
