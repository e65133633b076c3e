import type { Socket } from 'node:net';
import { answerOf, type FixtureRoute } from '../../support/fixture-site.js';
import { type Behave, startHost, type WireRequest } from './host.js';
import type { HostileKind } from './kind.js';
import { GOOD_ROUTES } from './good-site.js';

/** What each path of a site answers, as in the fixture sites: `*` for all others. */
export type Routes = Readonly<Record<string, FixtureRoute>>;

/**
 * A kind whose harm is in what it serves: bodies and header fields of complete answers. Paths that it does not name answer as
 * those of a good site do, so that a scan goes on to everything that the hostile ones lead to.
 */
export function siteKind(name: string, routes: () => Routes, yields: HostileKind['yields'] = {}): HostileKind {
  return { name, yields, start: () => startHost(answering({ ...GOOD_ROUTES, ...routes() })) };
}

/** Answers by routes. */
export function answering(routes: Routes): Behave {
  return (socket, request) => void sendAnswer(routes, socket, request);
}

async function sendAnswer(routes: Routes, socket: Socket, request: WireRequest): Promise<void> {
  const origin = `http://${request.headers.host ?? 'nowhere.hostile-site.com'}`;
  const { method, headers, body: sent } = request;
  const url = new URL(request.path, origin);
  const { status, headers: fields, body } = await answerOf({ origin, routes }, { url, method, headers, body: sent });
  const lines = fields.map(([field, value]) => `${field}: ${value}\r\n`).join('');
  socket.write(`HTTP/1.1 ${status} Answer\r\n${lines}content-length: ${body.length}\r\n\r\n`, 'latin1');
  socket.write(body);
}
