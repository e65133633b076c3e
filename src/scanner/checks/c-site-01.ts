import { describeUnread, isUnread, UNREAD } from '../artifacts/resource.js';
import {
  count,
  joinSafeText,
  lineOf,
  listSafeText,
  safeText,
  sentences,
  term,
  type SafeText,
} from '../artifacts/safe-text.js';
import {
  SITEMAP_KINDS,
  SITEMAP_PROBLEMS,
  type SitemapLocation,
  type SitemapProblem,
  type SitemapSearch,
  type SitemapTry,
} from '../artifacts/sitemaps.js';
import { defineCheck } from '../verdict/check.js';
import { fail, notApplicable, pass, undetermined } from '../verdict/verdict.js';
import { fenced, unblockFile, serveFile } from './fixes.js';

const SITEMAP = fenced(`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://www.example.com/</loc></url>
</urlset>`);

const SITEMAP_LINE = fenced('Sitemap: https://www.example.com/sitemap.xml');

const SERVING = serveFile('/sitemap.xml', 'application/xml');

const IF_MOVED = `If the sitemap has moved, correct its line in robots.txt:

${SITEMAP_LINE}`;

/**
 * Is there a sitemap that a crawler can find and parse? Sitemaps that robots.txt names come first (sitemaps.org, "Informing search engine
 * crawlers"); a default location counts only if none of them works. MISSING means that no file was found. An unreadable file has another
 * error type. A failure at an unannounced location does not prove that a sitemap exists, so it is never BLOCKED, UNREACHABLE
 * or TIMEOUT.
 */
export const cSite01 = defineCheck({
  id: 'C-SITE-01',
  revision: 3,
  pillar: 'A',
  title: 'Sitemap',
  shortName: 'Sitemap',
  answer: 'The site has a sitemap that agents can find and read.',
  explanation:
    'A sitemap lists the pages that you want found, so that search engines and agents do not have to discover them link by link. We try the sitemaps that robots.txt names, then /sitemap.xml, /sitemap_index.xml and /sitemap.xml.gz, until one works. XML sitemaps and indexes, RSS, Atom and plain lists of URLs all count, compressed or not, with any Content-Type.',
  judgedBy: ['sitemaps'],
  unlocks: ['sitemapEntries'],
  failures: {
    BLOCKED: {
      severity: 'SHUT_OUT',
      headline: 'The server blocks the sitemap',
      fix: `Let everyone fetch the sitemap that robots.txt names: exempt it from the login, firewall or bot rule that blocks it.

${IF_MOVED}

${unblockFile('/sitemap.xml')}`,
    },
    UNREACHABLE: {
      severity: 'BROKEN',
      headline: 'The sitemap fails with a server error or a broken connection',
      fix: `Make the sitemap named in robots.txt return status 200. Write it to a file whenever your pages change, and serve that file.

${IF_MOVED}

${SERVING}`,
    },
    TIMEOUT: {
      severity: 'BROKEN',
      headline: 'The sitemap takes too long to load',
      fix: `Write the sitemap to a file whenever your pages change, and serve that file instead of generating the sitemap for each request.

${IF_MOVED}

${SERVING}`,
    },
    MISSING: {
      severity: 'MISSING',
      headline: 'There is no sitemap that agents can find',
      fix: `Publish a sitemap with the addresses of your pages at /sitemap.xml, and name it in robots.txt by its full address.

Most shop systems, content management systems and site generators can write it for you:

${SITEMAP}

The line in robots.txt:

${SITEMAP_LINE}

In WordPress:

WordPress publishes a sitemap at /wp-sitemap.xml and names it in the robots.txt that it generates. If you have your own robots.txt, add this line:

${fenced(`Sitemap: https://www.example.com/wp-sitemap.xml`)}`,
    },
    WRONG_MIME: {
      severity: 'BROKEN',
      headline: 'The address of the sitemap returns an HTML page',
      fix: `Serve the XML file itself at the address of the sitemap, without going through your application. Or correct the address in robots.txt.

${IF_MOVED}

${SERVING}`,
    },
    FORMAT: {
      severity: 'BROKEN',
      headline: 'The sitemap cannot be read',
      fix: `Correct the sitemap at the place named in the finding. It must be complete, well-formed XML with "urlset" or "sitemapindex" as its root element.

${SITEMAP}

- Start with "<?xml", without an empty line before it, and save the file in UTF-8.
- In addresses, write & as &amp;.
- End with the closing tag of the root element. Leave out any DOCTYPE.
- If the file is compressed, unpack it once to check that the gzip file is complete.`,
    },
  },
  needs: ['sitemap'],
  judge({ sitemap }) {
    if (sitemap.found) return pass(describeFound(sitemap));
    const detail = safeText`No sitemap can be read: ${describeTries(sitemap.tries)}`;
    if (sitemap.isRobotsUnread) {
      return undetermined(safeText`robots.txt, which may name a sitemap, could not be read.`, detail);
    }
    if (sitemap.tries.some(({ outcome }) => outcome.kind === 'unknown')) return undetermined(detail);

    const errorType = sitemap.tries.map(errorTypeOf).find((type) => type !== null);
    if (errorType) return fail(errorType, detail);
    const problems = sitemap.tries.flatMap(({ outcome }) => problemOf(outcome) ?? []);
    if (problems.includes('html')) return fail('WRONG_MIME', detail);
    if (problems.length > 0) return fail('FORMAT', detail);
    return judgeAbsence(sitemap, detail);
  },
});

