import { CHECKS } from '../../../src/scanner/checks/index.js';
import type { EvidenceKind } from '../../../src/scanner/artifacts/evidence.js';
import type { Finding } from '../../../src/scanner/verdict/finding.js';
import { isPrivateLiteral } from '../../../src/net/address.js';
import { isSameSite } from '../../../src/net/url-gate.js';
import type { Visit } from '../../../src/scanner/client/visit.js';
import { type ScanSession, scan } from '../../../src/scanner/scan/scan.js';
import { openNetworkSession } from '../../../src/scanner/scan/scanner.js';
import { page, sitemapIndex, urlset } from '../../fixtures/sites/parts.js';
import { type Door, outcomeSince } from './door.js';
import type { Paths, Reply } from './world.js';

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

const REDIRECTS = [301, 302, 303, 307, 308];
const REDIRECTS_MAX = 5;

/** Every place in what a site serves from which a scan takes an address, or might. */
export const SITE_DOORS: readonly SiteDoor[] = [
  ...redirectDoors('the home page', 'home', '/', () => ({})),
  ...redirectDoors('robots.txt', 'robots', '/robots.txt', withHome),
  ...redirectDoors('llms.txt', 'llms', '/llms.txt', withHome),
  ...redirectDoors('a sitemap', 'sitemap', '/sitemap.xml', withHome),
  ...redirectDoors('an MCP endpoint', 'mcp', '/mcp', (origin) => ({
    ...withHome(),
    '/.well-known/mcp/server-card.json': json(serverCard(`${origin}/mcp`)),
  })),
  ...(
    [
      ['the MCP server card', 'mcp', '/.well-known/mcp/server-card.json'],
      ['the ARD manifest', 'mcp', '/.well-known/ard.json'],
      ['the AI catalog', 'mcp', '/.well-known/ai-catalog.json'],
      ['the A2A agent card', 'a2a', '/.well-known/agent-card.json'],
      ['the API catalog', 'apiMetadata', '/.well-known/api-catalog'],
      ['the OpenAPI document', 'apiMetadata', '/openapi.json'],
      ['the OAuth protected resource', 'apiMetadata', '/.well-known/oauth-protected-resource'],
      ['the OAuth authorization server', 'apiMetadata', '/.well-known/oauth-authorization-server'],
      ['the OpenID configuration', 'apiMetadata', '/.well-known/openid-configuration'],
      ['llms-full.txt', 'forwardSignals', '/llms-full.txt'],
      ['the index of agent skills', 'forwardSignals', '/.well-known/agent-skills/index.json'],
      ['a page of the sample', 'structuredData', '/guide'],
    ] as const
  ).map(([what, kind, path]) =>
    siteDoor(`a redirect of ${what}`, kind, 'any', (url) => ({
      '/': home({ body: '<a href="/guide">Guide</a>' }),
      [path]: redirect(302, url),
    })),
  ),
  siteDoor('a redirect of every unknown path', 'robots', 'any', (url) => ({ '/': home(), '*': redirect(302, url) })),
  siteDoor('a redirect of a link of llms.txt', 'llmsLinks', 'any', (url) => ({
    '/': home(),
    '/llms.txt': llms('/guide'),
    '/guide': redirect(307, url),
  })),
  siteDoor('a redirect of a sitemap entry', 'sitemapEntries', 'any', (url, origin) => ({
    '/': home(),
    '/sitemap.xml': xml(urlset([[`${origin}/guide`]])),
    '/guide': redirect(308, url),
  })),
  siteDoor('a redirect for whoever asks for Markdown', 'markdown', 'any', (url) => ({
    '/': ({ accept }) => (accept.startsWith('text/markdown') ? redirect(302, url) : home()),
  })),
  siteDoor(
    "a redirect for other agents' names",
    'agentReplies',
    'none',
    (url) => ({
      '/': ({ userAgent }) => (userAgent.startsWith('AgentReadinessScan') ? home() : redirect(302, url)),
    }),
    true,
  ),
  siteDoor('a Sitemap line of robots.txt', 'sitemap', 'web', (url) => ({
    '/': home(),
    '/robots.txt': { body: `User-agent: *\nAllow: /\n\nSitemap: ${oneLine(url)}\n` },
  })),
  siteDoor('a child of a sitemap index', 'sitemapEntries', 'own', (url) => ({
    '/': home(),
    '/sitemap.xml': xml(sitemapIndex([[oneLine(url)]])),
  })),
  siteDoor('a sitemap entry', 'sitemapEntries', 'own', withEntry),
  siteDoor('robots.txt of the host of a sitemap entry', 'sitemapEntries', 'foreign', withEntry),
  siteDoor('a link of llms.txt', 'llmsLinks', 'own', (url) => ({ '/': home(), '/llms.txt': llms(oneLine(url)) })),
  // Only pages of the very same origin are read.
  siteDoor('a link of the home page', 'structuredData', 'none', (url) => ({
    '/': home({ body: `<a href="${escapeHtml(url)}">Guide</a>` }),
  })),
  siteDoor('sameAs', 'sameAs', 'public', (url, origin) => ({
    '/': home({ jsonLd: [{ ...ORGANIZATION, url: origin, sameAs: [url] }] }),
  })),
  siteDoor('the license of robots.txt', 'preferences', 'public', (url) => ({
    '/': home(),
    '/robots.txt': `User-agent: *\nAllow: /\nLicense: ${url}\n`,
  })),
  ...manifestDoors(),
  ...advertisedDoors(),
  siteDoor('what nobody follows', 'structuredData', 'none', (url, origin) => ({
    '/': {
      type: 'text/html; charset=utf-8',
      headers: { refresh: `0; url=${oneLine(url)}`, 'content-location': oneLine(url) },
      body: home({
        head: unfollowed(url),
        jsonLd: [{ ...ORGANIZATION, '@context': [url, 'https://schema.org'], '@id': url, url: origin, logo: url }],
      }),
    },
  })),
];

