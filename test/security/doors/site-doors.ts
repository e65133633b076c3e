import { CHECKS } from '../../../src/scanner/checks/index.js';
import type { EvidenceKind } from '../../../src/scanner/artifacts/evidence.js';
import type { Finding } from '../../../src/scanner/verdict/finding.js';
import { isPrivateHost } from '../../../src/net/address.js';
import { isSameSite } from '../../../src/net/url-gate.js';
import type { Visit } from '../../../src/scanner/client/visit.js';
import { type ScanSession, scan } from '../../../src/scanner/scan/scan.js';
import { openNetworkSession } from '../../../src/scanner/scan/scanner.js';
import { octetsOf } from '../../../src/scanner/trace/replay-transport.js';
import type { FixtureAnswer } from '../../support/fixture-site.js';
import { page, sitemapIndex, urlset } from '../../fixtures/sites/parts.js';
import { agentCard, openApi, serverCard as perfectServerCard } from '../../fixtures/sites/perfect.js';
import { type Door, outcomeSince } from './walk.js';
import type { Paths } from './world.js';

/** A door in what a site serves. */
export interface SiteDoor extends Door {
  /** The evidence for which it is followed. */
  readonly kind: EvidenceKind;
}

/**
 * What a door follows: any URL, one of the web, such a one on the site's own domain, or none at all; `public` and `foreign` (another
 * domain) ask for none that names a private network.
 */
type Reach = 'any' | 'web' | 'own' | 'foreign' | 'none' | 'public';

const REDIRECT_STATUSES = [301, 302, 303, 307, 308];

