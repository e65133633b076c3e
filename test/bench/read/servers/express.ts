/** Express with express-openapi-validator over the product's own document, and the same work. */
import { createServer } from 'node:http';
import { join } from 'node:path';
import express, { type NextFunction, type Request, type Response } from 'express';
import { middleware } from 'express-openapi-validator';
import { logRequests, serveOn } from './serve-on.js';
import { openWork, Refusal } from './work.js';

const work = openWork(process.env.DATABASE_URL ?? '');
const app = express();

app.use(
  middleware({
    apiSpec: join(process.cwd(), 'generated/openapi.json'),
    validateRequests: true,
    validateResponses: false,
    validateSecurity: false,
    validateApiSpec: false,
  }),
);
app.get('/api/v1/sites/:siteId/runs/:number', async (request: Request, response: Response) => {
  const { siteId = '', number = '' } = request.params as Record<string, string>;
  const found = await work.read(request.headers.authorization, siteId, number === 'latest' ? 'latest' : Number(number));
  response.set({
    'Content-Type': 'application/json',
    ETag: found.etag,
    'X-RateLimit-Limit': String(found.limit),
    'X-RateLimit-Remaining': String(found.limit - found.used),
  });
  response.send(found.body);
});
app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
  if (response.headersSent) next(error);
  else response.status(error instanceof Refusal ? error.status : ((error as { status?: number }).status ?? 500)).end();
});
const server = createServer(app);
logRequests(server);
serveOn(server);