/** The 1st to the 5th redirect of a resource, by every status that redirects. */
function redirectDoors(what: string, kind: EvidenceKind, path: string, others: (origin: string) => Paths): SiteDoor[] {
  return Array.from({ length: REDIRECTS_MAX }, (_, before) =>
    siteDoor(`redirect ${before + 1} of ${what}`, kind, 'any', (url, origin) => {
      const chain = [path, ...Array.from({ length: before }, (__, hop) => `/hop-${hop + 1}`)];
      const targets = [...chain.slice(1), url];
      const hops = chain.map((from, hop) => [
        from,
        redirect(REDIRECTS[(hop + before) % 5] ?? 302, targets[hop] ?? url),
      ]);
      return { ...others(origin), ...(Object.fromEntries(hops) as Paths) };
    }),
  );
}

/** Addresses that the machine endpoints of a site name. */
function manifestDoors(): SiteDoor[] {
  const door = (
    name: string,
    kind: EvidenceKind,
    documents: (url: string, origin: string) => Readonly<Record<string, object>>,
  ): SiteDoor =>
    siteDoor(name, kind, kind === 'apiMetadata' ? 'web' : 'public', (url, origin) => ({
      '/': home(),
      ...Object.fromEntries(Object.entries(documents(url, origin)).map(([path, value]) => [path, json(value)])),
    }));
  const catalogEntry = { identifier: 'urn:air:site:mcp', type: 'application/mcp-server-card+json' };
  const catalog = (entry: object) => ({ specVersion: '1.0', entries: [{ ...catalogEntry, ...entry }] });
  const api = (origin: string, relations: object) => ({ linkset: [{ anchor: `${origin}/api`, ...relations }] });
  return [
    door('the endpoint of an MCP server card', 'mcp', (url) => ({
      '/.well-known/mcp/server-card.json': serverCard(url),
    })),
    door('the endpoint of an older MCP manifest', 'mcp', (url) => ({
      '/.well-known/mcp.json': { name: 'Stock', endpoint: url },
    })),
    door('the card of an AI catalog', 'mcp', (url) => ({
      '/.well-known/ai-catalog.json': catalog({ url }),
    })),
    door('the endpoint of a card within an AI catalog', 'mcp', (url) => ({
      '/.well-known/ai-catalog.json': catalog({ data: serverCard(url) }),
    })),
    door('the endpoint of a card that an AI catalog leads to', 'mcp', (url, origin) => ({
      '/.well-known/ai-catalog.json': catalog({ url: `${origin}/card.json` }),
      '/card.json': serverCard(url),
    })),
    door('the interface of an A2A agent card', 'a2a', (url) => ({
      '/.well-known/agent-card.json': agentCard(url),
    })),
    door('the interface of an older agent card', 'a2a', (url) => ({
      '/.well-known/agent.json': { ...agentCard(url), supportedInterfaces: undefined, url },
    })),
    door('service-desc of an API catalog', 'apiMetadata', (url, origin) => ({
      '/.well-known/api-catalog': api(origin, { 'service-desc': [{ href: url }] }),
    })),
    door('service-doc of an API catalog', 'apiMetadata', (url, origin) => ({
      '/.well-known/api-catalog': api(origin, { 'service-doc': [{ href: url }] }),
    })),
    siteDoor('other addresses of machine endpoints', 'apiMetadata', 'none', (url, origin) => ({
      '/': home(),
      '/.well-known/api-catalog': json(
        api(url, { item: [{ href: url }], 'api-catalog': [{ href: url }], status: [{ href: url }] }),
      ),
      '/.well-known/oauth-protected-resource': json({
        resource: origin,
        authorization_servers: [url],
        jwks_uri: url,
      }),
      '/.well-known/oauth-authorization-server': json({ issuer: origin, jwks_uri: url, token_endpoint: url }),
      '/openapi.json': json({
        openapi: '3.1.0',
        info: { title: 'A', version: '1' },
        servers: [{ url }],
        paths: { $ref: url },
      }),
    })),
  ];
}

