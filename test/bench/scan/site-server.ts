/**
 * The site that the scan bench scans: the fixture where all is right, under whatever origin a request names, each answer late by a
 * round trip. `site-server.ts <plain|tls|h2> <rttMs> [hosts]` listens on that many loopback addresses, says its port, and tells its
 * parent what it has seen since the last question. `h2` offers HTTP/2 by ALPN, alongside HTTP/1.1; `tls` has HTTP/1.1 alone.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { perfect } from '../../fixtures/sites/perfect.js';
import { answerOf } from '../../support/fixture-site.js';
import { PROJECT } from '../../support/project.js';

const [scheme = 'plain', rtt = '0', hosts = '1'] = process.argv.slice(2);
const rttMs = Number(rtt);
const ORIGIN = perfect.origin ?? '';
/** Other hosts do not exist here. */
const ELSEWHERE = /https:\/\/www\.(wikidata\.org\/wiki\/Q0|linkedin\.com\/company\/lantern-works)/g;
const UNSENDABLE = new Set(['connection', 'transfer-encoding']);

let requests = 0;
let connections = 0;
const protocols = new Set<string>();

async function answer(
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
): Promise<void> {
  requests += 1;
  protocols.add(request.httpVersionMajor === 2 ? 'HTTP/2' : `HTTP/${request.httpVersion}`);
  const arrivedMs = performance.now();
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const host = request.headers[':authority'] ?? request.headers.host ?? '';
  const own = `${scheme === 'plain' ? 'http' : 'https'}://${String(host)}`;
  const headers = Object.entries(request.headers).filter(([name]) => !name.startsWith(':'));
  const settled = await answerOf(perfect, {
    url: new URL(request.url ?? '/', ORIGIN),
    method: request.method ?? 'GET',
    headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
    ...(chunks.length > 0 ? { body: Buffer.concat(chunks).toString() } : {}),
  });
  const body = Buffer.from(settled.body).toString().replace(ELSEWHERE, `${own}/workshop`).replaceAll(ORIGIN, own);
  if (rttMs > 0) await wait(rttMs - (performance.now() - arrivedMs));
  response.statusCode = settled.status;
  for (const [name, value] of settled.headers) {
    if (!UNSENDABLE.has(name)) response.setHeader(name, value.replaceAll(ORIGIN, own));
  }
  response.end(body);
}

const listener = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
): void => void answer(request, response);
const pem = (name: string): Buffer => readFileSync(join(PROJECT, `test/fixtures/tls/${name}.pem`));

function createSite(): Server {
  if (scheme === 'plain') return createServer(listener).on('connection', () => (connections += 1));
  const options = { cert: pem('valid'), key: pem('key') };
  const server =
    scheme === 'h2'
      ? createSecureServer({ ...options, allowHTTP1: true }, listener)
      : createTlsServer(options, listener);
  return server.on('secureConnection', () => (connections += 1));
}

let port = 0;
for (let host = 1; host <= Number(hosts); host += 1) {
  const server = createSite().listen(port, `127.0.0.${host}`);
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
}
process.stdout.write(`port ${port}\n`);

process.on('message', (question) => {
  if (question !== 'seen') return;
  process.send?.({ question, answer: { requests, connections, protocols: [...protocols] } });
  requests = 0;
  connections = 0;
  protocols.clear();
});
process.once('SIGTERM', () => process.exit(0));
