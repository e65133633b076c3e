import { TRAINING_TOKENS } from '../artifacts/agents/tokens.js';
import { valueOf } from '../artifacts/evidence.js';
import type { ForwardSignals, Home, Preferences } from '../artifacts/pages.js';
import {
  isRobotsKnown,
  readableRobots,
  type PreferenceLine,
  type RobotsFile,
  type RobotsOutcome,
} from '../artifacts/robots.js';
import { count, listLines, listSafeText, safeText, sentences, term, type SafeText } from '../artifacts/safe-text.js';
import { parseContentUsage, type UsageLabel } from '../parsers/content-usage.js';
import { parseContentSignal, type ContentSignal } from '../parsers/header-values.js';
import { ROBOTS_LIMITS } from '../limits.js';
import { decide, groupsNaming } from '../parsers/robots-match.js';
import { isNoAi } from '../parsers/robots-tags.js';
import { defineCheck } from '../verdict/check.js';
import { defineNote } from '../verdict/note-rule.js';
import { fail, pass, undetermined, type Verdict } from '../verdict/verdict.js';
import {
  declaredInFiles,
  declaredInHeaders,
  declaredInRobots,
  describeFaults,
  type Declaration,
} from './c-fwd-01-declarations.js';
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
 * Sources: draft-ietf-aipref-vocab-08 and -attach-05 (Content-Usage), contentsignals.org (Content-Signal), TDMRep, RSL 1.0. We decided
 * that TDMRep and RSL count, because machines read these preferences.
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
    'Young conventions let you say how AI systems may use your content. We look for Content-Signal (search, ai-input, ai-train) and the Content-Usage field that the IETF is working on (train-ai, ai-use, search), both in robots.txt or in the header fields of the home page; for the TDM reservation (tdm-reservation in a header, a meta or /.well-known/tdmrep.json); and for an RSL license that robots.txt or the home page links to. The last two count by our own decision. Any readable preference passes, yes or no. This check does not count towards the score.',
  judgedBy: ['aipref-vocabulary', 'aipref-attachment', 'content-signals', 'tdmrep', 'rsl'],
  failures: {
    MISSING: {
      severity: 'POLISH',
      headline: 'The site declares no preference for AI use',
      fix: `Say in robots.txt what AI systems may do with your content: yes or no for each use. Or send the same line as a header with your pages.

If robots.txt has a group for "*", add the second line to that group:

${SIGNAL_ROBOTS}

Or use the form of the IETF draft, whose values are y and n:

${USAGE_ROBOTS}

To send a header instead, without a line in robots.txt:

${setHeader('Content-Signal', CONTENT_SIGNAL)}`,
    },
    FORMAT: {
      severity: 'BROKEN',
      headline: 'The declared preference for AI use cannot be read',
      fix: `Write the preference in a form that its readers know: Content-Signal with yes or no, Content-Usage in lower case with y or n, tdm-reservation with 0 or 1.

In robots.txt, Content-Signal (search, ai-input, ai-train):

${SIGNAL_ROBOTS}

Or Content-Usage (search, ai-use, train-ai):

${USAGE_ROBOTS}

In /.well-known/tdmrep.json:

${fenced(`[{"location": "/", "tdm-reservation": 1}]`)}

An RSL license is an XML document with the root element "rsl" in the namespace "https://rslstandard.org/rsl".`,
    },
  },
  notes: [
    defineNote({
      id: 'usage-against-signal',
      standard: 'aipref-vocabulary',
      uses: ['home', 'robots'],
      observe: ({ home, robots }) => {
        const opposed = PAIRS.filter((pair) =>
          [siteFields(robots), home?.preferenceHeaders ?? []].some((fields) => isOpposed(fields, pair)),
        );
        if (opposed.length === 0) return null;
        return safeText`Content-Usage and Content-Signal say the opposite of each other (${listSafeText(opposed.map(({ text }) => text))}): let them agree, since agents may read either.`;
      },
    }),
    defineNote({
      id: 'signal-separators',
      standard: 'content-signals',
      uses: ['home', 'robots'],
      observe: ({ home, robots }) => {
        const { groups, looseFields = [] } = readableRobots(robots)?.robots ?? {};
        const fields = [...looseFields, ...(groups?.rfc ?? []).flatMap(({ preferences }) => preferences)];
        const lines = fields.filter(isCutAtSemicolon).map(({ line }) => line);
        const inHeader = home?.preferenceHeaders.some(isCutAtSemicolon) === true;
        if (lines.length === 0 && !inHeader) return null;
        const inFile = safeText`${listLines('robots.txt', lines)} of robots.txt`;
        const inBoth = lines.length > 0 && inHeader;
        const where = inBoth
          ? safeText`${inFile} and a header of the home page`
          : inHeader
            ? term('a header of the home page')
            : inFile;
        return safeText`Content-Signal separates its signals with semicolons (${where}), so readers ignore all but the first: separate them with commas, as in "search=yes, ai-train=no".`;
      },
    }),
  ],
  needs: ['home', 'preferences'],
  uses: ['robots', 'forwardSignals'],
  judge({ home, robots, forwardSignals, preferences }) {
    const file = valueOf(robots);
    const present = readableRobots(file);
    const inRobots = present ? declaredInRobots(present) : [];
    const declared = [...inRobots, ...declaredInHeaders(home), ...declaredInFiles(preferences)];
    const verdict =
      judgeDeclared(declared, inRobots.length >= ROBOTS_LIMITS.preferencesMax) ??
      judgeUnread(file, preferences) ??
      judgeMissing(declared);
    const seen = describeAlsoSeen(home, present, valueOf(forwardSignals));
    return { ...verdict, detail: sentences(verdict.detail, seen) };
  },
});

