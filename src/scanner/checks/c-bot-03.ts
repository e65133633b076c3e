import {
  type AgentPage,
  type AgentReply,
  type AgentTrial,
  isTurnedAway,
  treatmentOf,
  type Treatment,
} from '../artifacts/agent-replies.js';
import { TRIED_TOKENS } from '../artifacts/agents/tokens.js';
import { formatList } from '../artifacts/counts.js';
import { listPages, namePageFirst } from '../artifacts/page-name.js';
import { describeFailure } from '../artifacts/resource.js';
import { joinSafeText, listSafeText, safeText, term, type SafeText } from '../artifacts/safe-text.js';
import { defineCheck } from '../verdict/check.js';
import { fail, notApplicable, pass, undetermined } from '../verdict/verdict.js';
import { admitAgents, exemptAgents } from './fixes.js';

/** A served page with less than this share of the baseline's text is worth a note. */
const TEXT_SHARE_NOTED = 0.5;

const ADVICE =
  'Allowing the address ranges that the vendors publish is safer than allowing the names alone. If you want to keep an agent out, disallow it in robots.txt instead. C-BOT-01 will then fail.';

/**
 * Does the edge (CDN, firewall, bot rules) serve the agents that robots.txt allows? Requests the home page under each agent's published
 * User-Agent with our own name appended, then the other sampled pages under two of them. A name is reported only if it is refused twice
 * while the same string with an invented name and our own name are served, and the edge does not just verify its visitors
 * ({@link treatmentOf}). Googlebot is evidence, but no veto: edges block it together with training crawlers. A 404 or another status that
 * is not a refusal proves nothing. If no page proves anything, the home page decides, since requests for further pages are our choice.
 */
export const cBot03 = defineCheck({
  id: 'C-BOT-03',
  revision: 3,
  pillar: 'B',
  scored: true,
  title: 'Server response to AI agents',
  shortName: 'Edge',
  answer: 'The server answers the agents that robots.txt allows.',
  explanation: `robots.txt may welcome an AI agent while the edge (a CDN, firewall or bot rule in front of your site) turns it away by its name, often without the owner knowing. If your ownership of the site is verified, we ask for the home page under the names of ${formatList(TRIED_TOKENS)}, with our own name added, unless robots.txt bars them, and for the other sampled pages under two of them. If one is refused, we try an invented name, Googlebot's and others of the same vendor, to see if the name is the reason. We ask from our own address, so this shows how your server treats a name, not what the agent itself is served. The score measures readiness, not virtue: whom you let in is your decision.`,
  judgedBy: ['agents'],
  failures: {
    UA_REJECTED: {
      severity: 'SHUT_OUT',
      headline: "The server refuses requests under AI agents' names",
      fix: `Find the rule that refuses these names in your CDN, firewall, security plugin or web server. Let the agents that the finding names through to the page that it names.

${ADVICE}

${admitAgents()}`,
    },
    TIMEOUT: {
      severity: 'SHUT_OUT',
      headline: "The server does not answer requests under AI agents' names",
      fix: `Find the rule that slows down or drops these names, such as a rate limit or a bot trap. Exempt the agents that the finding names on the page that it names.

${ADVICE}

${exemptAgents()}`,
    },
  },
  needs: ['agentReplies'],
  judge({ agentReplies: { pages, skipped, disallowed } }) {
    const home = treatmentsOf(pages[0], []);
    const others = pages.slice(1).map((page, at) => treatmentsOf(page, pages.slice(0, at + 1)));
    const proven = [home, ...others].filter((one) => one.rejected.length + one.timedOut.length > 0);
    if (proven.length > 0) {
      const isRefused = proven.some(({ rejected }) => rejected.length > 0);
      return fail(isRefused ? 'UA_REJECTED' : 'TIMEOUT', ...proven.flatMap(describeProven));
    }
    const leftOpen = describeLeftOpen(others, skipped);
    if (home.open.length > 0) return undetermined(describeOpen(home), leftOpen);
    if (home.filtered.length > 0) return notApplicable(describeFiltered(home));
    return pass(
      safeText`The home page is served under the names of ${listAgents(home.page.trials)}.`,
      describeServed(others),
      ...[home, ...others].map(describeThin),
      leftOpen,
      disallowed.length > 0
        ? safeText`Not tried, because robots.txt disallows them: ${listSafeText(disallowed.map((name) => term(name)))}.`
        : null,
    );
  },
});

/** The names that were tried on one page, by outcome. */
interface Treatments extends Readonly<Record<Exclude<Treatment, 'served'>, readonly AgentTrial[]>> {
  readonly page: AgentPage;
}

