import { FOREIGN_HOST, FOREIGN_MARKER, HEADER_SPEECH, MARKER, MARKER_HOST, PATH, SPEECH } from './marker.js';
import { html, json, ORIGIN, status, type Piece, type Variants } from './piece.js';

/** No block of JSON-LD can close its script: how JSON in HTML is written. */
const block = (value: unknown): string => json(value).replaceAll('<', '\\u003c');
const node = (type: unknown, properties: object = {}): object => ({
  '@context': 'https://schema.org',
  '@type': type,
  '@id': `#${MARKER}`,
  ...properties,
});
const data = (...nodes: readonly object[]): Piece => ({ jsonLd: nodes.map(block) });

const IDENTITY = node('Organization', {
  name: SPEECH,
  url: `${ORIGIN}/`,
  description: SPEECH,
  sameAs: [`https://${MARKER_HOST}${PATH}`, `https://x.com/${MARKER}`],
  [`${MARKER}:${MARKER}`]: SPEECH,
});
const sameAs = (...links: readonly unknown[]): Piece =>
  data(node('Organization', { name: MARKER, url: '/', sameAs: links }));
const more = (...nodes: readonly object[]): Piece => data(IDENTITY, ...nodes);
const nested = (depth: number): string =>
  '{"@context":"https://schema.org","about":'.repeat(depth) + '1' + '}'.repeat(depth);

/** Headlines and product names that no page shows. */
const UNSHOWN = 'wholly different things that nobody wrote anywhere on that page at all';

/** Nodes whose places among their neighbours are the codes of the letters of a text, the last one with a fault that is told. */
function spell(text: string): object {
  return Array.from(text).reduceRight<object>(
    (inner, letter) => ({
      '@type': 'Person',
      name: MARKER,
      knows: [...Array.from({ length: letter.charCodeAt(0) }, () => ({ '@type': 'Person', name: MARKER })), inner],
    }),
    { '@type': MARKER },
  );
}

