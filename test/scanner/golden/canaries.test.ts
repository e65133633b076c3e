import fc from 'fast-check';
import t from 'tap';
import { schemaOrg } from '../../../src/scanner/artifacts/schema-org.js';
import { FOREIGN_HOST, FOREIGN_MARKER, findMarkers, MARKER } from '../../security/canaries/marker.js';
import { findSpeech, readSources } from '../../security/canaries/find-speech.js';
import { changes, speakingSite } from '../../security/canaries/speaking-site.js';
import { FIXTURE_ORIGIN, type FixtureSite } from '../../support/fixture-site.js';
import { scanFixture } from '../../support/golden.js';
import { scanOwnSites } from '../../support/own-scans.js';
import { scriptOf } from '../checks/markup-sites.js';

/** A site with its own name wherever a detail repeats a name that we know. */
const NAMING_SITE: FixtureSite = {
  routes: {
    '/': `<!doctype html><title>Shop</title><h1>Shop</h1>${scriptOf({
      '@type': [MARKER, 'Product'],
      [MARKER]: 'soon',
      offers: { '@type': [MARKER, 'Offer'], price: 'a lot', [MARKER]: 'soon' },
    })}`,
    '/llms.txt': { type: `text/${MARKER}`, body: '# Shop\n' },
    '/.well-known/api-catalog': {
      type: 'application/linkset+json',
      body: JSON.stringify({
        linkset: [{ anchor: FIXTURE_ORIGIN, [MARKER]: [{ href: '/a' }], 'service-desc': [{ href: '/b' }] }],
      }),
    },
  },
};

/** By default the same changes each time. `make torture TORTURE=canaries` makes thousands of others; CANARIES_SEED repeats a run. */
const GENERATED_SITES = Number(process.env.CANARIES_SITES ?? 0);
const SEED = Number(process.env.CANARIES_SEED ?? Date.now() % 2 ** 31);

t.test('no finding on a fixture site or a site of the corpus repeats a word of the site', async (t) => {
  for (const { name, report } of await scanOwnSites()) t.same(findSpeech(report), [], name);
});

t.test('nor when the site speaks in its header fields and in some of its words', async (t) => {
  const sites = await scanOwnSites();
  const made = fc.sample(changes, { seed: 20260601, numRuns: sites.length });
  for (const [index, { name, site }] of sites.entries()) {
    const own = made[index] ?? [];
    t.same(findSpeech(await scanFixture(speakingSite(site, own))), [], `${name} ${JSON.stringify(own)}`);
  }
});

t.test('nor a name of the site instead of one that we know', async (t) => {
  const report = await scanFixture(NAMING_SITE);
  t.same(findSpeech(report), []);
  const details = report.findings.map(({ checkId, detail }) => `${checkId} ${detail}`).join('\n');
  for (const known of [/C-LLMS-01 .* another type/, /C-SD-02 .*price of the Offer/, /C-WK-03 .*service-desc 1/])
    t.match(details, known);
});

t.test(`nor with other changes (seed ${SEED})`, { skip: GENERATED_SITES === 0 && 'in make torture' }, async (t) => {
  const sites = (await scanOwnSites()).map(({ site }) => site);
  const speaking = fc.record({ site: fc.constantFrom(...sites), made: changes });
  await fc.assert(
    fc.asyncProperty(speaking, async ({ site, made }) => {
      const speech = findSpeech(await scanFixture(speakingSite(site, made)));
      if (speech.length > 0) throw new Error(speech.join('\n'));
    }),
    { seed: SEED, numRuns: GENERATED_SITES, endOnFailure: true },
  );
  t.pass(`${GENERATED_SITES} sites`);
});

t.test('all that a site can choose of schema.org is one name at a time, without white space', async (t) => {
  const { types, properties } = schemaOrg();
  t.same(
    [...types, ...properties].filter((name) => !/^[A-Za-z0-9]{1,60}$/.test(name)),
    [],
  );
});

t.test('nothing in the source gets past the types that keep words apart from strings', async (t) => {
  const ways = [/\bas SafeText\b/, /\bas Vocabulary\b/, /(?<!function )\bsafeText\(/, /\bgeneratedVocabulary\(/];
  const mayTrust = new Set([
    'scanner/artifacts/safe-text.ts',
    'scanner/artifacts/schema-org.ts',
    // The names of its own schemas.
    'scanner/parsers/manifests/schema.ts',
  ]);
  const others = readSources().filter(({ file }) => !mayTrust.has(file));
  for (const { file, text } of others) for (const way of ways) t.notMatch(text, way, file);
});

t.test('a marker is found in whatever way it was changed', async (t) => {
  const forms = {
    'as it is': `a ${MARKER} b`,
    'lower case': MARKER.toLowerCase(),
    'a part of it': MARKER.slice(2, 10),
    'with something between its letters': Array.from(MARKER).join('-'),
    'full width': MARKER.replaceAll(/[A-Za-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
    backwards: Array.from(MARKER).reverse().join(''),
    'percent codes': encodeURIComponent(FOREIGN_MARKER),
    'lower-case percent codes': encodeURIComponent(FOREIGN_MARKER).toLowerCase(),
    punycode: `https://${FOREIGN_HOST}/`,
    escapes: JSON.stringify(FOREIGN_MARKER).replaceAll(
      /[^\0-\x7f]/g,
      (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
    'HTML entities': Array.from(FOREIGN_MARKER, (letter) => `&#${letter.charCodeAt(0)};`).join(''),
    'hexadecimal HTML entities': Array.from(MARKER, (letter) => `&#x${letter.charCodeAt(0).toString(16)};`).join(''),
    base64: `"${Buffer.from(`12${MARKER}`).toString('base64')}"`,
    base64url: Buffer.from(`1${FOREIGN_MARKER}`).toString('base64url'),
    hexadecimal: Buffer.from(MARKER).toString('hex'),
    'quoted-printable': Array.from(Buffer.from(FOREIGN_MARKER), (byte) => `=${byte.toString(16).toUpperCase()}`).join(
      '',
    ),
    'character codes as positions': `lines ${Array.from(MARKER, (letter) => letter.charCodeAt(0)).join(', ')}`,
    'the wrong character encoding': Buffer.from(FOREIGN_MARKER).toString('latin1'),
  };
  for (const [form, text] of Object.entries(forms)) t.not(findMarkers(text).length, 0, form);
  t.same(
    findMarkers('All 6 AI agents that we check may fetch the home page. https://www.fixture-aviary.com/ 2026-06-01'),
    [],
  );
});
