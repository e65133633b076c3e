import { TRAINING_TOKENS } from '../artifacts/agents.js';
import { valueOf } from '../artifacts/evidence.js';
import type { Home, Preferences } from '../artifacts/pages.js';
import {
  isRobotsKnown,
  readableRobots,
  type PreferenceLine,
  type RobotsFile,
  type RobotsOutcome,
  type RobotsTxt,
} from '../artifacts/robots.js';
import { count, lineOf, listSafeText, safeText, sentences, term, type SafeText } from '../artifacts/safe-text.js';
import { ROBOTS_LIMITS } from '../limits.js';
import { saysNoAi, parseContentSignal, parseContentUsage, type UsageReading } from '../parsers/headers.js';
import { decide, groupsFor, groupsNaming } from '../parsers/robots.js';
import { defineCheck } from '../verdict/check.js';
import { fail, pass, undetermined, type Verdict } from '../verdict/verdict.js';
import { fenced, setHeader } from './fixes.js';

const CONTENT_SIGNAL = 'search=yes, ai-input=yes, ai-train=no';

const SIGNAL_ROBOTS = fenced(`User-agent: *
Content-Signal: ${CONTENT_SIGNAL}
Allow: /`);

const USAGE_ROBOTS = fenced(`User-agent: *
Content-Usage: train-ai=n
Allow: /`);

/**
 * Does the site declare how its content may be used by AI? Forward-looking: it never counts towards the score.
 * Sources: draft-ietf-aipref-vocab-08 and -attach-05 (Content-Usage), contentsignals.org (Content-Signal), TDMRep, RSL 1.0. Counting
 * TDMRep and RSL was our decision, since they are machine-readable.
 */
export const cFwd01 = defineCheck({
  id: 'C-FWD-01',
  revision: 3,
  pillar: null,
  scored: false,
  title: 'Preferences for AI use',
  shortName: 'AI use',
  answer: 'The site says how AI may use its content.',
  explanation:
    'New standards let you say how AI systems may use your content. We look for Content-Signal (search, ai-input, ai-train) and for Content-Usage from an IETF draft (train-ai, ai-use, search), in robots.txt or in the headers of the home page. We also look for a TDM reservation (tdm-reservation in a header, a meta tag or /.well-known/tdmrep.json) and for an RSL license that robots.txt or the home page links to. Accepting these two was our decision. Any readable preference passes, yes or no. This check does not count towards the score.',
  judgedBy: ['aipref-vocabulary', 'aipref-attachment', 'content-signals', 'tdmrep', 'rsl'],
  failures: {
    MISSING: {
      severity: 'POLISH',
      headline: 'The site states no preference for AI use',
      fix: `Say in robots.txt what AI systems may do with your content: yes or no for each use. Or send the same line as a header with your pages.

If robots.txt has a group for "*", add the second line to that group:

${SIGNAL_ROBOTS}

Or use the format of the IETF draft, with the values y and n:

${USAGE_ROBOTS}

To send a header instead of a line in robots.txt:

${setHeader('Content-Signal', CONTENT_SIGNAL)}`,
    },
    FORMAT: {
      severity: 'BROKEN',
      headline: 'The stated preference for AI use cannot be read',
      fix: `Correct the value: Content-Signal takes yes or no, Content-Usage takes y or n and is in lower case, and tdm-reservation takes 0 or 1.

In robots.txt, Content-Signal (search, ai-input, ai-train):

${SIGNAL_ROBOTS}

Or Content-Usage (search, ai-use, train-ai):

${USAGE_ROBOTS}

In /.well-known/tdmrep.json:

${fenced(`[{"location": "/", "tdm-reservation": 1}]`)}

An RSL license is an XML document with the root element "rsl" in the namespace "https://rslstandard.org/rsl".`,
    },
  },
  needs: ['home', 'preferences'],
  uses: ['robots'],
  judge({ home, robots, preferences }) {
    const outcome = valueOf(robots);
    const file = readableRobots(outcome);
    const inRobots = file ? readRobots(file) : [];
    const declared = [...inRobots, ...readHeaders(home), ...readFiles(preferences)];
    const isCut = inRobots.length >= ROBOTS_LIMITS.preferencesMax;
    const { detail, ...rest } =
      judgeDeclared(declared, isCut) ?? judgeUnread(outcome, preferences) ?? judgeMissing(declared);
    return { ...rest, detail: sentences(detail, describeHints(home, file)) };
  },
});

