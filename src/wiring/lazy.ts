/**
 * What is made at its first use, and loaded for it: `make` is called once, however many ask at the same time. Node remembers that a
 * module could not be loaded (for want of file descriptors, say) as long as the process lives, so that such a process is better ended
 * and started anew than left to refuse: `end` does so.
 */
export function makeLazy<T>(make: () => Promise<T>, end: (cause: unknown) => void = endProcess): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () =>
    (made ??= make().catch((cause: unknown) => {
      end(cause);
      throw cause;
    }));
}

/** As an error that nobody caught: once the answers that are ready have left. */
function endProcess(cause: unknown): void {
  setImmediate(() => {
    throw cause;
  });
}