function judgeAbsence({ tries, isOnePageSite }: SitemapSearch, detail: SafeText) {
  if (isOnePageSite) {
    return notApplicable(safeText`There is no sitemap, but the home page links to no other page that it could list.`);
  }
  return isOnePageSite === null || tries.some(({ outcome }) => isUnread(outcome))
    ? undetermined(detail)
    : fail('MISSING', detail);
}

/** Returns the error type of an unread sitemap that robots.txt names. One at a default location may not exist. */
function errorTypeOf({ location, outcome }: SitemapTry) {
  return 'robotsLine' in location && isUnread(outcome) ? UNREAD[outcome.kind] : null;
}

function problemOf(outcome: SitemapTry['outcome']): SitemapProblem | null {
  return outcome.kind === 'present' && 'problem' in outcome.value ? outcome.value.problem : null;
}

function describeFound({ found, tries }: SitemapSearch): SafeText | null {
  if (!found) return null;
  const { kind, entryCount, hasTooManyEntries } = found.file;
  const entries = hasTooManyEntries ? safeText`more than 50,000 entries` : count(entryCount, 'entry', 'entries');
  const failed = tries.slice(0, -1).filter(({ location }) => 'robotsLine' in location);
  return sentences(
    'path' in found.location
      ? safeText`${describeLocation(found.location)} is ${term(SITEMAP_KINDS[kind])} with ${entries}.`
      : safeText`Line ${found.location.robotsLine} of robots.txt names ${term(SITEMAP_KINDS[kind])} with ${entries}.`,
    failed.length > 0 ? safeText`Also worth fixing: ${describeTries(failed)}` : null,
  );
}

/** Describes attempts: "/sitemap.xml is missing (status 404), same for /sitemap_index.xml; …". */
function describeTries(tries: readonly SitemapTry[]): SafeText {
  const groups = Map.groupBy(tries, ({ outcome }) => describeOutcome(outcome).text);
  const texts = [...groups.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const text = safeText`${nameTry(first)} ${describeOutcome(first.outcome)}`;
    return others.length === 0 ? text : safeText`${text}, same for ${listSafeText(others.map(nameTry))}`;
  });
  return safeText`${joinSafeText(texts, '; ')}.`;
}

function nameTry({ location, outcome }: SitemapTry): SafeText {
  const isNamed = 'robotsLine' in location && outcome.kind !== 'invalid';
  return isNamed ? safeText`the sitemap named on ${describeLocation(location)}` : describeLocation(location);
}

function describeLocation(source: SitemapLocation): SafeText {
  return 'path' in source ? term(source.path) : safeText`${lineOf('robots.txt', source.robotsLine)} of robots.txt`;
}

function describeOutcome(outcome: SitemapTry['outcome']): SafeText {
  switch (outcome.kind) {
    case 'present':
      return 'file' in outcome.value ? safeText`works` : describeProblem(outcome.value.problem, outcome.value.line);
    case 'absent':
      return outcome.status >= 400
        ? safeText`is missing (status ${outcome.status})`
        : safeText`is missing (same response as an address that does not exist)`;
    case 'invalid':
      return safeText`has no absolute http(s) URL`;
    case 'unknown':
      return safeText`could not be checked (${outcome.detail})`;
    default:
      return describeUnread(outcome);
  }
}

function describeProblem(problem: SitemapProblem, line: number | null): SafeText {
  const what = term(SITEMAP_PROBLEMS[problem]);
  return line === null ? what : safeText`${what} (line ${line})`;
}
