import { type AgentReplies, type AgentReply, treatmentOf } from '../artifacts/agent-replies.js';
import { ASSISTANTS, type AgentToken, ignoresRobots, TRAINING_CRAWLERS } from '../artifacts/agents.js';
import type { Answer, Assistant, AssistantToken, Training, UnknownReason } from '../artifacts/answer.js';
import { type Evidence, type EvidenceSet, valueOf } from '../artifacts/evidence.js';
import type { Home } from '../artifacts/pages.js';
import { isRobotsKnown, readableRobots, type PreferenceLine, type RobotsOutcome } from '../artifacts/robots.js';
import { parseContentUsage, parseContentSignal } from '../parsers/headers.js';
import { groupsNaming } from '../parsers/robots.js';
import { findDisallowedAgents, listDisallowed } from './bot-policy.js';

/** The evidence about one agent. */
interface AgentAccess extends AssistantToken {
  /** partly: the server refuses the name, but not on the home page. unproven: the test of the name was inconclusive. */
  readonly access: 'open' | 'partly' | 'blocked' | 'unproven' | 'unknown';
}

/** The agents of assistants that robots.txt disallows. */
interface Policy {
  /** Line of the deciding rule, by agent. */
  readonly lines: ReadonlyMap<AgentToken, number>;
  /** False if robots.txt may also disallow other agents. */
  readonly isCertain: boolean;
}

const TOKENS: readonly AgentToken[] = ASSISTANTS.flatMap(({ tokens }) => tokens);
const TRAINING_NAMES: ReadonlySet<string> = new Set(TRAINING_CRAWLERS.map((token) => token.toLowerCase()));
const ERROR_STATUS_MIN = 400;

/** Returns which assistants can read the site; null without the evidence of C-BOT-01, or if the site has moved. */
export function findAnswer({ home, robots, agentReplies }: Partial<EvidenceSet>): Answer | null {
  if (!home || !robots || valueOf(home)?.isElsewhere) return null;
  const reason = findUnreadReason(home, robots);
  const policy =
    reason === null
      ? readPolicy(valueOf(home), valueOf(robots))
      : { lines: new Map<AgentToken, number>(), isCertain: false };
  const replies = agentReplies ? valueOf(agentReplies) : null;
  const assistants = ASSISTANTS.map(({ name, tokens }) => {
    const agents = tokens.map((token) => accessOf(token, policy, replies));
    return summarize(name, agents, reason ?? 'wildcards');
  });
  return { assistants, training: findTraining(valueOf(home), valueOf(robots)) };
}

/** Returns why the home page or robots.txt could not be read; null if both were. */
function findUnreadReason(home: Evidence<Home>, robots: Evidence<RobotsOutcome>): UnknownReason | null {
  if ('failed' in home) {
    const { gap } = home.failed;
    if (gap === 'challenge') return 'challenge';
    return gap !== undefined && 'status' in gap ? 'error' : 'silent';
  }
  if (home.ok.status >= ERROR_STATUS_MIN) return 'error';
  return isRobotsKnown(valueOf(robots)) ? null : 'robots';
}

/** Applies the same rules as C-BOT-01. */
function readPolicy(home: Home | null, robots: RobotsOutcome | null): Policy {
  if (home === null || robots?.kind !== 'present') return { lines: new Map(), isCertain: true };
  const { onHome, onOthers, isCertain } = findDisallowedAgents(robots.value, home, TOKENS);
  return { lines: new Map([...onHome, ...onOthers].map(({ token, line }) => [token, line])), isCertain };
}

function accessOf(token: AgentToken, { lines, isCertain }: Policy, replies: AgentReplies | null): AgentAccess {
  const line = lines.get(token) ?? null;
  const untested = { token, line, server: 'untested', status: null } as const;
  if (line !== null) return { ...untested, robots: 'disallowed', access: 'blocked' };
  if (!isCertain) return { ...untested, robots: 'unknown', access: 'unknown' };
  return { token, robots: 'allowed', line, ...readServer(token, replies) };
}

