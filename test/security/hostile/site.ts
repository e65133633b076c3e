import type { Socket } from 'node:net';
import { page, urlset } from '../../fixtures/sites/parts.js';
import { answerOf, type FixtureRequest, type FixtureRoute } from '../../support/fixture-site.js';
import { type Behave, type HostileKind, startHost, type WireRequest } from './host.js';

/** Answers by path, as in the fixture sites; `*` is any other path. */
export type Routes = Readonly<Record<string, FixtureRoute>>;

const LEAVES = Array.from({ length: 40 }, (_, index) => `/page-${index}`);

/** A correct site that leads a scan to as many addresses as it ever visits. */
export const GOOD_ROUTES: Routes = {
  '/': ({ url }) => homePage(url.origin),
  '/robots.txt': ({ url }) => `User-agent: *\nAllow: /\n\nSitemap: ${url.origin}/sitemap.xml\n`,
  '/sitemap.xml': ({ url }) => urlset(LEAVES.map((path) => [url.origin + path, '2026-01-01'])),
  '/llms.txt': ({ url }) =>
    `# Good site\n\n> A site in order.\n\n## Pages\n\n${LEAVES.map((path) => `- [Page](${url.origin}${path}): text\n`).join('')}`,
  ...Object.fromEntries(LEAVES.map((path) => [path, leafPage])),
};

/** The paths that name all the others. */
export const GOOD_GUIDES: readonly string[] = ['/', '/robots.txt', '/sitemap.xml', '/llms.txt'];

function homePage(origin: string): string {
  const links = LEAVES.map((path) => `<a href="${path}">Page</a>`).join('\n');
  const sameAs = LEAVES.slice(0, 5).map((path) => `${origin}${path}?same`);
  return page({
    title: 'Good site',
    body: `<h1>Good site</h1>\n${links}`,
    jsonLd: [{ '@context': 'https://schema.org', '@type': 'Organization', name: 'Good site', url: origin, sameAs }],
  });
}

function leafPage({ url: { pathname } }: FixtureRequest): string {
  return page({ title: pathname, body: `<h1>${pathname}</h1><p>Some text.</p><a href="/">Home</a>` });
}

/** A kind whose harm is in what these paths serve. All other paths are those of the good site, so that a scan goes on. */
export function siteKind(name: string, routes: () => Routes): HostileKind {
  return { name, yields: 'anything', start: () => startHost(answering({ ...GOOD_ROUTES, ...routes() })) };
}

/** Answers by routes. */
export function answering(routes: Routes): Behave {
  return (socket, request) => void sendAnswer(routes, socket, request);
}

async function sendAnswer(routes: Routes, socket: Socket, { path, ...request }: WireRequest): Promise<void> {
  const origin = `http://${request.headers.host ?? 'nowhere.hostile-site.com'}`;
  const { status, headers, body } = await answerOf({ origin, routes }, { url: new URL(path, origin), ...request });
  const lines = headers.map(([field, value]) => `${field}: ${value}\r\n`).join('');
  socket.write(`HTTP/1.1 ${status} Answer\r\n${lines}content-length: ${body.length}\r\n\r\n`, 'latin1');
  socket.write(body);
}
