import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { CANARY, hostile } from '../../fixtures/sites/hostile.js';
import { perfect } from '../../fixtures/sites/perfect.js';
import { readRequest } from '../../support/fixture-server.js';
import { answerOf, type FixtureRoute, type FixtureSite, resolveRoute } from '../../support/fixture-site.js';
import { listen } from '../../support/listen.js';
import type { Scope } from '../../support/service.js';
import { FOREIGN_HOST, HEADER_SPEECH, MARKER, MARKER_HOST, PATH } from './marker.js';

/** The sites to serve. On the first one every check passes; on the second one most checks fail. Markers replace the words of both. */
const SITES = {
  sound: { site: perfect, words: /lantern/gi },
  hostile: { site: hostile, words: new RegExp(CANARY, 'g') },
};

/** Serves a canary site over a real socket, with markers also in the status line and the raw header fields. */
export async function startCanaryServer(t: Scope, address: string, hostname: string) {
  let origin = '';
  let site: FixtureSite = perfect;
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = await answerOf(site, await readRequest(request, origin));
    response.writeHead(answer.status, HEADER_SPEECH, [...answer.headers.flat(), 'x-speech', HEADER_SPEECH]);
    response.end(answer.body);
  };
  const server = createServer((request, response) => void respond(request, response));
  const { port, close } = await listen(server, address);
  t.teardown(close);
  origin = `http://${hostname}:${port}`;
  /** Serves another site from now on. */
  const choose = (name: keyof typeof SITES): void => void (site = speak(name, origin));
  return { port, choose };
}

function speak(name: keyof typeof SITES, origin: string): FixtureSite {
  const { site, words } = SITES[name];
  const change = (text: string) =>
    text
      .replaceAll(site.origin ?? '', origin)
      .replaceAll(words, MARKER)
      .replace(`"sameAs":["${MARKER}"]`, `"sameAs":["https://${MARKER_HOST}${PATH}","https://${FOREIGN_HOST}/"]`);
  const routes = Object.entries(site.routes).map(([key, route]): [string, FixtureRoute] => [
    change(key),
    async (request) => {
      const answer = await resolveRoute(route, request);
      return typeof answer.body === 'string' ? { ...answer, body: change(answer.body) } : answer;
    },
  ]);
  return { origin, routes: Object.fromEntries(routes) };
}
