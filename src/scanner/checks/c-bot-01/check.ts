import { cBot01Failures } from './failures.js';
import { cBot01Notes } from './notes.js';
import { CORE_TOKENS, NOTED_TOKENS, writeTokens } from '../../artifacts/agents/tokens.js';
import { defineCheck } from '../../verdict/check.js';
import { valueOf } from '../../artifacts/evidence.js';
import type { Home, Sample } from '../../artifacts/pages.js';
import { describeCause } from '../../artifacts/resource.js';
import type { RobotsFile } from '../../artifacts/robots.js';
import { fail, pass, undetermined } from '../../verdict/verdict.js';
import type { SafeText } from '../../artifacts/safe-text.js';
import { lineFirst, listSafeText, sentences, term, safeText } from '../../artifacts/safe-text.js';
import type { Barred } from '../bot-policy/admission.js';
import { findAdmission, homeUrlOf } from '../bot-policy/admission.js';
import { decideUnanimously, groupTokens } from '../bot-policy/readings.js';

/**
 * Does robots.txt admit the agents that answer people? Barring training crawlers and opt-out tokens is the owner's right and
 * never fails. Sources: RFC 9309 (§2.3.1.3 no file allows all, §2.3.1.4 a failing server means full disallow, §2.5 500 KiB). That
 * the core tokens are the six that feed the answers most people see is our choice; their vendors say that they obey. Where readers
 * of robots.txt disagree (on who is named above a rule, on keys, index pages, octets), a token is barred only if its vendor's reader
 * says so, or all do.
 */
export const cBot01 = defineCheck({
  id: 'C-BOT-01',
  revision: 2,
  pillar: 'B',
  scored: true,
  title: 'robots.txt lets AI search and user agents in',
  shortName: 'robots.txt',
  answer: 'robots.txt lets AI search and user agents in.',
  explanation: `AI search engines and assistants read robots.txt before your pages. We check that the six that feed the answers most people see (${writeTokens(CORE_TOKENS)}) may fetch your home page and at least one other page. Without a robots.txt they may. Crawlers that train AI models are your decision, and never count here. The score measures readiness, not virtue: you may have good reasons to keep agents out, but then they cannot find you.`,
  judgedBy: ['robots', 'agents'],
  failures: cBot01Failures,
  examples: () => import('./examples.js'),
  notes: cBot01Notes,
  needs: ['home', 'robots'],
  uses: ['sample'],
  judge({ home, robots, sample }) {
    switch (robots.kind) {
      case 'present':
        return judgeFile(robots.value, home, valueOf(sample));
      case 'absent':
      case 'blocked':
        return pass(sentences(describeAbsence(robots.status), describeFallback(home)));
      case 'unreachable':
        return fail(
          'UNREACHABLE',
          safeText`/robots.txt fails on every try (${describeCause(robots.cause)}). Crawlers must then stay away from the whole site.`,
        );
      case 'timeout':
        return fail('TIMEOUT', safeText`/robots.txt gives no answer in time on any try.`);
    }
  },
});

function judgeFile(robotsFile: RobotsFile, home: Home, sample: Sample | null) {
  const { file, robots, hasRulesPastLimit } = robotsFile;
  if (file.isHtml) return fail('WRONG_MIME', safeText`/robots.txt answers with an HTML page instead of rules.`);
  const { fromHome, fromOthers, disputed, isCertain } = findAdmission(robotsFile, home, sample);
  const charge = sentences(
    describeBarred(fromHome, safeText`the home page`),
    describeBarred(fromOthers, safeText`every page that was read but the home page`),
    isCertain && fromOthers.length + disputed.length === 0 ? describeAdmitted(fromHome) : null,
  );
  if (hasRulesPastLimit) {
    const oversize = safeText`Some rules come after the first 512,000 bytes of robots.txt, where crawlers may stop reading.`;
    return fail('OVERSIZE', sentences(oversize, charge.text === '' ? null : charge));
  }
  if (charge.text !== '') return fail('BLOCKED', charge);
  if (!isCertain) {
    return undetermined(
      safeText`robots.txt has so many rules with wildcards that this scanner does not compare all of them with the pages.`,
    );
  }
  const noted = groupTokens(robots, NOTED_TOKENS)
    .filter((tokenGroup) => !decideUnanimously(tokenGroup, homeUrlOf(robotsFile, home)).allowed)
    .flatMap(({ tokens }) => tokens);
  return pass(
    sentences(
      disputed.length > 0
        ? safeText`No AI search or user agent is surely barred from the home page; readers of robots.txt disagree on ${listSafeText(disputed.map((token) => term(token)))}.`
        : safeText`All ${CORE_TOKENS.length} AI search and user agents may fetch the home page.`,
      noted.length > 0
        ? safeText`Barred from it, which does not count here: ${listSafeText(noted.map((token) => term(token)))}.`
        : null,
      describeFallback(home),
    ),
  );
}

function describeBarred(barred: readonly Barred[], what: SafeText): SafeText | null {
  if (barred.length === 0) return null;
  const byLine = [...Map.groupBy(barred, ({ line }) => line)];
  return sentences(
    ...byLine.map(([line, agents], index) => {
      const named = listSafeText(agents.map(({ token }) => term(token)));
      return safeText`${lineFirst('robots.txt', line)} closes ${index === 0 ? what : term('it')} to ${named}.`;
    }),
  );
}

/** Who is not shut out, where some are. */
function describeAdmitted(barred: readonly Barred[]): SafeText | null {
  const rest = CORE_TOKENS.length - barred.length;
  if (barred.length === 0 || rest === 0) return null;
  return rest === 1 ? safeText`The other agent may fetch it.` : safeText`The other ${rest} agents may fetch it.`;
}

function describeAbsence(status: number): SafeText {
  return status >= 400
    ? safeText`There is no robots.txt (status ${status}), so every agent may fetch everything.`
    : safeText`There is no robots.txt (its address answers like one that does not exist), so every agent may fetch everything.`;
}

/** Mentioned here because this check sees the site as a crawler first meets it. */
function describeFallback({ isHttpFallback }: Home): SafeText | null {
  return isHttpFallback ? safeText`The site cannot be reached over https, so it was read over http.` : null;
}
