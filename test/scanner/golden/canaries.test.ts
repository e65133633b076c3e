import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import t from 'tap';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import type { Check } from '../../../src/scanner/verdict/check.js';
import { schemaOrg } from '../../../src/scanner/artifacts/schema-org.js';
import type { ScanReport } from '../../../src/scanner/scan/scan.js';
import { scanOwnSites } from '../../support/own-scans.js';
import { canarySite } from '../../security/canaries/generated.js';
import { FOREIGN_HOST, FOREIGN_MARKER, findMarkers, MARKER } from '../../security/canaries/marker.js';
import { isMadeFrom, readOurWords, readSources } from '../../security/canaries/our-words.js';
import { ORIGIN } from '../../security/canaries/piece.js';
import { findSpeech, scanCanary } from '../../security/canaries/scan-canary.js';
import { buildSite, listChoices } from '../../security/canaries/sites.js';

/** The same sites each time. `make torture TORTURE=canaries` takes thousands of others; CANARIES_SEED repeats one of its runs. */
const GENERATED_SITES = Number(process.env.CANARIES_SITES ?? 20);
const isLong = GENERATED_SITES > 20;
const SEED = Number(process.env.CANARIES_SEED ?? (isLong ? Date.now() % 2 ** 31 : 20260601));

/** Texts that no site of this list brings about, and why; none of them has anything of a site in it. */
const UNSEEN: Readonly<Record<string, string>> = {
  ' is larger than 50 MiB (52,428,800 bytes) uncompressed.': 'too much work for a quick test',
  'The run reached its time limit before this was fetched, because the site is slow. Run again later.':
    'takes real time',
  'it is too large or too slow to be read in the time for one file': 'takes real time',
  'this site returns success for every address, so we cannot tell whether the file exists':
    'every reader can tell its kind of file',
  'the scanner has no free connections': 'a fault of our own machine, which no site brings about',
  'the run has used up its requests to other sites': 'no site of this list has more than ten',
  'the chosen page': 'its owner chooses it, or a person at the command line, and no site',
  'chosen page ': 'likewise, by its place in their list',
  "neither the vendor's other agents nor Googlebot were served, so the server may verify agents by IP address":
    'an invented name is refused there as well, which is the reason given',
  'About : ': 'no site of this list has a valid card of a catalog that a note is about',
  'is not an A2A agent card': 'told as "no agent is announced"',
};

const details = new Set<string>();
const outcomes = new Set<string>();

t.test('nothing of a site is in a finding, whatever each of its parts is like', async (t) => {
  for (const choice of listChoices()) {
    const site = buildSite(choice);
    const report = await scanCanary(site);
    t.same(findSpeech(report), [], site.name);
    collectDetails(report);
    for (const { checkId, errorType, result } of report.findings) outcomes.add(`${checkId} ${errorType ?? result}`);
  }
});

t.test('nor of a fixture site or a site of the corpus', async (t) => {
  for (const { name, report } of await scanOwnSites()) {
    t.same(findSpeech(report), [], name);
    collectDetails(report);
  }
});

function collectDetails({ findings, notes }: ScanReport): void {
  for (const { detail } of findings) if (detail !== null) details.add(detail);
  for (const { text } of notes) details.add(text);
}

t.test('these sites bring about every error type and result of every check', async (t) => {
  for (const check of CHECKS as readonly Check[]) {
    for (const outcome of [...check.errorTypes, 'PASS', 'UNDETERMINED', 'NOT_APPLICABLE']) {
      const name = `${check.id} ${outcome}`;
      t.ok(outcomes.has(name), name);
    }
  }
});

t.test('and every text that a detail can be made of', async (t) => {
  for (const template of readOurWords().templates) {
    const isSeen = [...details].some((detail) => isMadeFrom(detail, template));
    t.equal(isSeen, !(template.parts.join('') in UNSEEN), `${template.place}: ${template.parts.join('…')}`);
  }
});

t.test(`nor of a site that is put together by chance (seed ${SEED})`, async (t) => {
  await fc.assert(
    fc.asyncProperty(canarySite, async (site) => {
      const speech = findSpeech(await scanCanary(site));
      if (speech.length > 0) throw new Error([site.name, ...speech].join('\n'));
    }),
    { seed: SEED, numRuns: GENERATED_SITES, endOnFailure: true },
  );
  t.pass(`${GENERATED_SITES} sites`);
});

/** Just past 50 MiB when it is unpacked. */
t.test('nor of a sitemap that is too large', { skip: !isLong && 'takes long' }, async (t) => {
  const entry = `<url><loc>${ORIGIN}/${MARKER}</loc><!-- ${MARKER.repeat(100)} --></url>\n`;
  const body = gzipSync(`<urlset>${entry.repeat(Math.ceil(53_000_000 / entry.length))}</urlset>`);
  const { site, ...rest } = buildSite({});
  const huge = { ...rest, site: { ...site, routes: { ...site.routes, [`/${MARKER}.xml`]: { body } } } };
  t.same(findSpeech(await scanCanary(huge)), []);
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
  for (const { file, text } of readSources()) {
    if (!mayTrust.has(file))
      t.notOk(
        ways.some((way) => way.test(text)),
        file,
      );
  }
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
