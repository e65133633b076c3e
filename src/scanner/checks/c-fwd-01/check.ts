import { cFwd01Failures } from './failures.js';
import { cFwd01Notes } from './notes.js';
import { defineCheck } from '../../verdict/check.js';
import { isMoved, valueOf } from '../../artifacts/evidence.js';
import type { Preferences } from '../../artifacts/preferences.js';
import type { Outcome } from '../../artifacts/resource.js';
import { readableRobots, type RobotsFile } from '../../artifacts/robots.js';
import { type SafeText, count, listSafeText, safeText, sentences, term } from '../../artifacts/safe-text.js';
import { fail, notApplicable, pass, undetermined, type Verdict } from '../../verdict/verdict.js';
import { PREFERENCES_MAX } from '../../parsers/robots.js';
import { describeAlsoSeen } from './also-seen.js';
import { type Declaration, describeFaults } from './declaration.js';
import { declaredInHeaders, declaredInRobots } from './in-fields.js';
import { declaredInFiles } from './in-files.js';

/**
 * Does the site declare how its content may be used by AI? Forward-looking: it never counts towards the score.
 * Sources: draft-ietf-aipref-vocab-08 and -attach-05 (Content-Usage), contentsignals.org (Content-Signal), TDMRep, RSL 1.0. That
 * TDMRep, RSL and policy tokens count is ours: they are preferences that machines read.
 */
export const cFwd01 = defineCheck({
  id: 'C-FWD-01',
  revision: 2,
  pillar: null,
  scored: false,
  title: 'A preference for AI use is declared',
  shortName: 'AI use',
  answer: 'The site says how AI may use its content.',
  explanation:
    'Young conventions let you say what AI systems may do with your content once they have it. We look for Content-Signal (search, ai-input, ai-train) and the Content-Usage field that the IETF is working on (train-ai, ai-use, search), both in robots.txt or in the header fields of the home page; for the TDM reservation (tdm-reservation in a header, a meta or /.well-known/tdmrep.json); and for an RSL license that robots.txt or the home page links to. That the last two count is our own choice. Any readable preference passes, a no as well as a yes. This check looks ahead: it does not count towards the score.',
  judgedBy: ['aipref-vocabulary', 'aipref-attachment', 'content-signals', 'tdmrep', 'rsl'],
  failures: cFwd01Failures,
  examples: () => import('./examples.js'),
  notes: cFwd01Notes,
  needs: ['home'],
  uses: ['robots', 'forwardSignals', 'preferences'],
  judge({ home, robots, forwardSignals, preferences }) {
    const file = valueOf(robots);
    const present = readableRobots(file);
    const others = valueOf(preferences);
    const inRobots = present ? declaredInRobots(present) : [];
    const declared = [...inRobots, ...declaredInHeaders(home), ...(others ? declaredInFiles(others) : [])];
    const seen = describeAlsoSeen(home, present, valueOf(forwardSignals));
    return (
      judgeDeclared(declared, inRobots.length >= PREFERENCES_MAX, seen) ??
      judgeMoved(isMoved(robots), others) ??
      judgeUnread(file, others, seen) ??
      judgeMissing(declared, seen)
    );
  },
});

/** Null if what was read declares nothing. */
function judgeDeclared(
  declared: readonly Declaration[],
  isCut: boolean,
  seen: SafeText | null,
): Verdict<'FORMAT'> | null {
  const usable = declared.filter(({ state }) => state === 'usable');
  if (usable.length > 0) {
    const names = [...new Set(usable.map(({ name }) => name))].map((name) => term(name));
    return pass(sentences(safeText`A preference is declared with ${listSafeText(names)}.`, seen));
  }
  if (isCut || declared.some(({ state }) => state === 'cut')) {
    return undetermined(
      sentences(safeText`More preferences are declared than this scanner reads, and none of those can be read.`, seen),
    );
  }
  const faulty = declared.filter(({ state }) => state === 'faulty');
  if (faulty.length === 0) return null;
  const what = count(faulty.length, 'preference has', 'preferences have');
  return fail('FORMAT', sentences(safeText`${what} no value that can be read: ${describeFaults(faulty)}.`, seen));
}

/** Null if nothing that may declare a preference is where the site has moved. */
function judgeMoved(isRobotsMoved: boolean, preferences: Preferences | null): Verdict<never> | null {
  const moved = [
    ...(isRobotsMoved ? [safeText`robots.txt`] : []),
    ...(preferences?.tdmFile === 'moved' ? [safeText`/.well-known/tdmrep.json`] : []),
    ...(preferences?.license === 'moved' ? [safeText`the license that robots.txt names`] : []),
  ];
  if (moved.length === 0) return null;
  return notApplicable(
    safeText`This host declares no preference, and the site has moved to another domain, to which it redirects ${listSafeText(moved)}.`,
  );
}

/** Null if everything was read that may declare a preference. An absent robots.txt counts as read. */
function judgeUnread(
  robots: Outcome<RobotsFile> | null,
  preferences: Preferences | null,
  seen: SafeText | null,
): Verdict<never> | null {
  if (robots?.kind === 'present' && robots.value.file.isOverLimit) {
    return undetermined(
      sentences(
        safeText`The home page declares no preference, nor does the first MiB of robots.txt; more of it is not read.`,
        seen,
      ),
    );
  }
  if (robots === null || robots.kind === 'unreachable' || robots.kind === 'timeout') {
    return undetermined(
      sentences(
        safeText`The home page declares no preference, and robots.txt, which may declare one, could not be read.`,
        seen,
      ),
    );
  }
  const unread = [
    ...(preferences?.tdmFile === 'read' || preferences?.tdmFile === 'absent'
      ? []
      : [safeText`/.well-known/tdmrep.json`]),
    ...(preferences?.license === 'unread' ? [safeText`the license that robots.txt or the home page names`] : []),
  ];
  if (unread.length === 0) return null;
  return undetermined(
    sentences(safeText`No preference was found, but ${listSafeText(unread)} could not be read.`, seen),
  );
}

function judgeMissing(declared: readonly Declaration[], seen: SafeText | null): Verdict<'MISSING'> {
  const closed = declared.find(({ state }) => state === 'closed');
  const what = closed
    ? safeText`Content-Usage (${closed.place}) is for paths that robots.txt closes, where no preference exists, and there is no other.`
    : safeText`Neither robots.txt nor the home page declares a preference: no Content-Signal, Content-Usage, TDM reservation or RSL license.`;
  return fail('MISSING', sentences(what, seen));
}
