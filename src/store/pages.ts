import { setImmediate as letOthersRun } from 'node:timers/promises';

/**
 * Reads rows a page at a time, until a page is empty.
 * @param read the rows that follow this one; the first ones where there is none
 */
export async function* readPages<Row>(
  read: (last: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<Row, void> {
  for (let page = await read(undefined); page.length > 0; page = await read(page.at(-1))) {
    yield* page;
    // SQLite's statements are synchronous: without this, nothing else would run in between.
    await letOthersRun();
  }
}
