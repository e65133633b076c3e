import { TRAINING_TOKENS } from '../artifacts/agents/tokens.js';
import { valueOf } from '../artifacts/evidence.js';
import type { ForwardSignals, Home, Preferences } from '../artifacts/pages.js';
import { isRobotsKnown, readableRobots, type RobotsFile, type RobotsOutcome } from '../artifacts/robots.js';
import { count, listSafeText, safeText, sentences, term, type SafeText } from '../artifacts/safe-text.js';
import { ROBOTS_LIMITS } from '../limits.js';
import { decide, groupsNaming } from '../parsers/robots.js';
import { isNoAi } from '../parsers/headers.js';
import { defineCheck } from '../verdict/check.js';
import { fail, pass, undetermined, type Verdict } from '../verdict/verdict.js';
import {
  declaredInFiles,
  declaredInHeaders,
  declaredInRobots,
  LICENSE,
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

/** Null if everything was read that may declare a preference. An absent robots.txt counts as read. */
function judgeUnread(robots: RobotsOutcome | null, preferences: Preferences): Verdict<never> | null {
  if (robots?.kind === 'present' && robots.value.file.isOverLimit) {
    return undetermined(
      safeText`Neither the home page nor the first MiB of robots.txt states a preference. This scanner reads no further.`,
    );
  }
  if (!isRobotsKnown(robots)) {
    return undetermined(safeText`The home page states no preference. robots.txt may state one, but could not be read.`);
  }
  const unread = [
    ...(preferences.tdmFile === 'unread' ? [safeText`/.well-known/tdmrep.json`] : []),
    ...(preferences.license === 'unread' ? [LICENSE] : []),
  ];
  if (unread.length === 0) return null;
  return undetermined(safeText`No preference was found, but ${listSafeText(unread)} could not be read.`);
}

function judgeMissing(declared: readonly Declaration[]): Verdict<'MISSING'> {
  const closed = declared.find(({ state }) => state === 'closed');
  return fail(
    'MISSING',
    closed
      ? safeText`Content-Usage (${closed.place}) has no effect, because it is for paths that robots.txt blocks. There is no other preference.`
      : safeText`Neither robots.txt nor the home page states a preference: no Content-Signal, Content-Usage, TDM reservation or RSL license.`,
  );
}

/** Hints at preferences that are not declared, and other forward signals. */
function describeAlsoSeen(home: Home, robots: RobotsFile | null, signals: ForwardSignals | null): SafeText | null {
  const seen = (signals?.seen ?? []).map((name) => term(name));
  if (isNoAi(home)) seen.push(safeText`noai`);
  const disallowed = robots ? disallowedTrainers(robots) : [];
  if (disallowed.length > 0) seen.push(safeText`robots.txt groups that block ${listSafeText(disallowed)}`);
  return seen.length === 0 ? null : safeText`Also found: ${listSafeText(seen)}.`;
}

function disallowedTrainers({ origin, robots }: RobotsFile): SafeText[] {
  const isDisallowed = (token: string): boolean => !decide(groupsNaming(robots.groups.rfc, token), origin).allowed;
  return TRAINING_TOKENS.filter(isDisallowed).map((token) => term(token));
}
