import { distinctBy } from '../../../net/keyed.js';
import { type Agent, type Resource, AGENTS } from './agents.js';

type Known = (typeof AGENTS)[number];
type Having<T> = Extract<Known, T>['token'];

export type AgentToken = Known['token'];
export type CoreToken = Having<{ role: 'core' }>;
export type TriedToken = Having<{ isTried: true }>;

/** The six agents behind the answers that most people see; blocking one of them fails C-BOT-01. */
export const CORE_TOKENS = AGENTS.filter((agent) => 'role' in agent && agent.role === 'core').map(tokenOf);

/** Agents that the detail of C-BOT-01 mentions if robots.txt blocks them. */
export const NOTED_TOKENS = AGENTS.filter((agent) => 'role' in agent && agent.role === 'noted').map(tokenOf);

export const TRIED_TOKENS = AGENTS.filter((agent) => 'isTried' in agent).map(tokenOf);

/** Training and opt-out tokens: blocking them expresses a preference for AI use. */
const TRAINERS = AGENTS.filter(({ purpose }) => purpose === 'training' || purpose === 'opt-out');
export const TRAINING_TOKENS = TRAINERS.map(tokenOf);

/** Training and opt-out tokens that their vendors describe today. */
export const TRAINING_CRAWLERS = TRAINERS.filter((agent) => !('group' in agent)).map(tokenOf);

/** Lower-case tokens of training, opt-out and ads agents, which owners may block without a finding. */
export const OWNERS_RIGHT: ReadonlySet<string> = new Set(
  [...TRAINERS, ...AGENTS.filter(({ purpose }) => purpose === 'ads')].map(({ token }) => token.toLowerCase()),
);

function tokenOf<T extends AgentToken>({ token }: { readonly token: T }): T {
  return token;
}

const BY_TOKEN: ReadonlyMap<string, Agent> = new Map(AGENTS.map((agent) => [agent.token, agent]));

/** Returns what its vendor says of an agent; undefined for an unknown token. */
export function agentOf(token: string): Agent | undefined {
  return BY_TOKEN.get(token);
}

export function ignoresRobots(token: string): boolean {
  return agentOf(token)?.obeys === 'no';
}

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

export function firstOfEachPurpose<T extends AgentToken>(tokens: readonly T[]): T[] {
  return distinctBy(tokens, (token) => agentOf(token)?.purpose);
}

/** An assistant that people ask. AGENTS has the source, the date and what its vendor says of each agent. */
interface AssistantSource {
  readonly name: string;
  /** Products that answer from what its agents read, where its name does not say so. */
  readonly products?: string;
  readonly tokens: readonly AgentToken[];
  /**
   * Its vendor tells sites how to verify its agents by their address, and firewalls do, so a test under such a name from another address
   * proves nothing. Read on 2026-11-29: developers.google.com/search/docs/advanced/crawling/verifying-googlebot and
   * www.bing.com/webmaster/help/how-to-verify-bingbot-3905dc26.
   */
  readonly isVerifiedByAddress?: true;
}

export const ASSISTANTS: readonly AssistantSource[] = [
  { name: 'ChatGPT', tokens: ['OAI-SearchBot', 'ChatGPT-User'] },
  { name: 'Claude', tokens: ['Claude-SearchBot', 'Claude-User'] },
  { name: 'Perplexity', tokens: ['PerplexityBot', 'Perplexity-User'] },
  { name: 'Google', products: 'AI Overviews, Gemini', tokens: ['Googlebot'], isVerifiedByAddress: true },
  { name: 'Microsoft Copilot', tokens: ['Bingbot'], isVerifiedByAddress: true },
];
