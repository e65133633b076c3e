import type { Answer, Assistant, AssistantToken, Training, UnknownReason } from '../../scanner/artifacts/answer.js';
import { ASSISTANTS } from '../../scanner/artifacts/agents/assistants.js';
import { type AgentToken, TRIED_TOKENS } from '../../scanner/artifacts/agents/tokens.js';

/**
 * The answer of a run as text, such as `1u` if every assistant can read the site: the version of the list of assistants, a letter for
 * training, a letter for each assistant, and what differs of each agent. Another list of assistants or agents needs the next version, so
 * that stored runs stay readable.
 */
const VERSION = '1';
const TOKENS: readonly AgentToken[] = ASSISTANTS.flatMap(({ tokens }) => tokens);
const TRIED: ReadonlySet<string> = new Set(TRIED_TOKENS);

const TRAINING: Readonly<Record<Training, string>> = {
  allowed: 'a',
  refused: 'r',
  partly: 'p',
  unsaid: 'u',
  unknown: '?',
};
const STATES: Readonly<Record<Exclude<Assistant['state'], 'unknown'>, string>> = {
  open: 'o',
  partly: 'p',
  blocked: 'b',
};
const REASONS: Readonly<Record<UnknownReason, string>> = {
  ...{ silent: 'S', error: 'E', challenge: 'C', robots: 'R', wildcards: 'W', unproven: 'U' },
};
const SERVERS: Readonly<Record<AssistantToken['server'], string>> = { served: 's', refused: 'r', untested: 't' };
const TOKEN_CODE = /^(?:d(?<line>\d+)|(?<unknown>\?))?(?:(?<server>[srt])(?<status>\d*))?$/;

export function packAnswer(answer: Answer | null): string | null {
  if (answer === null) return null;
  const { assistants, training } = answer;
  const states = assistants.map(({ state, reason = 'unproven' }) =>
    state === 'unknown' ? REASONS[reason] : STATES[state],
  );
  const tokens = assistants.flatMap((assistant) => assistant.tokens.map(packToken));
  const tokenCount = tokens.findLastIndex((token) => token !== '') + 1;
  const differs = tokenCount > 0 || states.some((state) => state !== STATES.open);
  return VERSION + TRAINING[training] + (differs ? states.join('') + tokens.slice(0, tokenCount).join(',') : '');
}

function packToken(agent: AssistantToken): string {
  const { robots, line, server, status } = agent;
  const said = robots === 'disallowed' ? `d${line}` : robots === 'unknown' ? '?' : '';
  return said + (server === defaultServer(agent) && status === null ? '' : `${SERVERS[server]}${status ?? ''}`);
}

/** What a site that is open and verified answers. */
function defaultServer({ token, robots }: Pick<AssistantToken, 'token' | 'robots'>): AssistantToken['server'] {
  return robots === 'allowed' && TRIED.has(token) ? 'served' : 'untested';
}

/** Null for a run without an answer, and for one of a version that this build does not know. */
export function unpackAnswer(packed: string | null): Answer | null {
  if (packed?.[0] !== VERSION) return null;
  const [, training = '', ...rest] = packed;
  const states = rest.slice(0, ASSISTANTS.length);
  const tokenCodes = rest.slice(ASSISTANTS.length).join('').split(',');
  const tokens = TOKENS.map((token, at) => unpackToken(token, tokenCodes[at] ?? ''));
  return {
    assistants: ASSISTANTS.map(({ name, tokens: own }, at) => ({
      name,
      ...unpackState(states[at] ?? STATES.open),
      tokens: tokens.filter(({ token }) => (own as readonly string[]).includes(token)),
    })),
    training: keyOf(TRAINING, training) ?? 'unknown',
  };
}

function unpackState(letter: string): Pick<Assistant, 'state' | 'reason'> {
  const state = keyOf(STATES, letter);
  return state ? { state } : { state: 'unknown', reason: keyOf(REASONS, letter) ?? 'unproven' };
}

function unpackToken(token: AgentToken, code: string): AssistantToken {
  const { line, unknown, server, status } = TOKEN_CODE.exec(code)?.groups ?? {};
  const robots = line !== undefined ? 'disallowed' : unknown !== undefined ? 'unknown' : 'allowed';
  return {
    ...{ token, robots, line: line === undefined ? null : Number(line) },
    server: (server === undefined ? undefined : keyOf(SERVERS, server)) ?? defaultServer({ token, robots }),
    status: status ? Number(status) : null,
  };
}

function keyOf<K extends string>(letters: Readonly<Record<K, string>>, letter: string): K | undefined {
  return (Object.keys(letters) as K[]).find((key) => letters[key] === letter);
}
