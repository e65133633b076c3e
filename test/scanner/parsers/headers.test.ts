import t from 'tap';
import {
  isUnindexedByMeta,
  isUnindexedByTag,
  parseContentSignal,
  parseContentUsage,
  parseLinkHeaders,
} from '../../../src/scanner/parsers/headers.js';

t.test('Content-Usage is a dictionary whose last Tokens y and n count (RFC 9651, vocab-08)', async (t) => {
  const saysNothing = [
    'train-ai=y, train-ai',
    'search="n"',
    'train-ai=?0',
    'train-ai=(n)',
    'train-ai=N',
    'genai=n',
    '',
  ];
  const broken = ['Train-AI=n', 'ai-use=n, !!=y', '/caf\u00e9 search=n,', 'search=:%:'];
  const cases: Record<string, string> = {
    'train-ai=n': 'train-ai=n',
    'ai-use=y;q="a,b", search=n': 'ai-use=y search=n',
    'train-ai;allow=n, train-ai=y': 'train-ai=y',
    '/press/ ai-use=n': '/press/ ai-use=n',
    '/press/': '/press/ ',
    [`search=n;a=${'b'.repeat(4_100)}`]: 'cut',
    ...Object.fromEntries(saysNothing.map((value) => [value, ''])),
    ...Object.fromEntries(broken.map((value) => [value, 'broken'])),
  };
  for (const [value, expected] of Object.entries(cases)) {
    const reading = parseContentUsage(value, true);
    const read = reading.kind === 'read' ? [...reading.preferences].map((pair) => pair.join('=')).join(' ') : '';
    const path = reading.kind === 'read' && reading.path !== null ? `${reading.path} ` : '';
    t.equal(reading.kind === 'read' ? path + read : reading.kind, expected, value.slice(0, 40));
  }
  t.equal(parseContentUsage('/a train-ai=n', false).kind, 'broken', 'a header has no path');
});

t.test('Content-Signal', async (t) => {
  const cases = [
    ['search=yes, ai-train=no', 'search=yes ai-train=no', true],
    [' Search = YES ', 'search=yes', true],
    ['/blog/ ai-input=no', 'ai-input=no', true],
    ...['ai-train=maybe', 'all=yes', 'use=reference', 'search=y', ''].map((value) => [value, value, false] as const),
  ] as const;
  for (const [value, signals, isUsable] of cases) {
    const read = parseContentSignal(value);
    t.equal(read.signals.map((signal) => `${signal.name}=${signal.value}`).join(' '), signals, value);
    t.equal(read.isUsable, isUsable, value);
  }
  t.equal(parseContentSignal('/ai-ok/ ai-train=yes').path, '/ai-ok/');
});

t.test('Link (RFC 8288)', async (t) => {
  const fields = [
    '</catalog>; rel="API-Catalog  service-desc"; type="application/json"; rel=late, <b?x=1,2>;rel=next; title="a, <b>; \\" c"',
    ...['garbage', '<open', '<http://[>; rel=x'],
  ];
  const links = parseLinkHeaders(fields, new URL('https://www.fixture-site.com/docs/'));
  const read = links.map(({ rel, type, url }) => `${rel.join(' ')} ${type} ${url?.href ?? null}`);
  t.strictSame(read, [
    'api-catalog service-desc application/json https://www.fixture-site.com/catalog',
    'next null https://www.fixture-site.com/docs/b?x=1,2',
    'x null null',
  ]);
});

t.test('noindex in X-Robots-Tag and in a meta element', async (t) => {
  const crawlers = new Set(['googlebot']);
  const tags = {
    true: [
      ...['noindex', 'nofollow, NOINDEX', 'none', 'googlebot: nofollow, noindex'],
      'unavailable_after: 25 Jun 2030 15:00:00 PST, noindex',
    ],
    false: ['otherbot: noindex', 'otherbot: nofollow, noindex', 'max-snippet: 50, noarchive', ''],
  };
  for (const [isUnindexed, values] of Object.entries(tags))
    for (const value of values) t.equal(String(isUnindexedByTag(value, crawlers)), isUnindexed, value);
  t.ok(isUnindexedByMeta('NOINDEX, follow'));
  t.notOk(isUnindexedByMeta('index, follow, max-image-preview:none'));
});
