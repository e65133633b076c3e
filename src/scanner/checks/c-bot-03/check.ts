import { cBot03Failures } from './failures.js';
import { TRIED_TOKENS, writeTokens } from '../../artifacts/agents/tokens.js';
import { defineCheck } from '../../verdict/check.js';
import type { Standing } from '../../artifacts/agent-standing.js';
import { isTurnedAway, standingOf } from '../../artifacts/agent-standing.js';
import type { AgentPage, AgentReply, AgentTrial } from '../../artifacts/agent-replies.js';
import { describeFailure } from '../../artifacts/resource.js';
import { fail, notApplicable, pass, undetermined } from '../../verdict/verdict.js';
import { listPages, namePageFirst } from '../../artifacts/page-name.js';
import type { SafeText } from '../../artifacts/safe-text.js';
import { joinSafeText, listSafeText, sentences, term, safeText } from '../../artifacts/safe-text.js';

/** A served page with less than this share of the baseline's text is worth a note. */
const TEXT_SHARE_NOTED = 0.5;

/**
 * Does the edge (CDN, firewall, bot rules) serve the agents that robots.txt admits? Requests the home page under each agent's
 * published User-Agent with our own name appended, then the other sampled pages under two of them. A name is charged only when it is
 * turned away twice, while the same string with an invented name and our own name are served, and the edge does not merely verify who
 * comes ({@link standingOf}). Googlebot is a witness, no veto: edges block it along with others' training crawlers. A 404 or another
 * status that is not a refusal proves nothing. Where no page proves anything the home page decides, lest our own knocking at further
 * pages costs the site its verdict.
 */
export const cBot03 = defineCheck({
  id: 'C-BOT-03',
  revision: 2,
  pillar: 'B',
  scored: true,
  title: 'The edge serves the agents that the policy admits',
  shortName: 'Edge',
  answer: 'The server answers the agents that robots.txt lets in.',
  explanation: `robots.txt may welcome an AI agent while the edge (a CDN, firewall or bot rule in front of your site) turns it away by its name, often without the owner knowing. If your ownership of the site is verified, we ask for the home page under the names of ${writeTokens(TRIED_TOKENS)}, with our own name added, unless robots.txt bars them, and for the other sampled pages under two of them. Where one is turned away, we try an invented name, Googlebot's and others of the same vendor, to see if the name is the reason. We ask from our own address, so this shows how your server treats a name, not what the agent itself is served. The score measures readiness, not virtue: whom you let in is your decision.`,
  judgedBy: ['agents'],
  failures: cBot03Failures,
  examples: () => import('./examples.js'),
  needs: ['agentReplies'],
  judge({ agentReplies: { pages, unasked, barred } }) {
    const home = standingsOf(pages[0], []);
    const others = pages.slice(1).map((page, at) => standingsOf(page, pages.slice(0, at + 1)));
    const proven = [home, ...others].filter(({ rejected, timedOut }) => rejected.length + timedOut.length > 0);
    if (proven.length > 0) {
      const isRefused = proven.some(({ rejected }) => rejected.length > 0);
      return fail(isRefused ? 'UA_REJECTED' : 'TIMEOUT', sentences(...proven.flatMap(describeProven)));
    }
    const leftOpen = describeLeftOpen(others, unasked);
    if (home.open.length > 0) return undetermined(sentences(describeOpen(home), leftOpen));
    if (home.filtered.length > 0) return notApplicable(describeFiltered(home));
    return pass(
      sentences(
        safeText`The home page is served under the names of ${listAgents(home.page.trials)}.`,
        describeServed(others),
        ...[home, ...others].map(describeThin),
        leftOpen,
        barred.length > 0
          ? safeText`Not tried, because robots.txt bars them: ${listSafeText(barred.map((name) => term(name)))}.`
          : null,
      ),
    );
  },
});

/** The names that were tried on one page, by how they stand there. */
interface Standings {
  readonly page: AgentPage;
  readonly rejected: readonly AgentTrial[];
  readonly timedOut: readonly AgentTrial[];
  readonly filtered: readonly AgentTrial[];
  readonly open: readonly AgentTrial[];
}

function standingsOf(page: AgentPage, others: readonly AgentPage[]): Standings {
  const of = (wanted: Standing): AgentTrial[] =>
    page.trials.filter((trial) => standingOf(trial, page, others) === wanted);
  return { page, rejected: of('rejected'), timedOut: of('timed-out'), filtered: of('filtered'), open: of('open') };
}

function isSettled({ filtered, open }: Standings): boolean {
  return filtered.length + open.length === 0;
}

function listAgents(trials: readonly AgentTrial[]): SafeText {
  return listSafeText(trials.map(({ agent }) => term(agent)));
}

/** That the real agents are turned away, too, is not known: they come from other addresses. */
function describeProven({ page, rejected, timedOut }: Standings): SafeText[] {
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
    ...(googlebot && isTurnedAway(googlebot.reply) ? [safeText`Googlebot's name is turned away there, too.`] : []),
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

function describeOpen({ open, page: { baseline } }: Standings): SafeText {
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

function describeFiltered({ filtered }: Standings): SafeText {
  const has = (isSo: (reply: AgentReply | null) => boolean): boolean => filtered.some(({ invented }) => isSo(invented));
  const reasons = [
    ...(has((reply) => reply === null)
      ? [safeText`robots.txt bars the invented name that would be compared with it`]
      : []),
    ...(has(isTurnedAway) ? [safeText`an invented name is turned away, too, so the server filters all bots`] : []),
    ...(has((reply) => reply?.kind === 'served')
      ? [
          safeText`no other name of the vendor is seen to be served, nor Googlebot's, so the server may verify who comes`,
        ]
      : []),
  ];
  return safeText`The home page is not served under the names of ${listAgents(filtered)}, but nothing shows that the name is the reason: ${joinSafeText(reasons, '; ')}.`;
}

function describeServed(others: readonly Standings[]): SafeText | null {
  const served = others.filter(isSettled);
  if (served.length === 0) return null;
  return safeText`So ${served.length === 1 ? term('is') : term('are')} ${listPages(served.map(({ page }) => page.position))} under each name that was tried there.`;
}

/** Pages that could not be settled change no verdict: they are asked for only because the home page is served. */
function describeLeftOpen(others: readonly Standings[], unasked: readonly number[]): SafeText | null {
  const unsettled = others.filter((one) => !isSettled(one)).map(({ page }) => page.position);
  const parts = [
    ...(unsettled.length > 0 ? [safeText`${listPages(unsettled)} not settled`] : []),
    ...(unasked.length > 0 ? [safeText`${listPages(unasked)} not asked for`] : []),
  ];
  return parts.length === 0 ? null : safeText`Left open: ${joinSafeText(parts, ', ')}.`;
}

function describeThin({ page }: Standings): SafeText | null {
  const thin = page.trials.filter(({ first, second }) => {
    const served = first.kind === 'served' ? first : second;
    return served?.kind === 'served' && served.textShare !== null && served.textShare < TEXT_SHARE_NOTED;
  });
  if (thin.length === 0) return null;
  const whose = page.position === 1 ? term('its text') : safeText`the text of page ${page.position}`;
  return safeText`Less than half of ${whose} goes to ${listAgents(thin)}.`;
}
