import { gzipSync } from 'node:zlib';
import type { FixtureAnswer, FixtureRoute } from '../../support/fixture-site.js';
import { FOREIGN_HOST, MARKER, MARKER_HOST, PATH, SPEECH } from './marker.js';
import { faultsAt } from './parts-files.js';
import { CHALLENGE, failing, html, LINKED_PAGES, ORIGIN, status, type Piece, type Variants } from './piece.js';

const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const xml = (root: string, inner: string, attributes = NAMESPACE): string =>
  `<?xml version="1.0" encoding="UTF-8"?><!-- ${MARKER} --><?${MARKER} ${MARKER}?>\n<${root} ${attributes} ${MARKER}="${MARKER}">${inner}</${root}>`;
const entry = (loc: string, more = '', element = 'url'): string =>
  `<${element}><loc>${loc}</loc><${MARKER}:x>${MARKER}</${MARKER}:x>${more}</${element}>\n`;
const date = (value: string): string => `<lastmod>${value}</lastmod>`;
const ENTRIES = [`${ORIGIN}/`, ...LINKED_PAGES.map((path) => ORIGIN + path)]
  .map((loc) => entry(loc, date('2026-05-01')))
  .join('');

const PACKED = gzipSync(xml('urlset', ENTRIES));
const framed = (body: Uint8Array): FixtureAnswer => ({ body, headers: { 'content-length': `${body.length}` } });

/** Compressed data that ends elsewhere each time. */
function shrinking(): () => FixtureAnswer {
  let missing = 8;
  return () => framed(PACKED.subarray(0, -(missing += 1)));
}

const OWN_MAP = `/${MARKER}.xml`;
const DEFAULTS = ['/sitemap.xml', '/sitemap_index.xml', '/sitemap.xml.gz'];
/** The map that robots.txt names, which nothing else stands in for. */
const map = (route: FixtureRoute, more: Piece['routes'] = {}): Piece => ({ routes: { [OWN_MAP]: route, ...more } });
const index = (children: Readonly<Record<string, FixtureRoute | null>>): Piece =>
  map(
    xml(
      'sitemapindex',
      Object.keys(children)
        .map((path) => entry(ORIGIN + path, '', 'sitemap'))
        .join(''),
    ),
    Object.fromEntries(Object.entries(children).flatMap(([path, route]) => (route === null ? [] : [[path, route]]))),
  );
const child = (name: string): string => `/${MARKER}-${name}.xml`;