export const DATA_VARIANTS: Variants = {
  sound: { ...data(IDENTITY), routes: { [`https://${MARKER_HOST}${PATH}`]: html('') } },
  none: {},
  unlinked: { isUnlinked: true, jsonLd: [block(IDENTITY)], pageJsonLd: [block(node('Recipe', { [MARKER]: MARKER }))] },
  inPages: { ...data(IDENTITY), pageJsonLd: [block(node('Recipe', { [MARKER]: MARKER })), `{"${MARKER}"`] },
  gapsInPages: { ...data(IDENTITY), pageJsonLd: [block(node('Recipe', { [MARKER]: MARKER }))] },
  otherMarkup: {
    body: `<div itemscope itemtype="https://schema.org/${MARKER}"><b itemprop="${MARKER}">x</b></div><div vocab="https://schema.org/" typeof="${MARKER}" property="${MARKER}">x</div>`,
  },
  otherVocabulary: data({ '@context': `https://${MARKER_HOST}/`, '@type': MARKER, [MARKER]: SPEECH }),
  broken: { jsonLd: [`{"@context": "https://schema.org", "${MARKER}": ${MARKER}}`, SPEECH, block(IDENTITY)] },
  crowded: data({
    '@context': 'https://schema.org',
    '@graph': Array.from({ length: 2_100 }, () => ({ '@type': 'Organization', name: MARKER })),
  }),
  brokenAlone: { jsonLd: [`{"@type": "${MARKER}"`] },
  brokenBesideIncomplete: { jsonLd: [`{"@type": "${MARKER}"`, block(node('Organization', { name: MARKER }))] },
  tooDeep: { jsonLd: [nested(120)] },
  tooDeepBesideOther: { jsonLd: [nested(120), block(node('Thing', { name: MARKER }))] },
  onlyInNamedGraph: data({
    '@context': { [MARKER]: { '@id': `https://${MARKER_HOST}${PATH}`, '@container': '@graph' } },
    [MARKER]: node('Organization', { name: SPEECH }),
  }),
  protoKeys: {
    jsonLd: [
      `{"@context":"https://schema.org","@type":"Organization","name":"${MARKER}","__proto__":{"text":"${MARKER}"},"constructor":"${MARKER}","toString":"${MARKER}"}`,
    ],
  },
  incomplete: data(node('Organization', { name: MARKER })),
  incompleteBesideOwnNames: data(node('Organization', { name: MARKER }), {
    ...node('Thing', { [MARKER]: MARKER }),
    '@context': ['https://schema.org', { [MARKER]: 'schema:name' }],
  }),
  noIdentity: data(node('Article', { headline: SPEECH, name: MARKER })),
  misspelt: data(node('Organisation', { name: MARKER })),
  person: data(node('Person', { jobTitle: MARKER }), node(['LocalBusiness', MARKER], { name: MARKER })),
  unknownType: more(node(MARKER), node(SPEECH), node([FOREIGN_MARKER, 'toString', '__proto__', 'Organisation'])),
  unknownProperty: more(
    node('Person', {
      name: MARKER,
      [MARKER]: MARKER,
      [SPEECH]: 1,
      nmae: MARKER,
      constructor: 1,
      [`${MARKER}-input`]: 1,
    }),
  ),
  manyMismatches: more(
    ...Array.from({ length: 9 }, (_, at) => node('Person', { name: MARKER, [`${MARKER}${at}`]: MARKER })),
  ),
  impossibleDate: more(node('Article', { headline: SPEECH, datePublished: SPEECH, dateModified: '2026-13-45' })),
  impossiblePrice: more(
    node('Product', {
      name: SPEECH,
      offers: Array.from({ length: 2 }, () => node('Offer', { price: MARKER, priceValidUntil: MARKER })),
    }),
  ),
  impossibleUrl: more(
    node('Person', { name: MARKER, url: `http://[${MARKER}`, image: `https://${MARKER}:${MARKER}/` }),
  ),
  impossibleTime: more(node('OpeningHoursSpecification', { opens: MARKER, closes: '99:99', validFrom: MARKER })),
  foreignUrl: data(node('WebSite', { name: MARKER, url: `https://${MARKER_HOST}${PATH}` })),
  foreignArticle: more(
    node('Article', { headline: SPEECH, url: `https://${FOREIGN_HOST}/` }),
    node('WebPage', { url: `https://${MARKER_HOST}/` }),
  ),
  unshown: more(
    node('Article', { headline: UNSHOWN }),
    node('Product', { name: `${UNSHOWN} ${FOREIGN_MARKER}`, offers: 1 }),
  ),
  gaps: more(
    node('Product', { [MARKER]: MARKER }),
    node('Event', { name: MARKER }),
    node('JobPosting', {}),
    node('Recipe'),
    node('VideoObject', { name: MARKER }),
    node('BreadcrumbList'),
  ),
  breadcrumbs: more(
    node('BreadcrumbList', {
      itemListElement: [
        node('ListItem', { item: PATH }),
        node('ListItem', { position: 2 }),
        MARKER,
        node('ListItem', { position: MARKER, name: MARKER }),
      ],
    }),
  ),
  questions: more(
    node('FAQPage', {
      mainEntity: [
        node('Question', { name: MARKER }),
        node('Question', { acceptedAnswer: node('Answer', { text: '' }) }),
        MARKER,
      ],
    }),
  ),
  faqEmpty: more(node('FAQPage'), node('Event', { name: MARKER, startDate: MARKER })),
  sameAsBroken: sameAs(
    MARKER,
    `${MARKER}://${MARKER}`,
    `/${MARKER}`,
    `https://${MARKER_HOST}/gone`,
    `https://${FOREIGN_HOST}/`,
  ),
  sameAsPrivate: sameAs(`http://localhost/${MARKER}`),
  sameAsWalled: sameAs(`https://www.linkedin.com/in/${MARKER}`, `https://x.com/${MARKER}`),
  sameAsUnknown: {
    ...sameAs(`https://${MARKER_HOST}/`, `https://x.com/${MARKER}`),
    routes: { [`https://${MARKER_HOST}/*`]: status(403) },
  },
  sameAsRefused: {
    ...sameAs(...Array.from({ length: 6 }, (_, at) => `https://${MARKER_HOST}/${at}`)),
    routes: { [`https://${MARKER_HOST}/*`]: status(403) },
  },
  sameAsFailing: { ...sameAs(`https://${MARKER_HOST}/`), routes: { [`https://${MARKER_HOST}/*`]: status(503) } },
  sameAsMany: {
    ...sameAs(...Array.from({ length: 9 }, (_, at) => `https://${MARKER_HOST}/${at}`)),
    routes: { [`https://${MARKER_HOST}/*`]: html('') },
  },
  sameAsNodes: sameAs(
    node('Thing', { url: MARKER }),
    { '@id': `https://${MARKER_HOST}/` },
    { '@value': MARKER },
    7,
    true,
  ),
  spelt: more({ '@context': 'https://schema.org', ...spell(MARKER) }),
  contexts: data({
    '@context': [
      'https://schema.org',
      { [MARKER]: MARKER, name: { '@id': MARKER, '@type': '@json' }, m: 'http://schema.org/' },
    ],
    '@type': MARKER,
    [MARKER]: MARKER,
    'm:nmae': MARKER,
  }),
  graph: data({
    '@context': 'http://schema.org/',
    '@graph': [
      { '@type': 'WebSite', publisher: { '@type': 'Organization', name: MARKER } },
      { '@reverse': { [MARKER]: MARKER } },
    ],
  }),
};

/** What the home page and its header fields say about access and preferences. */
export const POLICY_VARIANTS: Variants = {
  sound: { homeHeaders: { 'x-robots-tag': `${MARKER}: all, max-snippet:5`, 'content-usage': 'train-ai=n' } },
  noindexHeader: { homeHeaders: { 'x-robots-tag': ['noindex', `${MARKER}: none`] } },
  noindexMeta: { head: `<meta name="robots" content="none, ${MARKER}">` },
  noindexForOne: { head: `<meta name="googlebot" content="noindex, ${MARKER}">` },
  strangeHeader: { homeHeaders: { 'content-signal': `search=${MARKER}, ${MARKER}=yes` } },
  opposedHeaders: { homeHeaders: { 'content-signal': ['search=yes', 'search=no, ai-input=yes'] } },
  unreadableHeader: { homeHeaders: { 'content-usage': `${MARKER}; ${HEADER_SPEECH}`, 'content-signal': MARKER } },
  scripts: {
    head: `<script src="/${MARKER}.js"></script><script>navigator.modelContext.registerTool({name:'${MARKER}'})</script>`,
    routes: {
      '/llms-full.txt': `# ${SPEECH}`,
      '/.well-known/skills/index.json': json({ skills: [{ name: SPEECH }], [MARKER]: 1 }),
    },
  },
  skills: { routes: { '/.well-known/agent-skills/index.json': json({ skills: [{ name: MARKER }] }) } },
  onlySkills: { routes: { '/llms-full.txt': { type: `text/${MARKER}`, body: SPEECH } } },
};
