import type { FixtureAnswer, FixtureRequest, FixtureRoute } from '../../support/fixture-site.js';
import { FOREIGN_HOST, HEADER_SPEECH, MARKER, MARKER_HOST, PATH, SPEECH } from './marker.js';

/** What one part of a canary site puts in; what it leaves out is sound. */
export interface Piece {
  /** By path or address. */
  readonly routes?: Readonly<Record<string, FixtureRoute>>;
  /** Text of the JSON-LD blocks of the home page. */
  readonly jsonLd?: readonly string[];
  readonly head?: string;
  readonly body?: string;
  readonly homeHeaders?: Readonly<Record<string, string | readonly string[]>>;
  /** In place of the home page, whoever asks. */
  readonly home?: FixtureRoute;
  /** What an agent is answered by its User-Agent; null for the page. Called again for each site. */
  readonly edge?: () => (userAgent: string, page: FixtureAnswer) => FixtureAnswer | null;
  /** What a page answers by what it is asked for; null for the page. */
  readonly negotiate?: (accept: string) => FixtureAnswer | null;
  /** The same of the pages that the home page links. */
  readonly pageJsonLd?: readonly string[];
  /** The home page links to no other page. */
  readonly isUnlinked?: true;
  readonly isOwnershipVerified?: false;
}

/** The ways in which one part of a site can be, the sound one first. */
export type Variants = Readonly<Record<string, Piece>>;

export const ORIGIN = 'https://www.fixture-aviary.com';
export const LINKED_PAGES = [`/a-${MARKER}/1`, `/b-${MARKER}`, `/c-${MARKER}.html`] as const;
export const MARKDOWN = `# ${SPEECH}\n\nA page of ${MARKER} as Markdown, which is long enough to be no stub.\n`;

export const json = (value: unknown): string => JSON.stringify(value);
export const failing = (failure: NonNullable<FixtureAnswer['failure']>): FixtureAnswer => ({ failure });
export const status = (code: number, headers: FixtureAnswer['headers'] = {}): FixtureAnswer => ({
  status: code,
  headers: { 'www-authenticate': `Bearer realm="${HEADER_SPEECH}", error="${MARKER}"`, ...headers },
  body: html(`<h1>${code}</h1>`),
});
export const redirect = (location: string): FixtureAnswer => ({ status: 302, headers: { location } });

/** A challenge page in place of what was asked for. */
export const CHALLENGE: FixtureAnswer = { status: 403, headers: { 'cf-mitigated': 'challenge' }, body: SPEECH };

/** The Location of each redirect that proves nothing: a marker as host, path, scheme and nonsense. */
export const LOCATIONS = [
  `https://${MARKER_HOST}${PATH}`,
  `https://${FOREIGN_HOST}/`,
  `${MARKER}://${MARKER}`,
  `//${MARKER}:${MARKER}@${MARKER_HOST}/`,
  `http://[${MARKER}`,
  PATH,
] as const;

/** An HTML page with markers wherever one has words. */
export function html(body: string, head = '', title: string = SPEECH): string {
  return `<!doctype html>
<!-- ${SPEECH} -->
<html lang="${MARKER}" ${MARKER}="${MARKER}">
<head><title>${title}</title>
<meta name="description" content="${escapeHtml(SPEECH)}"><meta name="${MARKER}" content="${MARKER}">
<meta property="og:${MARKER}" content="${MARKER}"><base ${MARKER}>
<link rel="${MARKER}" type="${MARKER}" title="${MARKER}" href="${PATH}">
${head}</head>
<body class="${MARKER}" onload="${MARKER}()"><!-- ${MARKER} --><h2>${escapeHtml(SPEECH)}</h2><img alt="${MARKER}" src="/${MARKER}.png">
${body}
<p>${escapeHtml(SPEECH)} ${'A sentence that every page of this site has. '.repeat(8)}</p><${MARKER.toLowerCase()}>${MARKER}</${MARKER.toLowerCase()}>
</body></html>`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** An endpoint that takes POST alone. */
export const POST_ONLY: FixtureRoute = ({ method }: FixtureRequest) => ({
  status: method === 'POST' ? 400 : 405,
  type: 'application/json',
  headers: { allow: `POST, ${MARKER}` },
  body: json({ error: SPEECH, [MARKER]: MARKER }),
});

/** An endpoint that answers JSON-RPC to POST, and 404 to everything else. */
export const JSON_RPC: FixtureRoute = ({ method }: FixtureRequest) =>
  method === 'POST'
    ? { type: 'application/json', body: json({ jsonrpc: '2.0', id: 1, result: { [MARKER]: SPEECH } }) }
    : status(404);
