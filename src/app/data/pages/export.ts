import { Readable } from 'node:stream';
import { sessionOf } from '../../accounts/pages/session.js';
import type { Part } from '../../part.js';

/**
 * The account's data as a file of JSON lines, sent as it is read: however many runs there are, few are in memory. By POST, since it
 * is recorded: no other site's link has it done.
 */
export const addExportRoute: Part = (router, { accountData, clock }) => {
  router.post('/account/export', async (ctx) => {
    const { account } = sessionOf(ctx);
    const lines = accountData.exportAll(account.id)[Symbol.asyncIterator]();
    // Read before anything is answered, so that a database that is away is told as on every page.
    const first = await lines.next();
    const stream = Readable.from(startingWith(first, lines));
    // Cut off, so that a part is not taken for the whole: the status has been sent already.
    stream.once('error', () => ctx.res.destroy());
    const day = clock.now().toISOString().slice(0, 10);
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Content-Disposition', `attachment; filename="agent-readiness-${day}.jsonl"`);
    ctx.body = stream;
    ctx.set('Content-Type', 'application/x-ndjson');
  });
};

async function* startingWith(
  first: IteratorResult<string, unknown>,
  rest: AsyncIterator<string, unknown>,
): AsyncGenerator<string, void> {
  try {
    for (let step = first; !step.done; step = await rest.next()) yield step.value;
  } finally {
    // The client may have left.
    await rest.return?.();
  }
}
