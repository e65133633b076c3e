/** `node:http` with key, quota and the select of our own; paths by a regular expression. */
import { createServer } from 'node:http';
import { logRequests, serveOn } from './serve-on.js';
import { openWork, Refusal } from './work.js';

const work = openWork(process.env.DATABASE_URL ?? '');
const PATH = /^\/api\/v1\/sites\/([^/]+)\/runs\/(\d+|latest)$/;

const server = createServer((request, response) => {
  void (async () => {
    const [, siteId = '', number = ''] = PATH.exec(request.url ?? '') ?? [];
    try {
      const found = await work.read(
        request.headers.authorization,
        siteId,
        number === 'latest' ? 'latest' : Number(number),
      );
      response.setHeader('Content-Type', 'application/json');
      response.setHeader('ETag', found.etag);
      response.setHeader('X-RateLimit-Limit', found.limit);
      response.setHeader('X-RateLimit-Remaining', found.limit - found.used);
      response.end(found.body);
    } catch (error) {
      response.writeHead(error instanceof Refusal ? error.status : 500).end();
    }
  })();
});
logRequests(server);
serveOn(server);
