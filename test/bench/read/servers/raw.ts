/** `node:http` and one prepared select: what a read costs at the least. No key, no quota, nothing validated. */
import { createServer } from 'node:http';
import { serveOn } from './serve-on.js';
import { openWork } from './work.js';

const work = openWork(process.env.DATABASE_URL ?? '');
const PATH = /^\/api\/v1\/sites\/([^/]+)\/runs\/(\d+|latest)$/;

const server = createServer((request, response) => {
  void (async () => {
    const [, siteId = '', number = ''] = PATH.exec(request.url ?? '') ?? [];
    const found = work.select(siteId, number === 'latest' ? number : Number(number));
    const { body } = found instanceof Promise ? await found : found;
    response.setHeader('Content-Type', 'application/json');
    response.end(body);
  })();
});
serveOn(server);
