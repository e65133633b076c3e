import {
  type AgentPage,
  type AgentReply,
  type AgentTrial,
  isRefusal,
  treatmentOf,
  type Treatment,
} from '../artifacts/agent-replies.js';
import { TRIED_TOKENS } from '../artifacts/agents.js';
import { formatList } from '../artifacts/counts.js';
import { listPages, namePageFirst } from '../artifacts/pages.js';
import { listSafeText, safeText, term, type SafeText } from '../artifacts/safe-text.js';
import { defineCheck } from '../verdict/check.js';
import { fail, notApplicable, pass, undetermined } from '../verdict/verdict.js';
import { allowAgents, exemptAgentsFromLimit } from './fixes.js';

/** Share of the baseline's text below which a served page is worth a note. */
const TEXT_SHARE_NOTED = 0.5;

const ADVICE =
  'It is safer to allow the IP ranges that the vendors publish than the names alone. If you want to block an agent, do so in robots.txt instead. C-BOT-01 will then fail.';

/**
 * Does the edge (CDN, firewall, bot rules) serve the agents that robots.txt allows? Requests the home page under each agent's published
 * User-Agent with our own name appended, then the other sampled pages under two of them. A name is reported only if it is refused twice
 * while the same string with an invented name and our own name are served, and the edge does not just verify its visitors
 * ({@link treatmentOf}). A refused Googlebot alone proves nothing, since edges block it together with training crawlers. Nor does a 404 or
 * another status that is not a refusal. If no page proves anything, the home page decides, since the other pages are our choice.
 */
export const cBot03 = defineCheck({
  id: 'C-BOT-03',
  revision: 3,
  pillar: 'B',
  title: 'Server response to AI agents',
  shortName: 'Edge',
  answer: 'The server answers the agents that robots.txt allows.',
  explanation: `robots.txt may allow an AI agent while a CDN, firewall or bot rule in front of your site blocks it by name, often without you knowing. If you have verified that you own the site, we request the home page as ${formatList(TRIED_TOKENS)}, with our own name added to the User-Agent, unless robots.txt blocks them. We request the other sampled pages as two of them. If a name is refused, we try an invented name, Googlebot and other agents of the same vendor, to find out whether the name is the reason. Our requests come from our own IP address, so they show how your server treats a name, not what the real agent gets. The score measures readiness, not virtue: whom you let in is up to you.`,
  judgedBy: ['agents'],
  failures: {
    UA_REJECTED: {
      severity: 'SHUT_OUT',
      headline: 'The server blocks AI agents by name',
      fix: `Find the rule in your CDN, firewall, security plugin or web server that blocks these names. Let the agents named in the finding fetch the page.

${ADVICE}

${allowAgents()}`,
    },
    TIMEOUT: {
      severity: 'SHUT_OUT',
      headline: "Requests with AI agents' names get no response",
      fix: `Find the rule that slows down or drops requests with these names, such as a rate limit or a bot trap. Exempt the agents named in the finding.

${ADVICE}

${exemptAgentsFromLimit()}`,
    },
  },
  needs: ['agentReplies'],
  judge({ agentReplies: { pages, skipped, disallowed } }) {
    const home = groupTrials(pages[0], []);
    const otherPages = pages.slice(1).map((page, index) => groupTrials(page, pages.slice(0, index + 1)));
    const proven = [home, ...otherPages].filter(({ rejected, timedOut }) => rejected.length + timedOut.length > 0);
    if (proven.length > 0) {
      const isRefused = proven.some(({ rejected }) => rejected.length > 0);
      return fail(isRefused ? 'UA_REJECTED' : 'TIMEOUT', ...proven.flatMap(describeProven));
    }
    const others = describeOthers(otherPages, skipped);
    if (home.unproven.length > 0) return undetermined(describeUnproven(home), ...others);
    if (home.filtered.length > 0) return notApplicable(describeFiltered(home));
    const untried = listSafeText(disallowed.map((name) => term(name)));
    return pass(
      safeText`The home page is served to requests as ${listAgents(home.page.trials)}.`,
      ...others,
      ...[home, ...otherPages].map(describeShortText),
      disallowed.length > 0 ? safeText`Not tested, because robots.txt blocks them: ${untried}.` : null,
    );
  },
});

/** Trials of one page by outcome. */
interface PageTrials extends Readonly<Record<Exclude<Treatment, 'served'>, readonly AgentTrial[]>> {
  readonly page: AgentPage;
}