/** Addresses that the home page advertises, each in a Link field and in an element of the head. */
function advertisedDoors(): SiteDoor[] {
  return (
    [
      ['an MCP endpoint', 'mcp', 'web', 'mcp', ''],
      ['an agent card', 'a2a', 'public', 'agent-card', ''],
      ['a Markdown version', 'markdown', 'web', 'alternate', 'text/markdown'],
    ] as const
  ).flatMap(([what, kind, reach, rel, type]) => [
    siteDoor(`${what} that a Link field names`, kind, reach, (url) => ({
      '/': {
        type: 'text/html; charset=utf-8',
        headers: { link: `<${oneLine(url)}>; rel="${rel}"${type && `; type="${type}"`}` },
        body: home(),
      },
    })),
    siteDoor(`${what} that a link element names`, kind, reach, (url) => ({
      '/': home({ head: `<link rel="${rel}"${type && ` type="${type}"`} href="${escapeHtml(url)}">` }),
    })),
  ]);
}

/** @param paths of the site; `url` is the target as the attacker writes it. @param isVerified agents' names are tried on verified sites only */
function siteDoor(
  name: string,
  kind: EvidenceKind,
  reach: Reach,
  paths: (url: string, origin: string) => Paths,
  isVerified = false,
): SiteDoor {
  const checks = CHECKS.filter(({ needs, uses }) => [...needs, ...uses].includes(kind)).slice(0, 2);
  if (checks.length === 0) throw new Error(`No check reads ${kind}, so no scan would come to this door.`);
  return {
    ...{ name, kind },
    expects: ({ url, code }, { port }) =>
      code !== 'url_invalid' && isWithinReach(reach, url, `http://site0.fixture-site.com:${port}`),
    open: async (target, world) => {
      const site = world.addSite((origin) => paths(target.url, origin));
      const conclude = outcomeSince(world, target);
      const scanned = { origin: new URL(site.origin), isOwnershipVerified: isVerified };
      const session = hasten(openNetworkSession(scanned, world.scanning));
      const { findings } = await scan(session, { checks, clock: world.scanning.clock });
      return conclude(detailsOf(findings));
    },
  };
}