/** Every place from which a scan might take an address. */
export const SITE_DOORS: readonly SiteDoor[] = [
  // The 1st to the 5th redirect, by every status that redirects.
  ...REDIRECT_STATUSES.map((_, before) =>
    siteDoor(`redirect ${before + 1} of the home page`, 'home', 'any', (url) => {
      const chain = ['/', ...Array.from({ length: before }, (__, hop) => `/hop-${hop + 1}`)];
      const hops = chain.map((from, hop): [string, FixtureAnswer] => [
        from,
        redirect(REDIRECT_STATUSES[(hop + before) % 5] ?? 302, chain[hop + 1] ?? url),
      ]);
      return Object.fromEntries(hops);
    }),
  ),
  ...(
    [
      ['robots.txt', 'robots', '/robots.txt'],
      ['llms.txt', 'llms', '/llms.txt'],
      ['a sitemap', 'sitemap', '/sitemap.xml'],
      ['the MCP server card', 'mcp', '/.well-known/mcp/server-card.json'],
      ['the ARD manifest', 'mcp', '/.well-known/ard.json'],
      ['the AI catalog', 'mcp', '/.well-known/ai-catalog.json'],
      ['the A2A agent card', 'a2a', '/.well-known/agent-card.json'],
      ['the API catalog', 'apiMetadata', '/.well-known/api-catalog'],
      ['the OpenAPI document', 'apiMetadata', '/openapi.json'],
      ['the OAuth protected resource', 'apiMetadata', '/.well-known/oauth-protected-resource'],
      ['the OAuth authorization server', 'apiMetadata', '/.well-known/oauth-authorization-server'],
      ['the OpenID configuration', 'apiMetadata', '/.well-known/openid-configuration'],
      ['a page of the sample', 'structuredData', '/guide'],
      ['every unknown path', 'robots', '*'],
    ] as const
  ).map(([what, kind, path]) =>
    siteDoor(`a redirect of ${what}`, kind, 'any', (url) => ({
      '/': home({ body: '<a href="/guide">Guide</a>' }),
      [path]: redirect(302, url),
    })),
  ),
  siteDoor('a redirect of an MCP endpoint', 'mcp', 'any', (url, origin) => ({
    '/mcp': redirect(307, url),
    '/.well-known/mcp/server-card.json': json(serverCard(`${origin}/mcp`)),
  })),
  siteDoor('a redirect of a link of llms.txt', 'llmsLinks', 'any', (url) => ({
    '/llms.txt': llms('/guide'),
    '/guide': redirect(307, url),
  })),
  siteDoor('a redirect of a sitemap entry', 'sitemapEntries', 'any', (url, origin) => ({
    '/sitemap.xml': xml(urlset([[`${origin}/guide`]])),
    '/guide': redirect(308, url),
  })),
  siteDoor('a redirect for clients that want Markdown', 'markdown', 'any', (url) => ({
    '/': ({ headers }) => (headers.accept?.startsWith('text/markdown') ? redirect(302, url) : home()),
  })),
  siteDoor("a redirect for other agents' names", 'agentReplies', 'none', (url) => ({
    '/': ({ headers }) => (headers['user-agent']?.startsWith('AgentReadinessScan') ? home() : redirect(302, url)),
  })),
  siteDoor('a Sitemap line of robots.txt', 'sitemap', 'web', (url) => ({
    '/robots.txt': { body: `User-agent: *\nAllow: /\n\nSitemap: ${oneLine(url)}\n` },
  })),
  siteDoor('a child of a sitemap index', 'sitemapEntries', 'own', (url) => ({
    '/sitemap.xml': xml(sitemapIndex([[oneLine(url)]])),
  })),
  siteDoor('a sitemap entry', 'sitemapEntries', 'own', withEntry),
  siteDoor('robots.txt of the host of a sitemap entry', 'sitemapEntries', 'foreign', withEntry),
  siteDoor('a link of llms.txt', 'llmsLinks', 'own', (url) => ({ '/llms.txt': llms(oneLine(url)) })),
  // Only pages of the same origin are read.
  siteDoor('a link of the home page', 'structuredData', 'none', (url) => ({
    '/': home({ body: `<a href="${escapeHtml(url)}">Guide</a>` }),
  })),
  siteDoor('sameAs', 'sameAs', 'public', (url, origin) => ({
    '/': home({ jsonLd: [{ ...ORGANIZATION, url: origin, sameAs: [url] }] }),
  })),
  siteDoor('the license of robots.txt', 'preferences', 'public', (url) => ({
    '/robots.txt': `User-agent: *\nAllow: /\nLicense: ${url}\n`,
  })),
  manifestDoor('the endpoint of an MCP server card', 'mcp', 'public', (url) => ({
    'mcp/server-card.json': serverCard(url),
  })),
  manifestDoor('the endpoint of an older MCP manifest', 'mcp', 'public', (url) => ({
    'mcp.json': { name: 'Stock', endpoint: url },
  })),
  manifestDoor('the card of an AI catalog', 'mcp', 'public', (url) => ({ 'ai-catalog.json': aiCatalog({ url }) })),
  manifestDoor('the endpoint of a card in an AI catalog', 'mcp', 'public', (url) => ({
    'ai-catalog.json': aiCatalog({ data: serverCard(url) }),
  })),
  manifestDoor('the endpoint of a card that an AI catalog leads to', 'mcp', 'public', (url, origin) => ({
    'ai-catalog.json': aiCatalog({ url: `${origin}/.well-known/card.json` }),
    'card.json': serverCard(url),
  })),
  manifestDoor('the interface of an A2A agent card', 'a2a', 'public', (url) => ({
    'agent-card.json': { ...agentCard, supportedInterfaces: [{ ...agentCard.supportedInterfaces[0], url }] },
  })),
  manifestDoor('the interface of an older agent card', 'a2a', 'public', (url) => ({
    'agent.json': { ...agentCard, protocolVersion: '0.3.0', supportedInterfaces: undefined, url },
  })),
  ...['service-desc', 'service-doc'].map((relation) =>
    manifestDoor(`${relation} of an API catalog`, 'apiMetadata', 'web', (url, origin) => ({
      'api-catalog': { linkset: [{ anchor: `${origin}/api`, [relation]: [{ href: url }] }] },
    })),
  ),
  manifestDoor('other addresses of machine endpoints', 'apiMetadata', 'none', (url, origin) => {
    const links = { item: [{ href: url }], 'api-catalog': [{ href: url }], status: [{ href: url }] };
    return {
      'api-catalog': { linkset: [{ anchor: `${url}/api`, ...links }] },
      'oauth-protected-resource': { resource: origin, authorization_servers: [url], jwks_uri: url },
      'oauth-authorization-server': { issuer: origin, jwks_uri: url, token_endpoint: url },
      '../openapi.json': { ...openApi, servers: [{ url }], paths: { $ref: url } },
    };
  }),
  // Addresses that the home page advertises.
  ...(
    [
      ['an MCP endpoint', 'mcp', 'web', 'mcp', ''],
      ['an agent card', 'a2a', 'public', 'agent-card', ''],
      ['a Markdown version', 'markdown', 'web', 'alternate', 'text/markdown'],
    ] as const
  ).flatMap(([what, kind, reach, rel, type]) => [
    siteDoor(`${what} that a Link field names`, kind, reach, (url) => ({
      '/': {
        ...HTML,
        headers: { link: `<${fieldValue(url)}>; rel="${rel}"${type && `; type="${type}"`}` },
        body: home(),
      },
    })),
    siteDoor(`${what} that a link element names`, kind, reach, (url) => ({
      '/': home({ head: `<link rel="${rel}"${type && ` type="${type}"`} href="${escapeHtml(url)}">` }),
    })),
  ]),
  siteDoor('addresses that no scan follows', 'structuredData', 'none', (url, origin) => ({
    '/': {
      ...HTML,
      headers: { refresh: `0; url=${fieldValue(url)}`, 'content-location': fieldValue(url) },
      body: home({
        head: unfollowed(url),
        jsonLd: [{ ...ORGANIZATION, '@context': [url, 'https://schema.org'], '@id': url, url: origin, logo: url }],
      }),
    },
  })),
];

