import { AGENT_TOKENS } from '../domain/agents.js';
import type { CoreToken } from '../domain/agents.js';
import { defineCheck } from '../domain/check.js';
import { valueOf } from '../domain/evidence.js';
import type { Home, Sample } from '../domain/evidence/pages.js';
import { describeCause } from '../domain/evidence/resource.js';
import type { RobotsFile } from '../domain/evidence/robots.js';
import { fail, pass } from '../domain/verdict.js';
import type { Words } from '../domain/words.js';
import { listWords, sentences, term, words } from '../domain/words.js';
import type { TokenRules } from '../parse/robots-match.js';
import { decide, shareRules } from '../parse/robots-match.js';

/**
 * Does robots.txt let in the agents that answer people? Training crawlers and opt-out tokens are the owner's right and never
 * charged. Sources: RFC 9309 (§2.3.1.3 no file allows all, §2.3.1.4 a failing server means full disallow, §2.5 500 KiB);
 * the core tokens are those whose vendors say that they obey.
 *
 * Pages that the sample left out because robots.txt bars us from them stand in where the sample has no other page: otherwise
 * a site that opens nothing but its home page would pass.
 */
export const cBot01 = defineCheck({
  id: 'C-BOT-01',
  pillar: 'B',
  scored: true,
  title: 'robots.txt lets AI search and user agents in',
  explanation:
    'AI search engines and assistants read robots.txt before they read your pages. We look whether the agents that answer people (OAI-SearchBot, Claude-SearchBot, PerplexityBot, Googlebot, Bingbot and Claude-User) may fetch your home page and at least one other page. Without a robots.txt all of them may. Whether you allow crawlers that train models is your decision and never counts here. The score measures readiness, not virtue: keeping agents out can be right for you, it only makes you invisible to them.',
  fix: `Let the agents that answer people in. A named group replaces the rules for "*", so that this works beside any other rule:

User-agent: OAI-SearchBot
User-agent: Claude-SearchBot
User-agent: PerplexityBot
User-agent: Googlebot
User-agent: Bingbot
User-agent: Claude-User
Allow: /

You may still keep training crawlers out:

User-agent: GPTBot
User-agent: ClaudeBot
User-agent: CCBot
Disallow: /

Serve the file as plain text with status 200 at /robots.txt, in good time and below 512,000 bytes. If you have no rules, a 404 is fine: it allows everything. A 5xx answer or a stall keeps crawlers out of the whole site.`,
  errorTypes: ['BLOCKED', 'UNREACHABLE', 'TIMEOUT', 'WRONG_MIME', 'OVERSIZE'],
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
          words`GET /robots.txt failed at every try (${describeCause(robots.cause)}). Crawlers must then stay away from the whole site.`,
        );
      case 'timeout':
        return fail('TIMEOUT', words`GET /robots.txt did not answer in time, at every try.`);
    }
  },
});

interface Barred {
  readonly token: CoreToken;
  readonly line: number;
}

function judgeFile({ file, robots, origin, hasRulesPastLimit }: RobotsFile, home: Home, sample: Sample | null) {
  if (file.isHtml) return fail('WRONG_MIME', words`GET /robots.txt answers with an HTML page instead of rules.`);
  const homeUrl = home.isElsewhere ? new URL('/', origin) : home.url;
  const sharers = shareRules(robots, AGENT_TOKENS.core);
  const fromHome = sharers.flatMap((sharer) => listBarred(sharer, [homeUrl]));
  const fromOthers = sharers
    .filter(({ tokens }) => !fromHome.some(({ token }) => tokens.includes(token)))
    .flatMap((sharer) => listBarred(sharer, otherPagesOf(sample)));
  const charge = sentences(
    describeBarred(fromHome, words`the home page`),
    describeBarred(fromOthers, words`any other sampled page`),
  );
  if (hasRulesPastLimit) {
    const oversize = words`Rules stand past the first 512,000 bytes of robots.txt, where crawlers may stop reading.`;
    return fail('OVERSIZE', sentences(oversize, charge.text === '' ? null : charge));
  }
  if (charge.text !== '') return fail('BLOCKED', charge);
  const noted = shareRules(robots, AGENT_TOKENS.noted)
    .filter(({ rules }) => !decide(rules, homeUrl).allowed)
    .flatMap(({ tokens }) => tokens);
  return pass(
    sentences(
      words`Every AI search and user agent of our list may fetch the home page.`,
      noted.length > 0
        ? words`Also kept out of it, without counting here: ${listWords(noted.map((token) => term(token)))}.`
        : null,
      describeFallback(home),
    ),
  );
}

/** The tokens of one set of rules that may fetch none of these pages, with the line that decides on the first of them. */
function listBarred({ tokens, rules }: TokenRules<CoreToken>, pages: readonly URL[]): Barred[] {
  const decisions = pages.map((page) => decide(rules, page));
  const line = decisions[0]?.rule?.line;
  if (line === undefined || decisions.some((decision) => decision.allowed)) return [];
  return tokens.map((token) => ({ token, line }));
}

function otherPagesOf(sample: Sample | null): readonly URL[] {
  if (sample === null) return [];
  const others = sample.pages.slice(1).map((page) => page.url);
  return others.length > 0 ? others : sample.disallowed;
}

function describeBarred(barred: readonly Barred[], what: Words): Words | null {
  if (barred.length === 0) return null;
  const named = barred.map(({ token, line }) => words`${term(token)} (line ${line})`);
  return words`robots.txt keeps these agents from fetching ${what}: ${listWords(named)}.`;
}

function describeAbsence(status: number): Words {
  return status >= 400
    ? words`There is no robots.txt (status ${status}), so that every agent may fetch everything.`
    : words`There is no robots.txt (its address answers like one that cannot exist), so that every agent may fetch everything.`;
}

/** Told here, since this check reads the site as a crawler first meets it. */
function describeFallback({ isHttpFallback }: Home): Words | null {
  return isHttpFallback ? words`https could not be connected to; the site was read by http.` : null;
}
