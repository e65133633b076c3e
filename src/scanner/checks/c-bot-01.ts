import { ASSISTANT_TOKENS, CORE_TOKENS, type CoreToken, NOTED_TOKENS } from '../artifacts/agents.js';
import { formatList } from '../artifacts/counts.js';
import type { Home } from '../artifacts/pages.js';
import { describeCause } from '../artifacts/resource.js';
import type { RobotsFile } from '../artifacts/robots.js';
import { listSafeText, addPlaces, safeText, sentences, term, type SafeText } from '../artifacts/safe-text.js';
import { ROBOTS_LIMITS } from '../limits.js';
import { defineCheck } from '../verdict/check.js';
import { userAgentLines } from '../verdict/fix-parts.js';
import { fail, pass, undetermined } from '../verdict/verdict.js';
import { findDisallowedAgents, listDisallowed, type Disallowed } from './bot-policy.js';
import { fenced, serveFile } from './fixes.js';

const ALLOW_ALL = fenced(`User-agent: *
Allow: /`);

const BLOCK_TRAINING = fenced(`User-agent: GPTBot
User-agent: ClaudeBot
User-agent: CCBot
Disallow: /`);

const SERVING = serveFile('/robots.txt', 'text/plain; charset=utf-8');

const ALLOW_AGENTS = fenced(`${userAgentLines(ASSISTANT_TOKENS)}Allow: /
Disallow: /PRIVATE-FOLDER/`);

/**
 * Does robots.txt allow the agents that answer people? Disallowing training crawlers and opt-out tokens is the owner's right and never
 * fails. Sources: RFC 9309 (§2.3.1.3 no file allows all, §2.3.1.4 a failing server means full disallow, §2.5 500 KiB). We chose the six
 * core tokens because they feed the answers that most people see, and their vendors say that they obey. If robots.txt parsers disagree (on
 * groups, field names or index pages), a token counts as disallowed only if its vendor's parser or all parsers say so.
 */
