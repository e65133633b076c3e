/** A page of fewer bytes takes no memory worth a wait. */
const LARGE_BYTES = 262_144;

let last: Promise<unknown> = Promise.resolve();

/**
 * Reads large pages one after the other, in the whole process: a page takes many times its length while it is read, and those that
 * are read at the same time are done no sooner. `read` must come to its end whatever the page holds.
 */
export function readPageInTurn<T>({ length }: Pick<Uint8Array, 'length'>, read: () => Promise<T>): Promise<T> {
  if (length < LARGE_BYTES) return read();
  const result = last.then(read);
  // What was read is not kept for the next one's sake.
  last = result.then(ignore, ignore);
  return result;
}

function ignore(): void {
  // Whoever asked for the page is told.
}
