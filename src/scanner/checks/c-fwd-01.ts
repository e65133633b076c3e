import { defineCheck } from '../findings/check.js';
import { valueOf } from '../evidence/evidence.js';
import type { ForwardSignals, Home } from '../evidence/pages.js';
import type { Outcome } from '../evidence/resource.js';
import type { PreferenceLine, RobotsFile } from '../evidence/robots.js';
import { fail, pass, undetermined } from '../findings/verdict.js';
import type { SafeText } from '../evidence/safe-text.js';
import { count, listLines, listSafeText, sentences, term, safeText } from '../evidence/safe-text.js';
import { parsePreference } from '../parse/header-values.js';
import { PREFERENCES_MAX } from '../parse/robots.js';

const FIELD_NAMES = { 'content-signal': 'Content-Signal', 'content-usage': 'Content-Usage' } as const;

/**
 * Does the site declare how its content may be used by AI? Forward-looking: it never counts towards the score.
 * Sources: draft-ietf-aipref-attach (Content-Usage), contentsignals.org (Content-Signal).
 */
export const cFwd01 = defineCheck({
  id: 'C-FWD-01',
  pillar: null,
  scored: false,
  title: 'A preference for AI use is declared',
  explanation:
    'Two young conventions let you say what AI systems may do with your content once they have it: Content-Signal (search, ai-input, ai-train), and the Content-Usage field that the IETF is working on. We look for either of them in robots.txt and in the header fields of the home page. Any readable preference passes, a no as well as a yes. This check looks ahead: it does not count towards the score.',
  fix: `Add one line to the group of robots.txt that it should hold for, with the values that you want, yes or no:

User-agent: *
Content-Signal: search=yes, ai-input=yes, ai-train=no
Allow: /

Or in the form of the IETF draft, where the values are y and n:

User-agent: *
Content-Usage: train-ai=n
Allow: /

Both can be sent as a header field of your pages, too. In nginx:

add_header Content-Signal "search=yes, ai-input=yes, ai-train=no";`,
  judgedBy: ['aipref-vocabulary', 'aipref-attachment', 'content-signals', 'tdmrep', 'rsl'],
  errorTypes: ['MISSING', 'FORMAT'],
  needs: ['home'],
  uses: ['robots', 'forwardSignals'],
  judge({ home, robots, forwardSignals }) {
    const file = valueOf(robots);
    const inRobots = linesOf(file);
    const declared: Pick<PreferenceLine, 'field' | 'value'>[] = [...inRobots, ...home.preferenceHeaders];
    const read = declared.map(({ field, value }) => ({ field, ...parsePreference(field, value) }));
    const usable = read.filter(({ isUsable }) => isUsable);
    const seen = describeSeen(valueOf(forwardSignals));
    if (usable.length > 0) {
      const fields = [...new Set(usable.map(({ field }) => field))].map((field) => term(FIELD_NAMES[field]));
      return pass(sentences(safeText`A preference is declared with ${listSafeText(fields)}.`, seen));
    }
    if (read.some(({ isWhole }) => !isWhole) || inRobots.length >= PREFERENCES_MAX) {
      return undetermined(
        sentences(
          safeText`More preferences are declared than this scanner reads, and none of those can be read.`,
          seen,
        ),
      );
    }
    if (declared.length > 0) {
      const what = count(declared.length, 'preference field has', 'preference fields have');
      return fail('FORMAT', sentences(safeText`${what} no value that can be read: ${placesOf(inRobots, home)}.`, seen));
    }
    if (file?.kind === 'present' && file.value.file.isOverLimit) {
      return undetermined(
        sentences(
          safeText`The home page declares no preference, nor does the first MiB of robots.txt; more of it is not read.`,
          seen,
        ),
      );
    }
    if (!isReadable(file)) {
      return undetermined(
        sentences(
          safeText`The home page declares no preference, and robots.txt, which may declare one, could not be read.`,
          seen,
        ),
      );
    }
    return fail(
      'MISSING',
      sentences(
        safeText`Neither robots.txt nor the header fields of the home page contain Content-Signal or Content-Usage.`,
        seen,
      ),
    );
  },
});

function linesOf(robots: Outcome<RobotsFile> | null): readonly PreferenceLine[] {
  if (robots?.kind !== 'present' || robots.value.file.isHtml) return [];
  const { groups, looseFields } = robots.value.robots;
  return [...looseFields, ...groups.flatMap((group) => group.preferences)];
}

/** An absent robots.txt counts as read: it declares nothing. */
function isReadable(robots: Outcome<RobotsFile> | null): boolean {
  return robots !== null && robots.kind !== 'unreachable' && robots.kind !== 'timeout';
}

function placesOf(lines: readonly PreferenceLine[], { preferenceHeaders }: Home): SafeText {
  const inRobots = lines.length > 0 ? [safeText`${listLines(lines.map(({ line }) => line))} of robots.txt`] : [];
  const inHeaders = preferenceHeaders.length > 0 ? [safeText`a header of the home page`] : [];
  return listSafeText([...inRobots, ...inHeaders]);
}

function describeSeen(signals: ForwardSignals | null): SafeText | null {
  if (signals === null || signals.seen.length === 0) return null;
  return safeText`Also seen: ${listSafeText(signals.seen.map((name) => term(name)))}.`;
}
