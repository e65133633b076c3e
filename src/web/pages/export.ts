import { sessionOf } from '../server/session.js';
import type { Part } from '../server/page-part.js';

/** Streams the account's data as JSON lines. By POST, so that a link on another site cannot trigger an export. */
export const addExportRoute: Part = (router, { accountData, exports, clock }) => {
  router.post('/account/export', async (ctx) => {
    const { account } = sessionOf(ctx);
    const stream = await exports.open(account.id, accountData.exportAll(account.id));
    // The status has been sent, so only a broken connection shows that the file is incomplete.
    stream.once('error', () => ctx.res.destroy());
    const day = clock.now().toISOString().slice(0, 10);
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Content-Disposition', `attachment; filename="agent-readiness-${day}.jsonl"`);
    ctx.body = stream;
    ctx.set('Content-Type', 'application/x-ndjson');
  });
};