/** @param documents by their path below `/.well-known/` */
function manifestDoor(
  name: string,
  kind: EvidenceKind,
  reach: Reach,
  documents: (url: string, origin: string) => Readonly<Record<string, object>>,
): SiteDoor {
  return siteDoor(name, kind, reach, (url, origin) => {
    const files = Object.entries(documents(url, origin));
    return Object.fromEntries(
      files.map(([path, value]) => [new URL(path, `${origin}/.well-known/`).pathname, json(value)]),
    );
  });
}

/** @param paths of the site besides its home page; `url` is the target */
function siteDoor(
  name: string,
  kind: EvidenceKind,
  reach: Reach,
  paths: (url: string, origin: string) => Paths,
): SiteDoor {
  const checks = CHECKS.filter(({ needs, uses }) => [...needs, ...uses].includes(kind)).slice(0, 2);
  if (checks.length === 0) throw new Error(`No check reads ${kind}, so no scan would come to this door.`);
  return {
    ...{ name, kind },
    expects: ({ url, code }, { port }) =>
      code !== 'url_invalid' && isWithinReach(reach, url, `http://site0.fixture-site.com:${port}`),
    open: async (target, world) => {
      const site = world.addSite((origin) => ({ '/': home(), ...paths(target.url, origin) }));
      const conclude = outcomeSince(world, target);
      // Other agents' names are sent to verified sites only.
      const scanned = { origin: new URL(site.origin), isOwnershipVerified: kind === 'agentReplies' };
      const session = hasten(openNetworkSession(scanned, world.scanning));
      const { findings } = await scan(session, { checks, clock: world.scanning.clock });
      return conclude(detailsOf(findings));
    },
  };
}

/** Returns the part of the findings that depends on the site. */
export function detailsOf(findings: readonly Finding[]): string {
  return JSON.stringify(findings.map(({ checkId, result, errorType, detail }) => [checkId, result, errorType, detail]));
}

/** Removes the pauses between requests. */
function hasten(opened: ScanSession): ScanSession {
  const { visit } = opened;
  (visit as { pause: Visit['pause'] }).pause = () => Promise.resolve();
  return opened;
}

/** True if the door follows such a target, and a base URL does not change it. */
function isWithinReach(reach: Reach, text: string, base: string): boolean {
  const url = URL.parse(text);
  if (reach === 'none' || url === null) return false;
  if (URL.parse(text, base)?.href !== url.href) return false;
  if (reach === 'any') return true;
  // Some of these follow private addresses in no spelling. Redirects cover them.
  if ((reach === 'public' || reach === 'foreign') && isPrivateHost(url)) return false;
  const isWeb = /^https?:\/\/\S+$/i.test(text);
  return isWeb && (reach === 'web' || reach === 'public' || isSameSite(url, new URL(base)) === (reach === 'own'));
}

const HTML = { type: 'text/html; charset=utf-8' };
const ORGANIZATION = { '@context': 'https://schema.org', '@type': 'Organization', name: 'Lantern Works' };

function home(parts: Partial<Parameters<typeof page>[0]> = {}): string {
  return page({
    title: 'Lantern Works',
    body: '<h1>Lantern Works</h1><p>We build paper lanterns by hand.</p>',
    ...parts,
  });
}

function withEntry(url: string): Paths {
  return { '/sitemap.xml': xml(urlset([[oneLine(url)]])) };
}

function unfollowed(url: string): string {
  const target = escapeHtml(url);
  const relations = 'canonical icon stylesheet preload prefetch preconnect dns-prefetch manifest next'.split(' ');
  return [
    `<meta http-equiv="refresh" content="0; url=${target}">`,
    `<meta property="og:image" content="${target}">`,
    `<script src="${target}"></script><iframe src="${target}"></iframe><img src="${target}">`,
    ...relations.map((rel) => `<link rel="${rel}" href="${target}">`),
  ].join('\n');
}

export function redirect(status: number, url: string): FixtureAnswer {
  return { status, headers: { location: fieldValue(url) } };
}

/** URLs ignore tabs and line breaks, which headers and lines cannot contain. */
function oneLine(url: string): string {
  return url.replace(/[\t\n]/g, '');
}

/** Header fields are sent as UTF-8. */
function fieldValue(url: string): string {
  return octetsOf(oneLine(url));
}

function json(value: object): FixtureAnswer {
  return { type: 'application/json', body: JSON.stringify(value) };
}

function xml(body: string): FixtureAnswer {
  return { type: 'application/xml', body };
}

function llms(url: string): FixtureAnswer {
  return {
    type: 'text/markdown; charset=utf-8',
    body: `# Lantern Works\n\n> A workshop.\n\n## Pages\n\n- [Guide](<${url}>): how to\n`,
  };
}

function serverCard(url: string): object {
  return { ...perfectServerCard, remotes: [{ type: 'streamable-http', url }] };
}

function aiCatalog(entry: object): object {
  const type = 'application/mcp-server-card+json';
  return { specVersion: '1.0', entries: [{ identifier: 'urn:air:site:mcp', type, ...entry }] };
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
