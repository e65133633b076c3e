/** Fastify with its validation by JSON Schema, and the same work. */
import Fastify from 'fastify';
import { logRequests } from './serve-on.js';
import { openWork, Refusal } from './work.js';

const work = openWork(process.env.DATABASE_URL ?? '');
const app = Fastify();

const siteId = { type: 'string', minLength: 1 };
const byNumber = {
  params: {
    type: 'object',
    required: ['siteId', 'number'],
    properties: { siteId, number: { type: 'integer', minimum: 1 } },
  },
};
const latest = { params: { type: 'object', required: ['siteId'], properties: { siteId } } };

interface Params {
  readonly siteId: string;
  readonly number?: number;
}

for (const [path, schema] of [
  ['/api/v1/sites/:siteId/runs/latest', latest],
  ['/api/v1/sites/:siteId/runs/:number', byNumber],
] as const) {
  app.get<{ Params: Params }>(path, { schema }, async (request, reply) => {
    const found = await work.read(
      request.headers.authorization,
      request.params.siteId,
      request.params.number ?? 'latest',
    );
    return reply
      .header('Content-Type', 'application/json')
      .header('ETag', found.etag)
      .header('X-RateLimit-Limit', found.limit)
      .header('X-RateLimit-Remaining', found.limit - found.used)
      .send(found.body);
  });
}
app.setErrorHandler((error, _request, reply) => reply.code(error instanceof Refusal ? error.status : 500).send());
logRequests(app.server);
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
process.stdout.write('listening\n');
process.once('SIGTERM', () => process.exit(0));
