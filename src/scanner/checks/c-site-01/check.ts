import { cSite01Failures } from './failures.js';
import { cSite01Notes } from './notes.js';
import { defineCheck } from '../../verdict/check.js';
import { describeFailure } from '../../artifacts/resource.js';
import type { SitemapPlace, SitemapProblem, SitemapSearch, SitemapTry } from '../../artifacts/sitemaps.js';
import { SITEMAP_KINDS, SITEMAP_PROBLEMS } from '../../artifacts/sitemaps.js';
import { fail, notApplicable, pass, undetermined } from '../../verdict/verdict.js';
import type { SafeText } from '../../artifacts/safe-text.js';
import { count, joinSafeText, lineOf, listSafeText, sentences, term, safeText } from '../../artifacts/safe-text.js';

/**
 * Is there a sitemap that a reader can find and parse? robots.txt lines come first, since they announce sitemaps (sitemaps.org,
 * "Informing search engine crawlers"); a default location counts only if none of them works. MISSING means that nothing at all
 * was found: a file that exists but cannot be read is reported with its own defect. A failure at an unannounced location does not
 * prove that a sitemap exists, so it is never BLOCKED, UNREACHABLE or TIMEOUT.
 */
export const cSite01 = defineCheck({
  id: 'C-SITE-01',
  revision: 2,
  pillar: 'A',
  scored: true,
  title: 'A sitemap can be found and read',
  shortName: 'Sitemap',
  answer: 'A sitemap is there, and it can be read.',
  explanation:
    'A sitemap lists the pages that you want found, so search engines and agents need not discover them link by link. We try the sitemaps that robots.txt names, then /sitemap.xml, /sitemap_index.xml and /sitemap.xml.gz, until one works. XML sitemaps and indexes, RSS, Atom and plain lists of URLs all count, compressed or not, with any Content-Type.',
  judgedBy: ['sitemaps'],
  failures: cSite01Failures,
  examples: () => import('./examples.js'),
  notes: cSite01Notes,
  needs: ['sitemap'],
  judge({ sitemap }) {
    if (sitemap.found) return pass(describeFound(sitemap));
    const seen = sentences(safeText`No sitemap can be read: ${describeTries(sitemap.tries)}`);
    if (sitemap.isRobotsUnread) {
      return undetermined(sentences(safeText`robots.txt, which may name a sitemap, could not be read.`, seen));
    }
    if (sitemap.tries.some(({ outcome }) => outcome.kind === 'unknown')) return undetermined(seen);

    const refusal = sitemap.tries.map(fetchCause).find((cause) => cause !== null);
    if (refusal) return fail(refusal, seen);
    const problems = sitemap.tries.flatMap(({ outcome }) => problemOf(outcome) ?? []);
    if (problems.includes('html')) return fail('WRONG_MIME', seen);
    if (problems.length > 0) return fail('FORMAT', seen);
    return judgeAbsence(sitemap, seen);
  },
});

function judgeAbsence({ tries, isOnePageSite, isRobotsMoved }: SitemapSearch, seen: SafeText) {
  if (isRobotsMoved || tries.some(({ outcome }) => outcome.kind === 'moved')) {
    return notApplicable(
      safeText`This host serves no sitemap of its own: ${isRobotsMoved ? term('robots.txt') : term('its address')} redirects to the domain that the site has moved to.`,
    );
  }
  if (isOnePageSite) {
    return notApplicable(safeText`There is no sitemap, and the home page links to no other page that one could list.`);
  }
  const isUnproven = tries.some(({ outcome }) => ['blocked', 'unreachable', 'timeout'].includes(outcome.kind));
  return isUnproven ? undetermined(seen) : fail('MISSING', seen);
}

/** Only a sitemap that robots.txt names is known to exist. */
function fetchCause({ place, outcome }: SitemapTry) {
  if (!('robotsLine' in place)) return null;
  if (outcome.kind === 'blocked') return 'BLOCKED';
  if (outcome.kind === 'unreachable') return 'UNREACHABLE';
  return outcome.kind === 'timeout' ? 'TIMEOUT' : null;
}

function problemOf(outcome: SitemapTry['outcome']): SitemapProblem | null {
  return outcome.kind === 'present' && 'problem' in outcome.value ? outcome.value.problem : null;
}

function describeFound({ found, tries }: SitemapSearch): SafeText | null {
  if (!found) return null;
  const { kind, entryCount, hasTooManyEntries } = found.file;
  const entries = hasTooManyEntries ? safeText`more than 50,000 entries` : count(entryCount, 'entry', 'entries');
  const failed = tries.slice(0, -1).filter(({ place }) => 'robotsLine' in place);
  return sentences(
    'path' in found.place
      ? safeText`${describePlace(found.place)} is ${term(SITEMAP_KINDS[kind])} with ${entries}.`
      : safeText`Line ${found.place.robotsLine} of robots.txt names ${term(SITEMAP_KINDS[kind])} with ${entries}.`,
    failed.length > 0 ? safeText`Worth fixing all the same: ${describeTries(failed)}` : null,
  );
}

/** "/sitemap.xml is missing (status 404), likewise /sitemap_index.xml; …": consecutive equal outcomes are reported once. */
function describeTries(tries: readonly SitemapTry[]): SafeText {
  const groups: { readonly outcome: SafeText; readonly names: [SafeText, ...SafeText[]] }[] = [];
  for (const tried of tries) {
    const outcome = describeOutcome(tried.outcome);
    const last = groups.at(-1);
    if (last?.outcome.text === outcome.text) last.names.push(nameTry(tried));
    else groups.push({ outcome, names: [nameTry(tried)] });
  }
  const told = groups.map(({ outcome, names: [first, ...others] }) =>
    others.length === 0
      ? safeText`${first} ${outcome}`
      : safeText`${first} ${outcome}, likewise ${listSafeText(others)}`,
  );
  return safeText`${joinSafeText(told, '; ')}.`;
}

function nameTry({ place, outcome }: SitemapTry): SafeText {
  const isNamed = 'robotsLine' in place && outcome.kind !== 'invalid';
  return isNamed ? safeText`the sitemap named on ${describePlace(place)}` : describePlace(place);
}

function describePlace(place: SitemapPlace): SafeText {
  return 'path' in place ? term(place.path) : safeText`${lineOf('robots.txt', place.robotsLine)} of robots.txt`;
}

function describeOutcome(outcome: SitemapTry['outcome']): SafeText {
  switch (outcome.kind) {
    case 'present':
      return 'file' in outcome.value ? safeText`works` : describeProblem(outcome.value.problem, outcome.value.line);
    case 'absent':
      return outcome.status >= 400
        ? safeText`is missing (status ${outcome.status})`
        : safeText`is missing (it answers like an address that does not exist)`;
    case 'blocked':
      return safeText`is refused with status ${outcome.status}`;
    case 'unreachable':
      return typeof outcome.cause === 'object'
        ? safeText`answers with the server error ${outcome.cause.status} on every try`
        : safeText`fails on every try (${describeFailure(outcome.cause)})`;
    case 'timeout':
      return safeText`gives no answer in time on any try`;
    case 'moved':
      return safeText`redirects to the domain that the site has moved to`;
    case 'invalid':
      return safeText`gives no absolute http(s) URL`;
    case 'unknown':
      return safeText`could not be checked (${outcome.detail})`;
  }
}

function describeProblem(problem: SitemapProblem, line: number | null): SafeText {
  const what = term(SITEMAP_PROBLEMS[problem]);
  return line === null ? what : safeText`${what} (line ${line})`;
}
