import { cBot03Failures } from '../failures/c-bot-03.js';
import { TRIED_TOKENS, writeTokens } from '../agents/tokens.js';
import { defineCheck } from '../findings/check.js';
import type { AgentReplies, AgentReply, AgentTrial } from '../evidence/agents.js';
import { describeFailure } from '../evidence/failure.js';
import { fail, notApplicable, pass, undetermined } from '../findings/verdict.js';
import type { SafeText } from '../evidence/safe-text.js';
import { listSafeText, sentences, term, safeText } from '../evidence/safe-text.js';

/** A served page with less than this share of the baseline's text is worth a note. */
const TEXT_SHARE_NOTED = 0.5;

/**
 * Does the edge (CDN, firewall, bot rules) serve the agents that robots.txt admits? Requests the home page under each agent's
 * published User-Agent with our own name appended. A name is charged only when it alone is refused, twice: the same string with
 * an invented name, Googlebot's name and our own name must pass; otherwise the edge judges something other than the name. A 404
 * or another status that is not a refusal proves nothing and leaves the question open.
 */
export const cBot03 = defineCheck({
  id: 'C-BOT-03',
  revision: 1,
  pillar: 'B',
  scored: true,
  title: 'The edge serves the agents that the policy admits',
  explanation: `robots.txt may welcome an AI agent while the edge (a CDN, firewall or bot rule in front of your site) turns it away by its name, often without the owner knowing. If your ownership of the site is verified, we ask for the home page under the names of ${writeTokens(TRIED_TOKENS)}, with our own name added, unless robots.txt bars them. An invented name and Googlebot's show whether the name is the reason. The score measures readiness, not virtue: whom you let in is your decision.`,
  fix: `Look for a rule that blocks AI bots or crawlers, and let the agents that the finding names through. Usual places: Cloudflare ("AI Crawl Control", "Block AI bots"), a firewall rule with a list of bots, a security plugin, or the web server. In nginx, where the first match counts, name them before the agents that you block:

map $http_user_agent $is_blocked {
  default 0;
  "~*(${TRIED_TOKENS.join('|')})" 0;
  "~*(GPTBot|CCBot|Bytespider)" 1;
}

It is safer to admit the address ranges that the vendors publish than the names alone. If the refusal is what you want, say the same in robots.txt:

User-agent: PerplexityBot
Disallow: /`,
  judgedBy: ['agents'],
  failures: cBot03Failures,
  needs: ['agentReplies'],
  judge({ agentReplies }) {
    const standings = agentReplies.trials.map((trial) => ({ trial, standing: standingOf(trial, agentReplies) }));
    const of = (wanted: Standing): AgentTrial[] =>
      standings.filter(({ standing }) => standing === wanted).map(({ trial }) => trial);
    const rejected = of('rejected');
    const timedOut = of('timed-out');
    const filtered = of('filtered');
    const open = of('open');

    if (rejected.length > 0) {
      const charge = safeText`These agents are refused twice, while an invented name, Googlebot and this scanner are served: ${listSafeText(rejected.map(describeRefusal))}.`;
      const also = timedOut.length > 0 ? safeText`These get no answer, twice: ${listAgents(timedOut)}.` : null;
      return fail('UA_REJECTED', sentences(charge, also));
    }
    if (timedOut.length > 0) {
      return fail(
        'TIMEOUT',
        safeText`These agents get no answer, twice, while an invented name, Googlebot and this scanner are served: ${listAgents(timedOut)}.`,
      );
    }
    if (open.length > 0) return undetermined(describeOpen(open, agentReplies));
    if (filtered.length > 0) {
      return notApplicable(
        safeText`The home page is not served to ${listAgents(filtered)}, but an invented name or Googlebot does not get it either: the server filters all bots or verifies who they are, so nothing shows that the name is the reason.`,
      );
    }
    return pass(describePass(agentReplies));
  },
});

/**
 * served: the name gets the page. rejected, timed-out: proven for this name. filtered: a control is refused too. open: nothing is
 * proven.
 */
type Standing = 'served' | 'rejected' | 'timed-out' | 'filtered' | 'open';

function standingOf({ first, second, invented }: AgentTrial, { googlebot, baseline }: AgentReplies): Standing {
  if (first.kind === 'served' || second?.kind === 'served') return 'served';
  if (isTurnedAway(invented) || isTurnedAway(googlebot)) return 'filtered';
  if (invented?.kind !== 'served' || googlebot?.kind !== 'served' || baseline?.kind !== 'served') return 'open';
  if (first.kind === 'refused' && second?.kind === 'refused') return 'rejected';
  if (first.kind === 'stalled' && second?.kind === 'stalled') return 'timed-out';
  return 'open';
}

function isTurnedAway(reply: AgentReply | null): boolean {
  return reply?.kind === 'refused' || reply?.kind === 'stalled';
}

function listAgents(trials: readonly AgentTrial[]): SafeText {
  return listSafeText(trials.map(({ agent }) => term(agent)));
}

function describeRefusal({ agent, second }: AgentTrial): SafeText {
  return second?.kind === 'refused' ? safeText`${term(agent)} (${describeCause(second.cause)})` : term(agent);
}

function describeCause(cause: Extract<AgentReply, { kind: 'refused' }>['cause']): SafeText {
  if (typeof cause === 'object') return safeText`status ${cause.status}`;
  if (cause === 'reset') return safeText`connection reset`;
  return cause === 'challenge' ? safeText`a challenge page` : safeText`a page with hardly any text`;
}

function describeOpen(open: readonly AgentTrial[], { baseline }: AgentReplies): SafeText {
  const agents = listAgents(open);
  if (baseline !== null && baseline.kind !== 'served') {
    return safeText`The home page is not served to ${agents}, but on the second try not to this scanner either. Run again later.`;
  }
  const cause = open.map(({ first, second }) => second ?? first).find((reply) => reply.kind === 'unsettled')?.cause;
  if (cause === undefined) {
    return safeText`The home page is not served to ${agents}, but it is not proven that the name is the reason. Run again later.`;
  }
  const reason = typeof cause === 'object' ? safeText`status ${cause.status}` : describeFailure(cause);
  return safeText`It is not clear whether ${agents} can get the home page: ${reason}. Run again later.`;
}

function describePass({ trials, barred }: AgentReplies): SafeText {
  const thin = trials.filter(({ first, second }) => {
    const served = first.kind === 'served' ? first : second;
    return served?.kind === 'served' && served.textShare !== null && served.textShare < TEXT_SHARE_NOTED;
  });
  return sentences(
    safeText`The home page is served to ${listAgents(trials)}.`,
    thin.length > 0 ? safeText`Less than half of its text goes to ${listAgents(thin)}.` : null,
    barred.length > 0
      ? safeText`Not tried, because robots.txt bars them: ${listSafeText(barred.map((name) => term(name)))}.`
      : null,
  );
}