function groupTrials(page: AgentPage, others: readonly AgentPage[]): PageTrials {
  const byTreatment = Object.groupBy(page.trials, (trial) => treatmentOf(trial, page, others));
  return { rejected: [], timedOut: [], filtered: [], unproven: [], ...byTreatment, page };
}

function isClear({ filtered, unproven }: PageTrials): boolean {
  return filtered.length + unproven.length === 0;
}

function listAgents(trials: readonly AgentTrial[]): SafeText {
  return listSafeText(trials.map(({ agent }) => term(agent)));
}

/** Never says that an agent itself is blocked, since real agents use other IP ranges. */
function describeProven({ page, rejected, timedOut }: PageTrials): (SafeText | null)[] {
  const place = namePageFirst(page);
  const others = safeText`Requests with an invented name and with our own name, from the same IP address, are served.`;
  const refusals = rejected.map(({ agent, second }) =>
    second?.kind === 'refused' ? safeText`${term(agent)} (${describeCause(second.cause)})` : term(agent),
  );
  const googlebot = page.references.find(({ agent }) => agent === 'Googlebot');
  return [
    rejected.length > 0 ? safeText`${place}: requests as ${listSafeText(refusals)} are refused twice. ${others}` : null,
    timedOut.length > 0 ? safeText`${place}: requests as ${listAgents(timedOut)} time out twice. ${others}` : null,
    googlebot && isRefusal(googlebot.reply) ? safeText`Requests as Googlebot are also refused.` : null,
  ];
}

function describeCause(cause: Extract<AgentReply, { kind: 'refused' }>['cause']): SafeText {
  if (typeof cause === 'object') return safeText`status ${cause.status}`;
  if (cause === 'reset') return safeText`connection reset`;
  return cause === 'challenge' ? safeText`a challenge page` : safeText`a page with hardly any text`;
}

function describeUnproven({ unproven, page: { baseline } }: PageTrials): SafeText {
  const replies = unproven.map(({ first, second }) => second ?? first);
  const cause = replies.find((reply) => reply.kind === 'inconclusive')?.cause;
  const status = typeof cause === 'object' ? safeText` (status ${cause.status})` : safeText``;
  const doubt =
    baseline !== null && baseline.kind !== 'served'
      ? safeText`our second request under our own name failed as well`
      : safeText`we could not prove that the name is the reason${status}`;
  return safeText`The home page is not served to requests as ${listAgents(unproven)}, but ${doubt}. Run again later.`;
}

function describeFiltered({ filtered }: PageTrials): SafeText {
  return safeText`The home page is not served to requests as ${listAgents(filtered)}, but the name may not be the reason: ${explainFilter(filtered)}.`;
}

function explainFilter(filtered: readonly AgentTrial[]): SafeText {
  if (filtered.some(({ invented }) => isRefusal(invented)))
    return safeText`an invented name is refused as well, so the server filters all bots`;
  if (filtered.some(({ invented }) => invented === null))
    return safeText`robots.txt blocks the invented name that we compare it with`;
  return safeText`neither the vendor's other agents nor Googlebot were served, so the server may verify agents by IP address`;
}

/** Describes the other pages. They do not change the verdict, since they are requested only if the home page is served. */
function describeOthers(others: readonly PageTrials[], skipped: readonly number[]): (SafeText | null)[] {
  const listOf = (pages: readonly PageTrials[]): SafeText => listPages(pages.map(({ page }) => page.position));
  const served = others.filter(isClear);
  const inconclusive = others.filter((trials) => !isClear(trials));
  return [
    served.length > 0 ? safeText`Also served under every name that we tried: ${listOf(served)}.` : null,
    inconclusive.length > 0 ? safeText`No clear result: ${listOf(inconclusive)}.` : null,
    skipped.length > 0 ? safeText`Not tested: ${listPages(skipped)}.` : null,
  ];
}

function describeShortText({ page }: PageTrials): SafeText | null {
  const shortened = page.trials.filter(({ first, second }) => {
    const served = first.kind === 'served' ? first : second;
    return served?.kind === 'served' && served.textShare !== null && served.textShare < TEXT_SHARE_NOTED;
  });
  if (shortened.length === 0) return null;
  return safeText`${namePageFirst(page)}: less than half of the text is sent to ${listAgents(shortened)}.`;
}