export const cBot01 = defineCheck({
  id: 'C-BOT-01',
  revision: 3,
  pillar: 'B',
  title: 'AI agents in robots.txt',
  shortName: 'robots.txt',
  answer: 'robots.txt allows AI search engines and AI assistants.',
  explanation: `AI search engines and assistants read robots.txt before they read your pages. We check whether the six agents behind the answers that most people see (${formatList(CORE_TOKENS)}) may fetch your home page and at least one other page. If there is no robots.txt, they may. Whether to allow crawlers that train AI models is up to you, and does not count here. The score measures readiness, not virtue: you may have good reasons to block agents, but then they cannot find you.`,
  judgedBy: ['robots', 'agents'],
  unlocks: ['agentReplies'],
  failures: {
    BLOCKED: {
      severity: 'SHUT_OUT',
      headline: 'robots.txt blocks AI agents',
      fix: `Remove the Disallow lines named in the finding, which block these agents. If a rule for "*" should still block other agents, add a separate group for these.

Agents with their own group ignore the "*" group, so repeat every folder that should stay closed:

${ALLOW_AGENTS}

You can still block training crawlers:

${BLOCK_TRAINING}

On Cloudflare:

In AI Crawl Control, check whether Cloudflare manages your robots.txt. If it does, it puts its own rules before yours. Turn that off if those rules block these agents.

In WordPress:

WordPress generates robots.txt unless the folder of wp-config.php has a file with that name. Change the rules in your SEO plugin, or upload the file.`,
    },
    UNREACHABLE: {
      severity: 'SHUT_OUT',
      headline: 'robots.txt fails, so crawlers stay away',
      fix: `Make /robots.txt return status 200 with your rules, or 404 if you have none. Until then, crawlers stay away from the whole site.

A static file in the web root works even when your application fails:

${ALLOW_ALL}

${SERVING}`,
    },
    TIMEOUT: {
      severity: 'SHUT_OUT',
      headline: 'robots.txt takes too long to load, so crawlers stay away',
      fix: `Serve /robots.txt as a static file, without your application or a database. Check that no firewall delays the request.

Put these rules, or your own, into a file in the web root:

${ALLOW_ALL}

${SERVING}`,
    },
    WRONG_MIME: {
      severity: 'BROKEN',
      headline: 'robots.txt returns an HTML page',
      fix: `Put a text file named robots.txt in the web root, and make sure that the server sends it instead of your application. If you have no rules, return 404.

${ALLOW_ALL}

${SERVING}`,
    },
    OVERSIZE: {
      severity: 'BROKEN',
      headline: 'robots.txt is too long for crawlers',
      fix: `Shorten robots.txt to less than 512,000 bytes: write one rule per folder instead of one per page. Crawlers may ignore everything beyond that size.

${fenced(`User-agent: *
Disallow: /PRIVATE-FOLDER/
Disallow: /*?PARAMETER=`)}

A rule applies to every address that starts with it. "*" matches any characters, and "$" matches the end of the address. To only keep pages out of search results, use noindex instead.`,
    },
  },
  needs: ['home', 'robots'],
  judge({ home, robots }) {
    switch (robots.kind) {
      case 'present':
        return judgeFile(robots.value, home);
      case 'absent':
      case 'blocked':
        return pass(describeAbsence(robots.status));
      case 'unreachable':
        return fail(
          'UNREACHABLE',
          safeText`Every request for /robots.txt failed (${describeCause(robots.cause)}). Crawlers must then stay away from the whole site.`,
        );
      case 'timeout':
        return fail('TIMEOUT', safeText`Every request for /robots.txt timed out.`);
    }
  },
});

function judgeFile(robotsFile: RobotsFile, home: Home) {
  const { file, robots, hasRulesPastLimit } = robotsFile;
  if (file.isHtml) return fail('WRONG_MIME', safeText`/robots.txt returns an HTML page instead of rules.`);
  const { onHome, onOthers, disputed, isCertain } = findDisallowedAgents(robotsFile, home, CORE_TOKENS);
  const blocked = sentences(
    describeDisallowed(onHome, safeText`the home page`),
    describeDisallowed(onOthers, safeText`every sampled page except the home page`),
    isCertain && onOthers.length + disputed.length === 0 ? describeAllowed(onHome) : null,
  );
  if (hasRulesPastLimit) {
    const oversize = safeText`Some rules come after the first 512,000 bytes of robots.txt, where crawlers may stop reading.`;
    return fail('OVERSIZE', oversize, blocked.text === '' ? null : blocked);
  }
  if (!robots.isWhole) {
    return undetermined(
      safeText`robots.txt has more groups (limit: ${ROBOTS_LIMITS.groupsMax}) or rules (limit: ${ROBOTS_LIMITS.rulesMax}) than this scanner reads.`,
    );
  }
  if (blocked.text !== '') return fail('BLOCKED', blocked);
  if (!isCertain) {
    return undetermined(safeText`robots.txt has too many wildcard rules for this scanner to test them all.`);
  }
  const noted = listDisallowed(robots, NOTED_TOKENS, home.url);
  return pass(
    disputed.length > 0
      ? safeText`No AI agent is clearly blocked from the home page, but robots.txt parsers disagree about ${listSafeText(disputed.map((token) => term(token)))}.`
      : safeText`All ${CORE_TOKENS.length} AI agents that we check may fetch the home page.`,
    noted.length > 0
      ? safeText`Blocked, but not counted here: ${listSafeText(noted.map((token) => term(token)))}. To let them in, remove the lines that block them.`
      : null,
  );
}

function describeDisallowed(disallowed: readonly Disallowed<CoreToken>[], pages: SafeText): SafeText | null {
  if (disallowed.length === 0) return null;
  const byLine = [...Map.groupBy(disallowed, ({ line }) => line)];
  return sentences(
    ...byLine.map(([line, agents], index) => {
      const named = listSafeText(agents.map(({ token }) => term(token)));
      const first = addPlaces(safeText`Line ${line}`, { file: 'robots.txt', at: { line } });
      return safeText`${first} blocks ${named} from ${index === 0 ? pages : term('it')}.`;
    }),
  );
}

/** Describes how many agents may fetch the page. Null if all or none may. */
function describeAllowed(disallowed: readonly Disallowed<CoreToken>[]): SafeText | null {
  const rest = CORE_TOKENS.length - disallowed.length;
  if (disallowed.length === 0 || rest === 0) return null;
  return rest === 1 ? safeText`The other agent may fetch it.` : safeText`The other ${rest} agents may fetch it.`;
}

function describeAbsence(status: number | null): SafeText {
  if (status === null)
    return safeText`/robots.txt redirects in a loop or more than 5 times, so crawlers treat it as missing and may fetch everything. Serve it without redirects.`;
  return status >= 400
    ? safeText`There is no robots.txt (status ${status}), so every agent may fetch everything.`
    : safeText`There is no robots.txt (its address returns the same response as one that does not exist), so every agent may fetch everything.`;
}
