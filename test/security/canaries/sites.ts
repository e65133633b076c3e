import type { FixtureAnswer, FixtureRequest, FixtureRoute, FixtureSite } from '../../support/fixture-site.js';
import { resolveRoute } from '../../support/fixture-site.js';
import { ADDRESS_TAIL, HEADER_SPEECH, MARKER, MARKER_HOST, PATH } from './marker.js';
import { API_VARIANTS } from './parts-apis.js';
import { A2A_VARIANTS, MCP_VARIANTS } from './parts-endpoints.js';
import { HOME_FAULTS, LLMS_VARIANTS, ROBOTS_VARIANTS } from './parts-files.js';
import { DATA_VARIANTS, POLICY_VARIANTS } from './parts-pages.js';
import { EDGE_VARIANTS, MARKDOWN_VARIANTS, NOWHERE_VARIANTS } from './parts-replies.js';
import { SITEMAP_VARIANTS } from './parts-sitemaps.js';
import { html, LINKED_PAGES, ORIGIN, status, type Piece, type Variants } from './piece.js';

/** What a canary site is put together from. Each part is chosen for itself. */
export const PARTS = {
  home: { sound: {}, ...HOME_FAULTS },
  llms: LLMS_VARIANTS,
  robots: ROBOTS_VARIANTS,
  sitemap: SITEMAP_VARIANTS,
  data: DATA_VARIANTS,
  policy: POLICY_VARIANTS,
  edge: EDGE_VARIANTS,
  markdown: MARKDOWN_VARIANTS,
  mcp: MCP_VARIANTS,
  a2a: A2A_VARIANTS,
  api: API_VARIANTS,
  nowhere: NOWHERE_VARIANTS,
} satisfies Record<string, Variants>;
export type PartName = keyof typeof PARTS;
export const PART_NAMES = Object.keys(PARTS) as PartName[];

/** Which variant of each part a site has; a part that is not named is sound. */
export type Choice = Readonly<Partial<Record<PartName, string>>>;

export interface CanarySite {
  readonly name: string;
  readonly site: FixtureSite;
  readonly isOwnershipVerified: boolean;
}

/** Something done to each answer as it goes out. */
export type Mutation = (answer: FixtureAnswer, url: URL) => FixtureAnswer;

export function buildSite(choice: Choice, mutate: Mutation = (answer) => answer): CanarySite {
  const pieces = PART_NAMES.map((part) => pieceOf(part, choice[part] ?? 'sound'));
  const routes: Record<string, FixtureRoute> = { '*': status(404) };
  const inner = { body: html('', scriptsOf(pieces.flatMap(({ pageJsonLd }) => pageJsonLd ?? []))) };
  for (const path of LINKED_PAGES) routes[path] = negotiating(pieces, inner);
  routes['/'] = homeRoute(pieces);
  // A path that is asked for in another way than it is written here is the same one.
  for (const piece of pieces) for (const [key, route] of Object.entries(piece.routes ?? {})) routes[keyOf(key)] = route;
  return {
    name:
      Object.entries(choice)
        .map(([part, variant]) => `${part} ${variant}`)
        .join(', ') || 'sound',
    site: {
      origin: ORIGIN,
      routes: Object.fromEntries(Object.entries(routes).map(([key, route]) => [key, salted(route, mutate)])),
    },
    isOwnershipVerified: pieces.every((piece) => piece.isOwnershipVerified !== false),
  };
}

/** Where only what stands in for absent files is asked about. */
const ABSENT: Choice = { llms: 'none', robots: 'none', sitemap: 'none', mcp: 'absent', a2a: 'absent', api: 'absent' };
/** Parts that do not hide what the others show change together; the rest while all else is sound, or absent. */
const GROUPS: readonly { readonly parts: readonly PartName[]; readonly others?: Choice }[] = [
  { parts: ['llms', 'sitemap', 'data', 'edge', 'markdown', 'mcp', 'a2a', 'api'] },
  { parts: ['robots', 'policy'] },
  { parts: ['home'] },
  { parts: ['nowhere'] },
  { parts: ['nowhere'], others: ABSENT },
];

/** What only shows where two parts meet. */
const PAIRS: readonly Choice[] = [
  { policy: 'noindexMeta', sitemap: 'none', robots: 'none', llms: 'listsHome' },
  { robots: 'withoutMap', sitemap: 'none' },
  { robots: 'admitsOne', edge: 'refusesOne' },
  { robots: 'barsAdvertised', sitemap: 'soundIndex' },
  { nowhere: 'refused', robots: 'none', llms: 'refused', sitemap: 'none', data: 'unlinked' },
  { data: 'unlinked', sitemap: 'none', robots: 'none' },
  { data: 'unlinked' },
  { nowhere: 'broken', llms: 'page' },
  { nowhere: 'home', llms: 'manyLinks' },
  { home: 'xhtmlData', sitemap: 'none', robots: 'none' },
  {
    home: 'elsewhere',
    llms: 'elsewhere',
    robots: 'elsewhere',
    sitemap: 'none',
    mcp: 'absent',
    a2a: 'absent',
    api: 'absent',
  },
];

