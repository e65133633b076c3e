import { gzipSync } from 'node:zlib';
import type { FixtureAnswer } from '../../support/fixture-site.js';
import { FOREIGN_HOST, FOREIGN_MARKER, HEADER_SPEECH, MARKER, MARKER_HOST, PATH, SPEECH } from './marker.js';
import {
  CHALLENGE,
  failing,
  html,
  json,
  LINKED_PAGES,
  LOCATIONS,
  ORIGIN,
  redirect,
  status,
  type Piece,
  type Variants,
} from './piece.js';

/** Answers that any file can give in place of itself. */
const FAULTS = {
  absent: status(404),
  gone: status(410),
  odd: status(418),
  refused: status(403),
  unauthorized: status(401),
  legal: status(451),
  broken: status(500),
  busy: status(429, { 'retry-after': MARKER }),
  challenged: CHALLENGE,
  unfinished: status(302),
  elsewhere: redirect(LOCATIONS[0]),
  nowhere: redirect(LOCATIONS[2]),
  nonsense: redirect(LOCATIONS[4]),
  reset: failing('reset'),
  stalled: failing('stalled'),
  cut: { body: `# ${SPEECH}`, cut: true },
  garbled: { headers: { 'content-encoding': 'gzip' }, body: SPEECH },
  stacked: { headers: { 'content-encoding': `gzip, ${MARKER}` }, body: SPEECH },
  untrusted: failing('tls_untrusted'),
  page: { type: 'text/html', body: html('') },
  speech: { type: `text/${MARKER}; charset=${MARKER}`, body: SPEECH },
  empty: { body: '' },
} satisfies Record<string, FixtureAnswer>;

/** A variant for each of them at these addresses. */
export function faultsAt(paths: readonly string[], prefix = ''): Variants {
  return Object.fromEntries(
    Object.entries(FAULTS).map(([name, answer]) => [
      prefix + name,
      { routes: Object.fromEntries(paths.map((path) => [path, answer])) },
    ]),
  );
}

const LLMS = `# ${SPEECH}

> ${SPEECH}

## ${SPEECH}

- [${SPEECH}](${ORIGIN}${LINKED_PAGES[1]}): ${SPEECH}
- [${MARKER}](${LINKED_PAGES[2]} "${MARKER}")
- [${FOREIGN_MARKER}](https://${MARKER_HOST}${PATH})
`;

const llms = (body: string | Uint8Array, more: Partial<FixtureAnswer> = {}): Piece => ({
  routes: { '/llms.txt': { body, ...more } },
});
const PACKED = gzipSync(LLMS).subarray(0, -8);
const links = (count: number): string =>
  Array.from({ length: count }, (_, at) => `- [${MARKER}](/${MARKER}-${at})\n`).join('');

export const LLMS_VARIANTS: Variants = {
  sound: llms(LLMS),
  none: {},
  noType: llms(LLMS, { type: null }),
  listedType: llms(LLMS, { type: 'application/json' }),
  ownType: llms(LLMS, { type: `application/${MARKER}` }),
  htmlType: llms(LLMS, { type: 'text/html' }),
  jsonBody: llms(json({ [MARKER]: SPEECH }), { type: 'application/json' }),
  moved: { routes: { '/llms.txt': redirect(`/${MARKER}.txt`), [`/${MARKER}.txt`]: LLMS } },
  frontMatter: llms(`---\n${MARKER}: ${MARKER}\n---\n${LLMS}`),
  noUtf8: llms(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(LLMS)])),
  binary: llms(`\0${LLMS}`),
  blank: llms(' \n '),
  noHeading: llms(`${SPEECH}\n\n- [${MARKER}](/${MARKER})\n`),
  latePart: llms(`${'word '.repeat(60_000)}\n\n${LLMS}`),
  h2First: llms(`## ${MARKER}\n\n${LLMS}`),
  listsHome: llms(`${LLMS}- [${MARKER}](/)\n`),
  brokenLinks: llms(`${LLMS}- [${MARKER}]()\n- [${MARKER}](http://[${MARKER})\n`),
  bareUrls: llms(`# ${MARKER}\n\n- https://${MARKER_HOST}/\n- ${ORIGIN}${PATH}\n`),
  foreignOnly: llms(`# ${MARKER}\n\n- [${MARKER}](https://${MARKER_HOST}${PATH})\n`),
  deadLinks: llms(`${LLMS}- [${MARKER}](/${MARKER}/gone)\n- [${MARKER}](https://shop.fixture-aviary.com${PATH})\n`),
  manyLinks: { ...llms(`# ${MARKER}\n\n${links(60)}`) },
  unknownLinks: {
    routes: {
      '/llms.txt': `# ${MARKER}\n\n${links(3)}`,
      ...Object.fromEntries([0, 1, 2].map((at) => [`/${MARKER}-${at}`, status(at === 0 ? 403 : 503)])),
    },
  },
  halfUnknown: {
    routes: { '/llms.txt': `${LLMS}- [${MARKER}](/${MARKER}-0)\n`, [`/${MARKER}-0`]: failing('stalled') },
  },
  long: llms(LLMS + SPEECH.repeat(600)),
  tooLong: llms(LLMS + SPEECH.repeat(1_200)),
  pastOurLimit: llms(LLMS + SPEECH.repeat(11_000)),
  ...faultsAt(['/llms.txt']),
  endsEarly: llms(PACKED, { headers: { 'content-encoding': 'gzip', 'content-length': `${PACKED.length}` } }),
};

