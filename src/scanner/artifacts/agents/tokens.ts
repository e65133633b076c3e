import type { Agent, PublishedUserAgent, Reading, Resource } from './agent.js';
import { AGENTS } from './agents.js';

type Known = (typeof AGENTS)[number];
type Having<T> = Extract<Known, T>['token'];

export type AgentToken = Known['token'];
export type CoreToken = Having<{ role: 'core' }>;
/** An agent whose treatment by the edge is tested (C-BOT-03). */
export type TriedToken = Having<{ isTried: true }>;

/** The six that feed the answers most people see; barring one of them fails C-BOT-01. */
export const CORE_TOKENS = AGENTS.filter((agent) => agent.role === 'core').map(({ token }) => token);

/** Said in the detail of C-BOT-01 if robots.txt bars them. */
export const NOTED_TOKENS = AGENTS.filter((agent) => agent.role === 'noted').map(({ token }) => token);

/** Agents of which C-BOT-03 sends the names. */
export const TRIED_TOKENS = AGENTS.filter((agent) => 'isTried' in agent).map(({ token }) => token);

/** Tokens that no agent follows: a group that names them addresses nobody. */
export const NOBODY_TOKENS = AGENTS.filter((agent) => 'group' in agent).map(({ token }) => token);

/** Lower-case tokens of training, opting out and ads: what a group says of them alone is the owner's right. */
export const OWNERS_RIGHT: ReadonlySet<string> = new Set(
  AGENTS.filter(({ purpose }) => purpose === 'training' || purpose === 'opt-out' || purpose === 'ads').map(
    ({ token }) => token.toLowerCase(),
  ),
);

/** Tokens of training and of opting out: barring them says something of AI use. */
export const TRAINING_TOKENS = AGENTS.filter(({ purpose }) => purpose === 'training' || purpose === 'opt-out').map(
  ({ token }) => token,
);

/** "a, b and c", for texts. */
export function writeTokens(tokens: readonly string[]): string {
  return `${tokens.slice(0, -1).join(', ')} and ${tokens.at(-1) ?? ''}`;
}

const BY_TOKEN: ReadonlyMap<string, Agent> = new Map(AGENTS.map((agent) => [agent.token, agent]));

/** How its vendor's parser reads robots.txt; null if that is unknown. */
export function readingOf(token: AgentToken): Reading | null {
  return BY_TOKEN.get(token)?.reading ?? null;
}

/** The tokens whose groups it follows if none names it. */
export function fallbacksOf(token: AgentToken): readonly string[] {
  return BY_TOKEN.get(token)?.fallbacks ?? [];
}

/** The other agents of its vendor that fetch pages to answer people. */
export function siblingsOf(token: AgentToken): readonly AgentToken[] {
  const vendor = BY_TOKEN.get(token)?.vendor;
  return AGENTS.filter(
    (agent) => agent.vendor === vendor && agent.token !== token && isAnswering(agent.purpose) && !('group' in agent),
  ).map((agent) => agent.token);
}

function isAnswering(purpose: Agent['purpose']): boolean {
  return purpose === 'search' || purpose === 'user';
}

/** Of these agents, the first of each purpose. */
export function firstOfEachPurpose<T extends AgentToken>(tokens: readonly T[]): T[] {
  const purposeOf = (token: AgentToken): string | undefined => BY_TOKEN.get(token)?.purpose;
  return tokens.filter((token, at) => tokens.findIndex((other) => purposeOf(other) === purposeOf(token)) === at);
}

/** Whether its vendor is known to read this kind of resource. */
export function isReaderOf(token: AgentToken, resource: Resource): boolean {
  return BY_TOKEN.get(token)?.reads?.includes(resource) === true;
}

/** The User-Agent that its vendor publishes; its token, where the vendor publishes no whole string. */
export function userAgentOf(token: AgentToken): PublishedUserAgent {
  return BY_TOKEN.get(token)?.userAgent ?? { before: '', name: token, after: '' };
}