/** Each variant of each part once: the n-th site of a group has the n-th variant of every part in it. */
export function listChoices(): Choice[] {
  const rows = GROUPS.flatMap(({ parts, others }) => {
    const length = Math.max(...parts.map((part) => Object.keys(PARTS[part]).length));
    return Array.from({ length }, (_, row): Choice => ({ ...others, ...rowOf(parts, row) }));
  });
  return [...rows, ...PAIRS];
}

function rowOf(parts: readonly PartName[], row: number): Choice {
  return Object.fromEntries(
    parts.map((part) => {
      const names = Object.keys(PARTS[part]);
      return [part, names[row % names.length] ?? 'sound'];
    }),
  );
}

function pieceOf(part: PartName, variant: string): Piece {
  const piece = (PARTS[part] as Variants)[variant];
  if (!piece) throw new Error(`${part} has no variant ${variant}`);
  return piece;
}

function keyOf(key: string): string {
  if (key.endsWith('*')) return key;
  const url = new URL(key, ORIGIN);
  return url.origin === ORIGIN ? url.pathname + url.search : url.href;
}

function homeRoute(pieces: readonly Piece[]): FixtureRoute {
  const whole = pieces.find(({ home }) => home !== undefined)?.home;
  if (whole !== undefined) return whole;
  const linked = pieces.some(({ isUnlinked }) => isUnlinked) ? [] : LINKED_PAGES;
  const links = linked.map((path) => `<a href="${path}" title="${MARKER}">${MARKER}</a>`).join(' ');
  const outside = `<a href="https://${MARKER_HOST}${PATH}">${MARKER}</a><a href="${MARKER}:${MARKER}">x</a><a href="${ADDRESS_TAIL}">y</a>`;
  const scripts = scriptsOf(pieces.flatMap(({ jsonLd }) => jsonLd ?? []));
  const head = pieces.map((piece) => piece.head ?? '').join('\n') + scripts;
  const page: FixtureAnswer = {
    headers: mergeHeaders(pieces.map(({ homeHeaders }) => homeHeaders ?? {})),
    body: html(`${links}${outside}${pieces.map((piece) => piece.body ?? '').join('\n')}`, head),
  };
  const edges = pieces.flatMap(({ edge }) => (edge ? [edge()] : []));
  const served = negotiating(pieces, page);
  return (request) => {
    const userAgent = request.headers['user-agent'] ?? '';
    for (const edge of edges) {
      const answer = edge(userAgent, page);
      if (answer) return answer;
    }
    return served(request);
  };
}

function scriptsOf(blocks: readonly string[]): string {
  return blocks.map((text) => `<script type="application/ld+json">${text}</script>`).join('\n');
}

function negotiating(pieces: readonly Piece[], page: FixtureAnswer): (request: FixtureRequest) => FixtureAnswer {
  const rules = pieces.flatMap(({ negotiate }) => negotiate ?? []);
  return ({ headers }) => {
    for (const rule of rules) {
      const answer = rule(headers.accept ?? '');
      if (answer) return answer;
    }
    return page;
  };
}

function mergeHeaders(all: readonly NonNullable<FixtureAnswer['headers']>[]): Record<string, string[]> {
  const merged: Record<string, string[]> = {};
  for (const headers of all) {
    for (const [name, values] of Object.entries(headers)) {
      merged[name] = [...(merged[name] ?? []), ...(typeof values === 'string' ? [values] : values)];
    }
  }
  return merged;
}

/** Header fields that any server may send with anything, none of which any check may repeat. */
const SALT: Readonly<Record<string, string | readonly string[]>> = {
  server: HEADER_SPEECH,
  'x-powered-by': MARKER,
  [`x-${MARKER}`]: HEADER_SPEECH,
  [MARKER]: MARKER,
  etag: `"${MARKER}"`,
  'last-modified': MARKER,
  'set-cookie': [`${MARKER}=${MARKER}; Path=/${MARKER}; Domain=${MARKER_HOST}`, `${HEADER_SPEECH}=1`],
  'content-language': MARKER,
  'content-disposition': `attachment; filename="${MARKER}"`,
  'content-location': PATH,
  'cache-control': `${MARKER}="${MARKER}"`,
  via: `1.1 ${MARKER}`,
  warning: `199 - "${MARKER}"`,
  refresh: `9999; url=/${MARKER}`,
  'strict-transport-security': MARKER,
  'alt-svc': `${MARKER}="${MARKER_HOST}:443"`,
  'content-security-policy': `report-uri /${MARKER}`,
  'retry-after': MARKER,
};

/** The lower-case name goes first: a site's own value of a field of the salt stays as it is. */
function salted(route: FixtureRoute, mutate: Mutation): FixtureRoute {
  return async (request) => {
    const answer = await resolveRoute(route, request);
    return mutate({ ...answer, headers: { ...SALT, ...answer.headers } }, request.url);
  };
}
