/** Fastify with its validation by JSON Schema, its log with a line for each request, and the same work. */
import { createHash } from 'node:crypto';
import Fastify, { LogController } from 'fastify';
import { chargeKey } from '../../../src/app/keys/access.js';
import { unpackBody } from '../../../src/app/runs/run-bodies.js';
import { findRuns } from '../../../src/app/runs/run-reads.js';
import { openDatabase } from '../../../src/store/open.js';
import { joinQueries } from '../../../src/store/query.js';

const QUOTA = 1_000_000_000;
const MONTH = new Date().toISOString().slice(0, 7);

/** The work behind a read by the product's own statements: key, plan, quota and the run, on PostgreSQL by one statement. */
async function openWork(url: string) {
  const db = await openDatabase(url);
  return async (authorization: string | undefined, siteId: string, number: number) => {
    const digest = createHash('sha256')
      .update((authorization ?? '').slice('Bearer '.length))
      .digest('hex');
    const charge = chargeKey({ digest, month: MONTH, now: `${MONTH}-01`, override: QUOTA, count: 1 });
    const find = findRuns({ runs: JSON.stringify([{ request_index: 0, site_id: siteId, number, etag: '' }]) });
    const isOne = db.dialect === 'postgres';
    const row = isOne
      ? await db.one(joinQueries(charge, find))
      : { ...(await db.one(charge)), ...(await db.one(find)) };
    if (!row?.used || row.owner_id !== row.account_id || !row.body || !row.etag) return null;
    return { body: unpackBody(row.body), etag: row.etag, remaining: QUOTA - row.used };
  };
}

const { DATABASE_URL = '', PORT } = process.env;
const work = await openWork(DATABASE_URL);
const logController = new LogController({ disableRequestLogging: true });
const app = Fastify({ logger: true, logController });

const params = {
  type: 'object',
  required: ['siteId', 'number'],
  properties: { siteId: { type: 'string', minLength: 1 }, number: { type: 'integer', minimum: 1 } },
};
app.get<{ Params: { siteId: string; number: number } }>(
  '/api/v1/sites/:siteId/runs/:number',
  { schema: { params } },
  async ({ headers, params: { siteId, number } }, reply) => {
    const found = await work(headers.authorization, siteId, number);
    if (!found) return reply.code(404).send();
    return reply
      .headers({ 'Content-Type': 'application/json', ETag: found.etag, 'X-RateLimit-Remaining': found.remaining })
      .send(found.body);
  },
);
app.addHook('onResponse', async ({ method, url }, { statusCode, elapsedTime }) => {
  app.log.info({ method, path: url, status: statusCode, ms: Math.round(elapsedTime) }, 'request');
});
await app.listen({ port: Number(PORT), host: '127.0.0.1' });
console.log('listening');
