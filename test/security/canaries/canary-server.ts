import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerOf, type FixtureAnswer } from '../../support/fixture-site.js';
import type { Scope } from '../../support/service.js';
import { HEADER_SPEECH } from './marker.js';
import { ORIGIN } from './piece.js';
import { buildSite, type Choice } from './sites.js';

export interface CanaryServer {
  readonly port: number;
  /** Which variants of its parts the site has from now on. */
  choose(choice: Choice): void;
}

/** Serves a canary site over a real socket: with markers in the status line and the raw header fields, too. */
export async function startCanaryServer(t: Scope, address: string, hostname: string): Promise<CanaryServer> {
  let origin = '';
  const ownAddresses = (answer: FixtureAnswer): FixtureAnswer => ({
    ...answer,
    ...(typeof answer.body === 'string' && { body: answer.body.replaceAll(ORIGIN, origin) }),
  });
  let site = buildSite({}, ownAddresses).site;
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(ORIGIN + (request.url ?? '/'));
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const answer = await answerOf(site, { url, method: request.method ?? 'GET', headers });
    const fields = answer.headers.flatMap(([name, value]) => (value === '' ? [] : [name, value]));
    response.writeHead(answer.status, HEADER_SPEECH, fields);
    response.end(answer.body);
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  t.teardown(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const { port } = server.address() as AddressInfo;
  origin = `http://${hostname}:${port}`;
  return { port, choose: (choice) => void ({ site } = buildSite(choice, ownAddresses)) };
}