/** What a finding says of the site; the rest of it is the same for all sites. */
export function detailsOf(findings: readonly Finding[]): string {
  return JSON.stringify(findings.map(({ checkId, result, errorType, detail }) => [checkId, result, errorType, detail]));
}

/** The same visit, but nobody waits between two questions to a site of this world. */
function hasten(opened: ScanSession): ScanSession {
  const { visit } = opened;
  (visit as { pause: Visit['pause'] }).pause = () => Promise.resolve();
  return opened;
}

/** A target that means the same wherever it stands, and of the kind that the door follows. */
function isWithinReach(reach: Reach, text: string, base: string): boolean {
  const url = URL.parse(text);
  if (reach === 'none' || url === null) return false;
  if (URL.parse(text, base)?.href !== url.href) return false;
  if (reach === 'any') return true;
  // What is not an address in its plain spelling is none for some of these, and nothing is lost: a redirect takes any.
  if ((reach === 'public' || reach === 'foreign') && isPrivateLiteral(url)) return false;
  const isWeb = /^https?:\/\/\S+$/i.test(text);
  return isWeb && (reach === 'web' || reach === 'public' || isSameSite(url, new URL(base)) === (reach === 'own'));
}

const ORGANIZATION = { '@context': 'https://schema.org', '@type': 'Organization', name: 'Lantern Works' };

function home(parts: Partial<Parameters<typeof page>[0]> = {}): string {
  return page({
    title: 'Lantern Works',
    body: '<h1>Lantern Works</h1><p>We build paper lanterns by hand.</p>',
    ...parts,
  });
}

function withEntry(url: string): Paths {
  return { '/': home(), '/sitemap.xml': xml(urlset([[oneLine(url)]])) };
}

function withHome(): Paths {
  return { '/': home() };
}

function unfollowed(url: string): string {
  const target = escapeHtml(url);
  const relations = [
    'canonical',
    'icon',
    'stylesheet',
    'preload',
    'prefetch',
    'preconnect',
    'dns-prefetch',
    'manifest',
    'next',
  ];
  return [
    `<meta http-equiv="refresh" content="0; url=${target}">`,
    `<meta property="og:image" content="${target}">`,
    `<script src="${target}"></script><iframe src="${target}"></iframe><img src="${target}">`,
    ...relations.map((rel) => `<link rel="${rel}" href="${target}">`),
  ].join('\n');
}

function redirect(status: number, url: string): Reply {
  return { status, headers: { location: oneLine(url) } };
}

/** Neither a header field nor a line of a file can hold a line break, which is not part of a URL either. */
function oneLine(url: string): string {
  return url.replace(/[\t\n]/g, '');
}

function json(value: object): Reply {
  return { type: 'application/json', body: JSON.stringify(value) };
}

function xml(body: string): Reply {
  return { type: 'application/xml', body };
}

function llms(url: string): Reply {
  return {
    type: 'text/markdown; charset=utf-8',
    body: `# Lantern Works\n\n> A workshop.\n\n## Pages\n\n- [Guide](<${url}>): how to\n`,
  };
}

function serverCard(url: string): object {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: 'com.fixture-site/stock',
    version: '1.2.0',
    description: 'Which lanterns are in stock.',
    remotes: [{ type: 'streamable-http', url }],
  };
}

function agentCard(url: string): object {
  return {
    name: 'Repair desk',
    description: 'Tells whether an old lantern can be repaired.',
    version: '1.0.0',
    protocolVersion: '0.3.0',
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: false },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'assess', name: 'Assess a lantern', description: 'Looks at a description.', tags: ['repair'] }],
  };
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