const RULES = `User-agent: ${MARKER}
User-agent: ${SPEECH}
Disallow: /${MARKER}/
${MARKER}: ${MARKER}
# ${SPEECH}

User-agent: *
Disallow: /${MARKER}-closed/
Allow: /*${MARKER}$
`;
const MAP_LINE = `\nSitemap: ${ORIGIN}/${MARKER}.xml\n`;

const robots = (text: string | Uint8Array, more: Partial<FixtureAnswer> = {}): Piece => ({
  routes: { '/robots.txt': { body: text, ...more } },
});

const CORE = 'User-agent: OAI-SearchBot\nUser-agent: Claude-SearchBot\nUser-agent: Bingbot\n';

export const ROBOTS_VARIANTS: Variants = {
  sound: robots(`${RULES}Content-Signal: search=yes, ai-train=no, ${MARKER}=${MARKER}\n${MAP_LINE}`),
  none: {},
  ownSignals: robots(
    `${RULES}Content-Usage: ${MARKER}=${MARKER};${MARKER}="${SPEECH}"\nContent-Signal: ${SPEECH}\n${MAP_LINE}`,
  ),
  usage: robots(`${RULES}Content-Usage: /${MARKER} train-ai=n, ${MARKER}=y\n${MAP_LINE}`),
  looseSignals: robots(`Content-Signal: ${MARKER}\n${RULES}${MAP_LINE}`),
  barsSome: robots(`${RULES}\n${CORE}Disallow: /\n${MAP_LINE}`),
  barsAll: robots(`User-agent: *\nDisallow: /\n# ${MARKER}\n${MAP_LINE}`),
  barsOthers: robots(`User-agent: *\nDisallow: /\nAllow: /$\n${MAP_LINE}`),
  barsNoted: robots(`${RULES}\nUser-agent: Applebot\nUser-agent: DuckAssistBot\nDisallow: /\n${MAP_LINE}`),
  barsTried: robots(`${RULES}\nUser-agent: PerplexityBot\nDisallow: /\n${MAP_LINE}`),
  omits: robots(`User-agent: *\nDisallow: /${MARKER}\nDisallow: /x\n\n${CORE}Disallow: /${MARKER}-2\n${MAP_LINE}`),
  opposed: robots(`User-agent: *\nDisallow: /\nAllow: /\n\nUser-agent: Bingbot\nAllow: /\nDisallow: /\n${MAP_LINE}`),
  barsAdvertised: robots(`${RULES}\n${CORE}Disallow: /llms.txt\nDisallow: ${LINKED_PAGES[1]}\n${MAP_LINE}`),
  opposedSignals: robots(
    `User-agent: *\nContent-Signal: search=yes\nContent-Signal: search=no, ai-train=no\nAllow: /\n${MAP_LINE}`,
  ),
  strangeSignals: robots(`User-agent: *\nContent-Signal: search=${MARKER}, ai-input=${SPEECH}\nAllow: /\n${MAP_LINE}`),
  invitesBarred: robots(`User-agent: *\nContent-Signal: search=yes, ai-input=yes\nDisallow: /\n${MAP_LINE}`),
  tooLarge: robots(`${`# ${SPEECH}\n`.repeat(4_500)}${RULES}`),
  tooLargeAndBarring: robots(`User-agent: *\nDisallow: /\n${`# ${SPEECH}\n`.repeat(4_500)}Disallow: /${MARKER}\n`),
  noUtf8: robots(Buffer.concat([Buffer.from(RULES), Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from(MAP_LINE)])),
  utf16: robots(Buffer.from(RULES, 'utf16le'), { type: `text/plain; charset=${MARKER}` }),
  withoutMap: robots(RULES),
  manyWildcards: robots(`User-agent: *\nDisallow: /\n${`Allow: /*${MARKER}-of-no-page\n`.repeat(12_000)}`),
  manySignals: robots(`${RULES}\n${`Content-Signal: ${MARKER}\n`.repeat(1_001)}`),
  pastOurLimit: robots(`User-agent: *\n#${MARKER.repeat(100_000)}\nDisallow:\n`),
  badMapLines: robots(`${RULES}\nSitemap: ${MARKER}\nSitemap: ${SPEECH}\nSitemap: ftp://${MARKER_HOST}/\n`),
  manyMapLines: robots(
    `${RULES}\nSitemap: ${MARKER}\nSitemap: /${MARKER}\nSitemap: https://${FOREIGN_HOST}/${MARKER}\n${MAP_LINE}`,
  ),
  ...faultsAt(['/robots.txt']),
  admitsOne: robots(`User-agent: *\nDisallow: /\n\nUser-agent: PerplexityBot\nDisallow: /${MARKER}\n${MAP_LINE}`),
  inCircle: { routes: { '/robots.txt': redirect('/robots.txt') } },
  manyGroups: robots(`User-agent: ${MARKER}\nDisallow: /x\n`.repeat(1_001)),
};

const PLAIN_ORIGIN = ORIGIN.replace('https', 'http');

/** What the home page answers in place of itself; most of it ends the run there. */
export const HOME_FAULTS: Variants = {
  ...Object.fromEntries(Object.entries(FAULTS).map(([name, home]) => [name, { home }])),
  ...Object.fromEntries(
    (
      [
        ...[
          'name_not_found',
          'dns_failed',
          'dns_silent',
          'connect_failed',
          'connect_timeout',
          'tls_expired',
          'tls_wrong_host',
          'tls_outdated',
          'tls_failed',
        ],
        ...[
          'cut_off',
          'headers_too_large',
          'bad_protocol',
          'redirect_loop',
          'target_refused',
          'budget_spent',
          'run_deadline',
        ],
      ] as const
    ).map((failure) => [
      failure,
      { home: failing(failure), routes: { [`${PLAIN_ORIGIN}/*`]: failing('connect_failed') } },
    ]),
  ),
  plainOnly: { home: failing('tls_untrusted'), routes: { [`${PLAIN_ORIGIN}/`]: html('') } },
  plainLeads: {
    home: failing('tls_untrusted'),
    routes: {
      [`${PLAIN_ORIGIN}/`]: redirect('https://fixture-aviary.com/'),
      'https://fixture-aviary.com/': html(''),
    },
  },
  json: { home: { type: 'application/json', body: json({ [MARKER]: SPEECH }) } },
  loop: { home: redirect('/') },
  xhtml: { home: { type: 'application/xhtml+xml', body: html('') } },
  xhtmlData: {
    home: {
      type: 'application/xhtml+xml',
      body: html(`<script type="application/ld+json">{"@context":"https://schema.org","@type":"Offer"}</script>`),
    },
  },
  otherPort: {
    home: redirect(`${ORIGIN}:8443/${MARKER}`),
    routes: { [`${ORIGIN}:8443/*`]: failing('connect_failed') },
  },
  otherPath: { home: redirect(`/${MARKER}/moved`), routes: { [`/${MARKER}/moved`]: failing('reset') } },
  refusedTarget: { home: redirect(`https://${MARKER_HOST.replace('.com', '.internal')}${PATH}`) },
  ...Object.fromEntries(
    LOCATIONS.map((location, at) => [
      `location-${at}`,
      { home: redirect(location), routes: { [`https://${MARKER_HOST}/*`]: html('') } },
    ]),
  ),
  vercel: { home: status(429, { 'x-vercel-mitigated': MARKER }) },
  aws: { home: status(405, { 'x-amzn-waf-action': MARKER }) },
  siteGround: { home: status(202, { 'sg-captcha': MARKER }) },
  imperva: { home: { body: `${MARKER} Request unsuccessful. Incapsula incident ID: ${MARKER}` } },
  sucuri: { home: status(403, { 'x-sucuri-block': HEADER_SPEECH }) },
  anubis: { home: { body: `<title>${MARKER}</title><p id="anubis_challenge">${MARKER}</p>` } },
  dataDome: { home: { body: `<script>var dd={'${MARKER}':1}</script>captcha-delivery.com` } },
};
