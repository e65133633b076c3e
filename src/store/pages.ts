import { yieldToEventLoop } from '../platform/concurrency.js';

/**
 * Reads rows a page at a time, until a page is empty.
 * @param read reads the rows after this one; the first ones without it
 */
export async function* readPages<Row>(
  read: (last: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<Row, void> {
  for (let page = await read(undefined); page.length > 0; page = await read(page.at(-1))) {
    yield* page;
    await yieldToEventLoop();
  }
}
