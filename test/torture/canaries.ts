/**
 * `make torture TORTURE=canaries`: sites put together by chance, with markers in everything that they say, scanned by the thousand. No finding
 * may have a marker, nor any word, character or number that is not of ours; no scan may fail. CANARIES_SITES (3,000) of them; CANARIES_SEED
 * plays an earlier run again. Ends with 1 when anything was wrong, after the first failure in its smallest form.
 */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { canarySite } from '../security/canaries/generated.js';
import { MARKER } from '../security/canaries/marker.js';
import { isMadeFrom, readOurWords } from '../security/canaries/our-words.js';
import { ORIGIN } from '../security/canaries/piece.js';
import { findSpeech, scanCanary } from '../security/canaries/scan-canary.js';
import { buildSite, type CanarySite, listChoices } from '../security/canaries/sites.js';

const SITES = Number(process.env.CANARIES_SITES ?? 3_000);
const SEED = Number(process.env.CANARIES_SEED ?? Math.floor(Math.random() * 2 ** 31));

const details = new Set<string>();
const outcomes = new Set<string>();
let scans = 0;

async function findSpeechOf(site: CanarySite): Promise<string[]> {
  const report = await scanCanary(site);
  scans += 1;
  for (const { text } of report.notes) details.add(text);
  for (const { checkId, errorType, result, detail } of report.findings) {
    outcomes.add(`${checkId} ${errorType ?? result}`);
    if (detail !== null) details.add(detail);
  }
  return findSpeech(report);
}

/** Just past 50 MiB when it is unpacked, which takes too long for the suite. */
function hugeSitemap(): CanarySite {
  const entry = `<url><loc>${ORIGIN}/${MARKER}</loc><!-- ${MARKER.repeat(100)} --></url>\n`;
  const body = gzipSync(`<urlset>${entry.repeat(Math.ceil(53_000_000 / entry.length))}</urlset>`);
  const { site, ...rest } = buildSite({});
  return { ...rest, name: 'huge sitemap', site: { ...site, routes: { ...site.routes, [`/${MARKER}.xml`]: { body } } } };
}

const startedMs = performance.now();
const failures: string[] = [];
for (const site of [...listChoices().map((choice) => buildSite(choice)), hugeSitemap()]) {
  for (const speech of await findSpeechOf(site)) failures.push(`${site.name}\n    ${speech}`);
}
const generated = await fc.check(
  fc.asyncProperty(canarySite, async (site) => {
    const speech = await findSpeechOf(site);
    if (speech.length > 0) throw new Error(`${site.name}\n    ${speech.join('\n    ')}`);
  }),
  { seed: SEED, numRuns: SITES },
);
if (generated.failed)
  failures.push(generated.errorInstance instanceof Error ? generated.errorInstance.message : 'failed');

const { templates } = readOurWords();
const seen = templates.filter((template) => [...details].some((detail) => isMadeFrom(detail, template)));
console.log(`seed                         ${SEED}
sites scanned                ${scans} in ${Math.round((performance.now() - startedMs) / 1000)} s
pairs of check and outcome   ${outcomes.size}
different details            ${details.size}
texts of ours seen in them   ${seen.length} of ${templates.length}
findings with a site's words ${failures.length}`);
for (const failure of failures.slice(0, 8)) console.error(failure);
process.exitCode = failures.length === 0 ? 0 : 1;
