// The time that this thread has taken of a processor.

/** Unlike those of the clock, these seconds do not grow while other work of the machine runs. */
export function threadSeconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e6;
}