/** Returns null if no declaration is usable, faulty or cut. */
function judgeDeclared(declared: readonly Declaration[], isCut: boolean): Verdict<'FORMAT'> | null {
  const usable = declared.filter(({ state }) => state === 'usable');
  if (usable.length > 0) {
    const names = [...new Set(usable.map(({ name }) => name))].map((name) => term(name));
    return pass(safeText`The site states a preference with ${listSafeText(names)}.`);
  }
  if (isCut || declared.some(({ state }) => state === 'cut')) {
    return undetermined(
      safeText`The site states more preferences than this scanner reads, and none of those that we read is valid.`,
    );
  }
  const faulty = declared.filter(({ state }) => state === 'faulty');
  if (faulty.length === 0) return null;
  const what = count(faulty.length, 'preference has', 'preferences have');
  const faults = faulty.map(({ place, fault }) => safeText`${place} (${fault})`);
  return fail('FORMAT', safeText`${what} no valid value: ${listSafeText(faults)}.`);
}

/** Returns null if everything that may declare a preference was read. */
function judgeUnread(robots: RobotsOutcome | null, { tdmFile, license }: Preferences): Verdict<never> | null {
  if (robots?.kind === 'present' && robots.value.file.isOverLimit) {
    return undetermined(
      safeText`Neither the home page nor the first MiB of robots.txt states a preference. This scanner reads no further.`,
    );
  }
  if (!isRobotsKnown(robots)) {
    return undetermined(safeText`The home page states no preference. robots.txt may state one, but could not be read.`);
  }
  const unread = [...(tdmFile === 'unread' ? [TDM_FILE] : []), ...(license === 'unread' ? [LICENSE] : [])];
  if (unread.length === 0) return null;
  return undetermined(safeText`No preference was found, but ${listSafeText(unread)} could not be read.`);
}

function judgeMissing(declared: readonly Declaration[]): Verdict<'MISSING'> {
  const disallowed = declared.find(({ state }) => state === 'disallowed');
  return fail(
    'MISSING',
    disallowed
      ? safeText`Content-Usage (${disallowed.place}) has no effect, because it is for paths that robots.txt blocks. There is no other preference.`
      : safeText`Neither robots.txt nor the home page states a preference: no Content-Signal, Content-Usage, TDM reservation or RSL license.`,
  );
}

/** Describes signs of a preference that do not count as one. */
function describeHints(home: Home, robots: RobotsFile | null): SafeText | null {
  const seen = saysNoAi(home) ? [term('noai')] : [];
  const disallowed = robots ? disallowedCrawlers(robots) : [];
  if (disallowed.length > 0) seen.push(safeText`robots.txt groups that block ${listSafeText(disallowed)}`);
  return seen.length === 0 ? null : safeText`Also found: ${listSafeText(seen)}.`;
}

function disallowedCrawlers({ origin, robots }: RobotsFile): SafeText[] {
  const isDisallowed = (token: string): boolean => !decide(groupsNaming(robots.groups.rfc, token), origin).allowed;
  return TRAINING_TOKENS.filter(isDisallowed).map((token) => term(token));
}

/** A preference for AI use. */
interface Declaration {
  readonly name: 'Content-Signal' | 'Content-Usage' | 'TDMRep' | 'RSL';
  /**
   * cut: too long for us to read whole. disallowed: has no effect, since the paths must not be crawled
   * (draft-ietf-aipref-attach-05).
   */
  readonly state: 'usable' | 'faulty' | 'cut' | 'disallowed';
  readonly place: SafeText;
  /** What is wrong, if it is faulty. */
  readonly fault: SafeText;
}

const IN_HEADER = safeText`a header of the home page`;
/** Maximum number of lines that are compared with the rules of robots.txt. */
const COMPARED_LINES_MAX = 100;

/** Returns the preferences in the home page's headers. All Content-Usage fields are one dictionary (RFC 9651 §4.2). */
function readHeaders({ preferenceHeaders }: Home): Declaration[] {
  const valuesOf = (name: PreferenceLine['field']): string[] =>
    preferenceHeaders.filter(({ field }) => field === name).map(({ value }) => value);
  const usage = valuesOf('content-usage');
  return [
    ...valuesOf('content-signal').map((value) => readSignal(value, IN_HEADER)),
    ...(usage.length > 0 ? [readUsage(parseContentUsage(usage.join(', '), false), IN_HEADER)] : []),
  ];
}

