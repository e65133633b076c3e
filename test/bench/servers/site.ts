/**
 * The site that the benches scan: a fixture without faults, under whatever origin a request names, each answer delayed by a round trip.
 * `site.ts <http|https> <rttMs>` prints its port, and reports to its parent the requests since the last question.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { perfect } from '../../fixtures/sites/perfect.js';
import { readRequest } from '../../support/fixture-server.js';
import { answerOf } from '../../support/fixture-site.js';
import { readFixture } from '../../support/project.js';

const [scheme = 'http', rtt = '0'] = process.argv.slice(2);
const ORIGIN = perfect.origin ?? '';
/** Other hosts do not exist here. */
const ELSEWHERE = /https:\/\/www\.(wikidata\.org\/wiki\/Q0|linkedin\.com\/company\/lantern-works)/g;
const UNSENDABLE = new Set(['connection', 'transfer-encoding']);

let [requests, connections] = [0, 0];

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  requests += 1;
  const arrivedMs = performance.now();
  const own = `${scheme}://${request.headers.host ?? ''}`;
  const settled = await answerOf(perfect, await readRequest(request, ORIGIN));
  const body = Buffer.from(settled.body).toString().replace(ELSEWHERE, `${own}/workshop`).replaceAll(ORIGIN, own);
  await pause(Math.max(0, Number(rtt) - (performance.now() - arrivedMs)));
  response.statusCode = settled.status;
  for (const [name, value] of settled.headers)
    if (!UNSENDABLE.has(name)) response.setHeader(name, value.replaceAll(ORIGIN, own));
  response.end(body);
}

const listener = (request: IncomingMessage, response: ServerResponse): void => void answer(request, response);
const server =
  scheme === 'http'
    ? createServer(listener)
    : createTlsServer({ cert: readFixture('tls/valid.pem'), key: readFixture('tls/key.pem') }, listener);
server.on(scheme === 'http' ? 'connection' : 'secureConnection', () => (connections += 1));
await once(server.listen(0, '127.0.0.1'), 'listening');
console.log(`port ${(server.address() as AddressInfo).port}`);
process.on('message', (question) => {
  if (question !== 'seen') return;
  process.send?.({ question, answer: { requests, connections } });
  [requests, connections] = [0, 0];
});
