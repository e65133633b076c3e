import { distinctBy } from '../../../net/keyed.js';
import { type Agent, type Resource, AGENTS } from './agents.js';

type Known = (typeof AGENTS)[number];
type Having<T> = Extract<Known, T>['token'];

export type AgentToken = Known['token'];
export type CoreToken = Having<{ role: 'core' }>;
/** An agent whose treatment by the edge is tested (C-BOT-03). */
export type TriedToken = Having<{ isTried: true }>;

/** The six agents behind the answers that most people see; blocking one of them fails C-BOT-01. */
export const CORE_TOKENS = AGENTS.filter((agent) => agent.role === 'core').map(({ token }) => token);

/** Agents that the detail of C-BOT-01 mentions if robots.txt blocks them. */
export const NOTED_TOKENS = AGENTS.filter((agent) => agent.role === 'noted').map(({ token }) => token);

/** Agents whose names C-BOT-03 sends. */
export const TRIED_TOKENS = AGENTS.filter((agent) => 'isTried' in agent).map(({ token }) => token);

/** Lower-case tokens of training, opt-out and ads agents, which owners may block without a finding. */
export const OWNERS_RIGHT: ReadonlySet<string> = new Set(
  AGENTS.filter(({ purpose }) => purpose === 'training' || purpose === 'opt-out' || purpose === 'ads').map(
    ({ token }) => token.toLowerCase(),
  ),
);

/** Training and opt-out tokens: blocking them expresses a preference for AI use. */
export const TRAINING_TOKENS = AGENTS.filter(({ purpose }) => purpose === 'training' || purpose === 'opt-out').map(
  ({ token }) => token,
);

/** Training and opt-out tokens that their vendors describe today. */
export const TRAINING_CRAWLERS = AGENTS.filter(
  (agent) => (agent.purpose === 'training' || agent.purpose === 'opt-out') && !('group' in agent),
).map(({ token }) => token);

const BY_TOKEN: ReadonlyMap<string, Agent> = new Map(AGENTS.map((agent) => [agent.token, agent]));

/** Returns what its vendor says of an agent; undefined for an unknown token. */
export function agentOf(token: string): Agent | undefined {
  return BY_TOKEN.get(token);
}

/** True if the vendor says that the agent does not follow robots.txt. */
export function ignoresRobots(token: string): boolean {
  return agentOf(token)?.obeys === 'no';
}

/** True if the agent is known to read this kind of resource. */
export function isReaderOf(token: AgentToken, resource: Resource): boolean {
  return agentOf(token)?.reads?.includes(resource) === true;
}

/** Returns the vendor's other agents that fetch pages to answer people. */
export function siblingsOf(token: AgentToken): readonly AgentToken[] {
  const vendor = agentOf(token)?.vendor;
  const isAnswering = ({ purpose }: Agent): boolean => purpose === 'search' || purpose === 'user';
  return AGENTS.filter(
    (agent) => agent.vendor === vendor && agent.token !== token && isAnswering(agent) && !('group' in agent),
  ).map((agent) => agent.token);
}

/** Returns the first of these agents for each purpose. */
export function firstOfEachPurpose<T extends AgentToken>(tokens: readonly T[]): T[] {
  return distinctBy(tokens, (token) => agentOf(token)?.purpose);
}