/** Returns the preferences in robots.txt, both outside and inside groups. */
function readRobots({ origin, robots }: RobotsFile): Declaration[] {
  const groups = [{ tokens: ['*'], preferences: robots.ungroupedPreferences }, ...robots.groups.rfc];
  const lines = groups.flatMap(({ tokens, preferences }) => preferences.map((line) => ({ ...line, tokens })));
  return lines.map(({ field, value, line, tokens }, index): Declaration => {
    const place = safeText`${lineOf('robots.txt', line)} of robots.txt`;
    if (field === 'content-signal') return readSignal(value, place);
    const reading = parseContentUsage(value, true);
    const declared = readUsage(reading, place);
    if (declared.state !== 'usable' || index >= COMPARED_LINES_MAX) return declared;
    const path = (reading.kind === 'read' ? reading.path : null) ?? '/';
    return isDisallowedFor(robots, tokens, path, origin) ? { ...declared, state: 'disallowed' } : declared;
  });
}

function readSignal(value: string, place: SafeText): Declaration {
  const { isUsable, isWhole } = parseContentSignal(value);
  const unusable = isWhole ? 'faulty' : 'cut';
  return { name: 'Content-Signal', state: isUsable ? 'usable' : unusable, place, fault: NO_SIGNAL };
}

const NO_SIGNAL = safeText`Content-Signal sets none of search, ai-input and ai-train to yes or no`;
const NO_USAGE = safeText`Content-Usage sets none of train-ai, ai-use and search to y or n`;
const NO_DICTIONARY = safeText`Content-Usage is not a valid RFC 9651 dictionary, which has lower-case keys`;

function readUsage(reading: UsageReading, place: SafeText): Declaration {
  const name = 'Content-Usage';
  if (reading.kind !== 'read') {
    return { name, state: reading.kind === 'cut' ? 'cut' : 'faulty', place, fault: NO_DICTIONARY };
  }
  return { name, state: reading.preferences.size > 0 ? 'usable' : 'faulty', place, fault: NO_USAGE };
}

const TDM_FILE = safeText`/.well-known/tdmrep.json`;
const LICENSE = safeText`the license that robots.txt or the home page links to`;
const NO_TDM_RULE = safeText`it is not an array of rules with a location and a tdm-reservation of 0 or 1`;

/** Returns the preferences in TDMRep and RSL. A file that could not be read declares nothing. */
function readFiles({ reservations, tdmFile, license }: Preferences): Declaration[] {
  const files = [
    { name: 'TDMRep', file: tdmFile, place: TDM_FILE, fault: NO_TDM_RULE },
    { name: 'RSL', file: license, place: LICENSE, fault: safeText`it is not an RSL document in XML` },
  ] as const;
  return [
    ...reservations.map(({ source, reservation }) => ({
      name: 'TDMRep' as const,
      state: reservation === 'other' ? ('faulty' as const) : ('usable' as const),
      place: source === 'header' ? IN_HEADER : safeText`a meta tag of the home page`,
      fault: safeText`tdm-reservation is neither 0 nor 1`,
    })),
    ...files.flatMap(({ file, ...declaration }): Declaration[] => {
      if (file !== 'read' && file !== 'malformed') return [];
      return [{ ...declaration, state: file === 'read' ? 'usable' : 'faulty' }];
    }),
  ];
}

/** Maximum number of names in a group that are compared. */
const TOKENS_MAX = 5;

/**
 * True if none of these agents may crawl `path` or anything below it, so that no preference applies there
 * (draft-ietf-aipref-attach-05). False if unsure, such as for a group with many agents.
 */
function isDisallowedFor(robots: RobotsTxt, tokens: readonly string[], path: string, origin: URL): boolean {
  if (tokens.length === 0 || tokens.length > TOKENS_MAX) return false;
  // Every path that the pattern matches starts with the part before its first wildcard.
  const url = URL.parse(origin.origin + path.replace(/[*$].*/s, ''), origin);
  return url !== null && tokens.every((token) => isDisallowedBelow(robots, token, url));
}

/** True if a rule disallows the path and everything below it, and no Allow rule is long enough to override it. */
function isDisallowedBelow(robots: RobotsTxt, token: string, url: URL): boolean {
  const groups = groupsFor(robots.groups.rfc, token);
  const { rule, isCertain } = decide(groups, url);
  if (rule === null || rule.allow || !isCertain || rule.pattern.endsWith('$')) return false;
  return !groups.some(({ rules }) =>
    rules.some(({ allow, pattern }) => allow && pattern.length >= rule.pattern.length),
  );
}
