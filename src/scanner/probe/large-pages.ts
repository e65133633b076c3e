import { LARGE_BYTES } from '../../net/transport.js';

let last: Promise<unknown> = Promise.resolve();

/**
 * Reads large pages one after the other across the whole process: a page takes many times its length in memory while it is read,
 * and reading several at once finishes none sooner. `read` must finish for any page.
 */
export function readPageInTurn<T>({ length }: Pick<Uint8Array, 'length'>, read: () => Promise<T>): Promise<T> {
  if (length < LARGE_BYTES) return read();
  const result = last.then(read);
  // Do not keep the result alive in the chain.
  last = result.then(ignore, ignore);
  return result;
}

function ignore(): void {
  // The caller that requested the page receives the error.
}