export const SITEMAP_VARIANTS: Variants = {
  sound: map(xml('urlset', ENTRIES)),
  atDefault: { routes: { '/sitemap.xml': xml('urlset', ENTRIES) } },
  noNamespace: map(xml('urlset', ENTRIES, `xmlns="https://${MARKER_HOST}/${MARKER}"`)),
  doctype: map(`<!DOCTYPE ${MARKER} [<!ENTITY ${MARKER} "${MARKER}">]>${xml('urlset', ENTRIES)}`),
  lateDeclaration: map(` \n${xml('urlset', ENTRIES)}`),
  malformed: map(xml('urlset', `${ENTRIES}<${MARKER}><${MARKER}`)),
  badEntity: map(xml('urlset', entry(`${ORIGIN}/&${MARKER};`))),
  wrongRoot: map(xml(MARKER, ENTRIES)),
  noEntries: map(xml('urlset', `<${MARKER}/>`)),
  noList: map(`${SPEECH}\n${MARKER}`),
  badBytes: map({
    body: Buffer.concat([
      Buffer.from(`<urlset ${NAMESPACE}><url><loc>${ORIGIN}/${MARKER}`),
      Buffer.from([0xff, 0xc0]),
      Buffer.from(`${MARKER}</loc></url></urlset>`),
    ]),
  }),
  tooDeep: map(xml('urlset', `<${MARKER}>`.repeat(90))),
  textList: map({ type: 'text/plain', body: [`${ORIGIN}/`, ...LINKED_PAGES.map((path) => ORIGIN + path)].join('\n') }),
  rss: map(
    `<?xml version="1.0"?><rss version="${MARKER}"><channel><title>${MARKER}</title><item><title>${MARKER}</title><link>${ORIGIN}${LINKED_PAGES[0]}</link></item></channel></rss>`,
  ),
  atom: map(
    `<feed xmlns="http://www.w3.org/2005/Atom"><title>${MARKER}</title><entry><title>${MARKER}</title><link href="${ORIGIN}${LINKED_PAGES[0]}"/></entry></feed>`,
  ),
  unusable: map(xml('urlset', `${ENTRIES}${entry(MARKER)}${entry(`${MARKER}://${MARKER}`)}${entry(`/${MARKER}`)}`)),
  crowded: map(
    xml(
      'urlset',
      `${ENTRIES}<url><loc>${ORIGIN}/${MARKER}</loc><loc>${ORIGIN}${LINKED_PAGES[0]}</loc><loc>${MARKER}</loc></url>`,
    ),
  ),
  crowdedOnce: map(
    xml('urlset', `${ENTRIES}<url><loc>${ORIGIN}/${MARKER}</loc><loc>${ORIGIN}${LINKED_PAGES[0]}</loc></url>`),
  ),
  badDates: map(
    xml('urlset', `${ENTRIES}${entry(`${ORIGIN}${LINKED_PAGES[0]}`, date(SPEECH.replaceAll(/[<&]/g, '')))}`),
  ),
  futureDates: map(xml('urlset', `${ENTRIES}${entry(`${ORIGIN}${LINKED_PAGES[0]}`, date('2199-01-01'))}`)),
  dead: map(xml('urlset', `${ENTRIES}${entry(`${ORIGIN}/${MARKER}/gone`)}`)),
  unknown: map(
    xml('urlset', [1, 2, 3].map((at) => entry(`${ORIGIN}/${MARKER}-busy-${at}`)).join('')),
    Object.fromEntries([1, 2, 3].map((at) => [`/${MARKER}-busy-${at}`, status(503)])),
  ),
  foreign: map(
    xml('urlset', `${ENTRIES}${entry(`https://${MARKER_HOST}${PATH}`)}${entry(`https://${FOREIGN_HOST}/`)}`),
    {
      [`https://${MARKER_HOST}/robots.txt`]: `User-agent: ${MARKER}\nSitemap: https://${MARKER}.com/\n`,
    },
  ),
  foreignPermitted: map(xml('urlset', `${ENTRIES}${entry(`https://${MARKER_HOST}/`)}`), {
    [`https://${MARKER_HOST}/robots.txt`]: `Sitemap: ${ORIGIN}${OWN_MAP}\n`,
  }),
  otherHost: map(xml('urlset', `${ENTRIES}${entry(`https://shop.fixture-aviary.com${PATH}`)}`), {
    'https://shop.fixture-aviary.com/*': html(''),
  }),
  tooMany: map(xml('urlset', `<url><loc>${ORIGIN}/${MARKER}</loc></url>`.repeat(50_001))),
  soundIndex: index({ [child('one')]: xml('urlset', ENTRIES), [child('two')]: xml('urlset', ENTRIES) }),
  brokenIndex: index({
    [child('nested')]: xml('sitemapindex', entry(`${ORIGIN}/${MARKER}`, '', 'sitemap')),
    [child('gone')]: status(404),
    [child('refused')]: status(403),
  }),
  failingIndex: index({
    [child('failing')]: status(500),
    [child('stalled')]: failing('stalled'),
    [child('bad')]: `<${MARKER}`,
  }),
  unknownIndex: index({
    [child('busy')]: status(429),
    [child('cut')]: { body: xml('urlset', ENTRIES), cut: true },
    [child('fine')]: xml('urlset', entry(MARKER)),
  }),
  allUnknownIndex: index({ [child('busy')]: status(429), [child('challenged')]: CHALLENGE }),
  none: {},
  tooManyInChild: index({ [child('many')]: xml('urlset', `<url><loc>${ORIGIN}/${MARKER}</loc></url>`.repeat(50_001)) }),
  nothing: { routes: Object.fromEntries(DEFAULTS.map((path) => [path, status(404)])) },
  ...faultsAt([OWN_MAP]),
  ...faultsAt(['/sitemap.xml'], 'default-'),
  utf16: map({
    type: 'text/plain',
    body: Buffer.from(`\uFEFF${[`${ORIGIN}/`, ...LINKED_PAGES.map((path) => ORIGIN + path)].join('\n')}`, 'utf16le'),
  }),
  endsEarly: map(framed(PACKED.subarray(0, -8))),
  endsElsewhere: map(shrinking()),
};
