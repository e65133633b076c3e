/** Fastify with its validation by JSON Schema, its log with a line for each request, and the same work. */
import Fastify, { LogController } from 'fastify';
import { openWork } from './work.js';

const { DATABASE_URL = '', PORT, LOG_LEVEL = 'info' } = process.env;
const work = await openWork(DATABASE_URL);
const logController = new LogController({ disableRequestLogging: true });
const app = Fastify({ logger: { level: LOG_LEVEL }, logController });

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