/** Null if what was read declares nothing. */
function judgeDeclared(declared: readonly Declaration[], isCut: boolean): Verdict<'FORMAT'> | null {
  const usable = declared.filter(({ state }) => state === 'usable');
  if (usable.length > 0) {
    const names = [...new Set(usable.map(({ name }) => name))].map((name) => term(name));
    return pass(safeText`A preference is declared with ${listSafeText(names)}.`);
  }
  if (isCut || declared.some(({ state }) => state === 'cut')) {
    return undetermined(
      safeText`More preferences are declared than this scanner reads, and none of those can be read.`,
    );
  }
  const faulty = declared.filter(({ state }) => state === 'faulty');
  if (faulty.length === 0) return null;
  const what = count(faulty.length, 'preference has', 'preferences have');
  return fail('FORMAT', safeText`${what} no value that can be read: ${describeFaults(faulty)}.`);
}

/** Null if everything was read that may declare a preference. An absent robots.txt counts as read. */
function judgeUnread(robots: RobotsOutcome | null, preferences: Preferences): Verdict<never> | null {
  if (robots?.kind === 'present' && robots.value.file.isOverLimit) {
    return undetermined(
      safeText`The home page declares no preference, nor does the first MiB of robots.txt; more of it is not read.`,
    );
  }
  if (!isRobotsKnown(robots)) {
    return undetermined(
      safeText`The home page declares no preference, and robots.txt, which may declare one, could not be read.`,
    );
  }
  const unread = [
    ...(preferences.tdmFile === 'unread' ? [safeText`/.well-known/tdmrep.json`] : []),
    ...(preferences.license === 'unread' ? [safeText`the license that robots.txt or the home page names`] : []),
  ];
  if (unread.length === 0) return null;
  return undetermined(safeText`No preference was found, but ${listSafeText(unread)} could not be read.`);
}

function judgeMissing(declared: readonly Declaration[]): Verdict<'MISSING'> {
  const closed = declared.find(({ state }) => state === 'closed');
  return fail(
    'MISSING',
    closed
      ? safeText`Content-Usage (${closed.place}) is for paths that robots.txt closes, where no preference exists, and there is no other.`
      : safeText`Neither robots.txt nor the home page declares a preference: no Content-Signal, Content-Usage, TDM reservation or RSL license.`,
  );
}

/** Labels of Content-Usage, with the signals that mean nearly the same. */
const PAIRS: readonly { readonly label: UsageLabel; readonly signal: ContentSignal; readonly text: SafeText }[] = [
  { label: 'train-ai', signal: 'ai-train', text: term('train-ai against ai-train') },
  { label: 'ai-use', signal: 'ai-input', text: term('ai-use against ai-input') },
  { label: 'search', signal: 'search', text: term('search') },
];

/** True if a signal follows a semicolon, where parsers expect a parameter of the previous signal. */
function isCutAtSemicolon({ field, value }: Field): boolean {
  return field === 'content-signal' && /;\s{0,99}(?:search|ai-input|ai-train)\s{0,99}=/i.test(value);
}

function isOpposed(fields: readonly Field[], { label, signal }: (typeof PAIRS)[number]): boolean {
  const usages = fields.filter(({ field }) => field === 'content-usage').map(({ value }) => usageOf(value, label));
  const signals = signalsOf(fields, signal);
  // C-BOT-02 reports a field that contradicts itself.
  if (signals.size !== 1 || usages.includes('n') === usages.includes('y')) return false;
  return signals.has('yes') ? usages.includes('n') : signals.has('no') && usages.includes('y');
}

function usageOf(value: string, label: UsageLabel): 'y' | 'n' | null {
  const reading = parseContentUsage(value, false);
  return reading.kind === 'read' ? (reading.preferences.get(label) ?? null) : null;
}

/** Hints at preferences that are not declared, and other forward signals. */
function describeAlsoSeen(home: Home, robots: RobotsFile | null, signals: ForwardSignals | null): SafeText | null {
  const seen = (signals?.seen ?? []).map((name) => term(name));
  if (isNoAi(home)) seen.push(safeText`noai`);
  const disallowed = robots ? disallowedTrainers(robots) : [];
  if (disallowed.length > 0) seen.push(safeText`robots.txt groups that close the site to ${listSafeText(disallowed)}`);
  return seen.length === 0 ? null : safeText`Also seen: ${listSafeText(seen)}.`;
}

function disallowedTrainers({ origin, robots }: RobotsFile): SafeText[] {
  const isDisallowed = (token: string): boolean =>
    !decide(groupsNaming(robots.groups.rfc, token), origin, 'rfc').allowed;
  return TRAINING_TOKENS.filter(isDisallowed).map((token) => term(token));
}

/** Fields that are compared at most. No honest site has as many. */
const FIELDS_MAX = 50;

export type Field = Pick<PreferenceLine, 'field' | 'value'>;

/** Returns the preferences of robots.txt for all agents and the whole site. */
export function siteFields(robots: RobotsOutcome | null): Field[] {
  const groups = groupsNaming(readableRobots(robots)?.robots.groups.rfc ?? [], '*');
  const fields = groups.flatMap(({ preferences }) => preferences);
  return fields.filter(({ value }) => !value.startsWith('/')).slice(0, FIELDS_MAX);
}

/** Returns the values of a signal in fields for the whole site. */
export function signalsOf(fields: readonly Field[], signal: ContentSignal): ReadonlySet<string> {
  const values = fields.filter(({ field }) => field === 'content-signal').map(({ value }) => parseContentSignal(value));
  const whole = values.filter(({ path }) => path === null).flatMap(({ signals }) => signals);
  return new Set(whole.filter(({ name }) => name === signal).map(({ value }) => value));
}