function treatmentsOf(page: AgentPage, others: readonly AgentPage[]): Treatments {
  const byStanding = Object.groupBy(page.trials, (trial) => treatmentOf(trial, page, others));
  return { rejected: [], timedOut: [], filtered: [], open: [], ...byStanding, page };
}

function isSettled({ filtered, open }: Treatments): boolean {
  return filtered.length + open.length === 0;
}

function listAgents(trials: readonly AgentTrial[]): SafeText {
  return listSafeText(trials.map(({ agent }) => term(agent)));
}

/** Real agents use other IP ranges, so we cannot tell whether they are blocked. */
function describeProven({ page, rejected, timedOut }: Treatments): SafeText[] {
  const place = namePageFirst(page);
  const others = safeText`while an invented name and this scanner's own are served (all from the same address)`;
  const googlebot = page.witnesses.find(({ agent }) => agent === 'Googlebot');
  return [
    ...(rejected.length > 0
      ? [safeText`${place}: these names are refused twice, ${others}: ${listSafeText(rejected.map(describeRefusal))}.`]
      : []),
    ...(timedOut.length > 0
      ? [safeText`${place}: these names get no answer, twice, ${others}: ${listAgents(timedOut)}.`]
      : []),
    ...(googlebot && isTurnedAway(googlebot.reply) ? [safeText`Googlebot's name is also refused there.`] : []),
  ];
}

function describeRefusal({ agent, second }: AgentTrial): SafeText {
  return second?.kind === 'refused' ? safeText`${term(agent)} (${describeCause(second.cause)})` : term(agent);
}

function describeCause(cause: Extract<AgentReply, { kind: 'refused' }>['cause']): SafeText {
  if (typeof cause === 'object') return safeText`status ${cause.status}`;
  if (cause === 'reset') return safeText`connection reset`;
  return cause === 'challenge' ? safeText`a challenge page` : safeText`a page with hardly any text`;
}

function describeOpen({ open, page: { baseline } }: Treatments): SafeText {
  const agents = listAgents(open);
  if (baseline !== null && baseline.kind !== 'served') {
    return safeText`The home page is not served under the names of ${agents}, but on the second try not to this scanner either. Run again later.`;
  }
  const cause = open.map(({ first, second }) => second ?? first).find((reply) => reply.kind === 'unsettled')?.cause;
  if (cause === undefined) {
    return safeText`The home page is not served under the names of ${agents}, but it is not proven that the name is the reason. Run again later.`;
  }
  const reason = typeof cause === 'object' ? safeText`status ${cause.status}` : describeFailure(cause);
  return safeText`It is not clear if the home page is served under the names of ${agents}: ${reason}. Run again later.`;
}

function describeFiltered({ filtered }: Treatments): SafeText {
  const has = (isSo: (reply: AgentReply | null) => boolean): boolean => filtered.some(({ invented }) => isSo(invented));
  const reasons = [
    ...(has((reply) => reply === null)
      ? [safeText`robots.txt disallows the invented name that it would be compared with`]
      : []),
    ...(has(isTurnedAway) ? [safeText`an invented name is also refused, so the server filters all bots`] : []),
    ...(has((reply) => reply?.kind === 'served')
      ? [safeText`neither another name of the vendor nor Googlebot's was served, so the server may verify its visitors`]
      : []),
  ];
  return safeText`The home page is not served under the names of ${listAgents(filtered)}, but nothing shows that the name is the reason: ${joinSafeText(reasons, '; ')}.`;
}

function describeServed(others: readonly Treatments[]): SafeText | null {
  const served = others.filter(isSettled);
  if (served.length === 0) return null;
  return safeText`So ${served.length === 1 ? term('is') : term('are')} ${listPages(served.map(({ page }) => page.position))} under each name that was tried there.`;
}

/** Unsettled pages do not change the verdict, since they are requested only if the home page is served. */
function describeLeftOpen(others: readonly Treatments[], skipped: readonly number[]): SafeText | null {
  const unsettled = others.filter((one) => !isSettled(one)).map(({ page }) => page.position);
  const parts = [
    ...(unsettled.length > 0 ? [safeText`${listPages(unsettled)} not settled`] : []),
    ...(skipped.length > 0 ? [safeText`${listPages(skipped)} not asked for`] : []),
  ];
  return parts.length === 0 ? null : safeText`Left open: ${joinSafeText(parts, ', ')}.`;
}

function describeThin({ page }: Treatments): SafeText | null {
  const thin = page.trials.filter(({ first, second }) => {
    const served = first.kind === 'served' ? first : second;
    return served?.kind === 'served' && served.textShare !== null && served.textShare < TEXT_SHARE_NOTED;
  });
  if (thin.length === 0) return null;
  const whose = page.position === 1 ? term('its text') : safeText`the text of page ${page.position}`;
  return safeText`Less than half of ${whose} goes to ${listAgents(thin)}.`;
}