/** Applies the rule of C-BOT-03: proof on one page is enough. */
function readServer(
  token: AgentToken,
  replies: AgentReplies | null,
): Pick<AgentAccess, 'server' | 'status' | 'access'> {
  const tried = (replies?.pages ?? []).flatMap((page, at, pages) =>
    page.trials
      .filter(({ agent }) => agent === token)
      .map((trial) => ({ ...trial, position: page.position, treatment: treatmentOf(trial, page, pages.slice(0, at)) })),
  );
  const proven = tried.find(({ treatment }) => treatment === 'rejected' || treatment === 'timedOut');
  if (proven) {
    const access = proven.position === 1 ? 'blocked' : 'partly';
    return { server: 'refused', status: statusOf(proven.second), access };
  }
  const [first] = tried;
  if (first === undefined) return { server: 'untested', status: null, access: 'open' };
  if (first.treatment === 'served') return { server: 'served', status: null, access: 'open' };
  return { server: 'untested', status: statusOf(first.second ?? first.first), access: 'unproven' };
}

function statusOf(reply: AgentReply | null): number | null {
  const cause = reply !== null && 'cause' in reply ? reply.cause : null;
  return cause !== null && typeof cause === 'object' ? cause.status : null;
}

/** @param unknownReason reported if an agent's access is unknown */
function summarize(name: string, agents: readonly AgentAccess[], unknownReason: UnknownReason): Assistant {
  const decisive = agents.filter(({ token }) => !ignoresRobots(token));
  const has = (access: AgentAccess['access']): boolean => decisive.some((agent) => agent.access === access);
  const tokens = agents.map(({ token, robots, line, server, status }) => ({ token, robots, line, server, status }));
  if (decisive.every(({ access }) => access === 'blocked')) return { name, state: 'blocked', tokens };
  if (has('blocked') || has('partly')) return { name, state: 'partly', tokens };
  if (has('unknown')) return { name, state: 'unknown', reason: unknownReason, tokens };
  if (has('unproven')) return { name, state: 'unknown', reason: 'unproven', tokens };
  return { name, state: 'open', tokens };
}

/** Reads the policy on training from robots.txt, Content-Signal and Content-Usage. A "no" for the whole site overrides every rule. */
function findTraining(home: Home | null, robots: RobotsOutcome | null): Training {
  if (home === null || !isRobotsKnown(robots)) return 'unknown';
  const statements = [...siteFields(robots), ...home.preferenceHeaders].flatMap(parseTraining);
  if (statements.includes(false)) return 'refused';
  const file = robots.kind === 'present' ? robots.value : null;
  const disallowed = file ? listDisallowed(file.robots, TRAINING_CRAWLERS, home.url) : [];
  if (disallowed.length > 0) return disallowed.length === TRAINING_CRAWLERS.length ? 'refused' : 'partly';
  const isNamed =
    file?.robots.groups.google.some(({ tokens }) => tokens.some((token) => TRAINING_NAMES.has(token))) === true;
  return isNamed || statements.length > 0 ? 'allowed' : 'unsaid';
}

type Field = Pick<PreferenceLine, 'field' | 'value'>;

/** Maximum number of fields that are read. No real site has that many. */
const FIELDS_MAX = 50;

/** Returns the preferences of robots.txt for all agents and the whole site. */
function siteFields(robots: RobotsOutcome): Field[] {
  const groups = groupsNaming(readableRobots(robots)?.robots.groups.rfc ?? [], '*');
  const fields = groups.flatMap(({ preferences }) => preferences);
  return fields.filter(({ value }) => !value.startsWith('/')).slice(0, FIELDS_MAX);
}

/** Returns each statement about training; true means allowed. */
function parseTraining({ field, value }: Field): boolean[] {
  if (field === 'content-usage') {
    const reading = parseContentUsage(value, false);
    const preference = reading.kind === 'read' ? reading.preferences.get('train-ai') : undefined;
    return preference === undefined ? [] : [preference === 'y'];
  }
  const { path, signals } = parseContentSignal(value);
  const training = signals.filter((signal) => signal.name === 'ai-train' && /^(?:yes|no)$/.test(signal.value));
  return path === null ? training.map((signal) => signal.value === 'yes') : [];
}
