import { ASSISTANTS, TRIED_TOKENS } from '../../src/scanner/artifacts/agents.js';
import type { Answer, Assistant, AssistantToken, Training } from '../../src/scanner/artifacts/answer.js';

/** A line of robots.txt disallows the agent. */
export const disallowed = (line: number) => ({ robots: 'disallowed', line, server: 'untested' }) as const;
/** The server refuses the agent. */
export const refused = (status: number) => ({ server: 'refused', status }) as const;

type Other = Partial<Omit<Assistant, 'name' | 'tokens'>> & { readonly tokens?: readonly Partial<AssistantToken>[] };

/** Every assistant can read the site, but for what is said of others: of their agents in order, what is not as usual. */
export function answerWith(others: Readonly<Record<string, Other>> = {}, training: Training = 'unsaid'): Answer {
  const assistants = ASSISTANTS.map(({ name, tokens }): Assistant => {
    const { tokens: ofTokens = [], ...other } = others[name] ?? {};
    return {
      name,
      state: 'open',
      ...other,
      tokens: tokens.map((token, at) => {
        const server = TRIED_TOKENS.some((tried) => tried === token) ? 'served' : 'untested';
        return { token, robots: 'allowed', line: null, server, status: null, ...ofTokens[at] } as const;
      }),
    };
  });
  return { assistants, training };
}

export const ALL_OPEN = answerWith();
export const CHATGPT_BLOCKED = answerWith({ ChatGPT: { state: 'blocked', tokens: [disallowed(7), disallowed(7)] } });
export const CHATGPT_REFUSED = answerWith({ ChatGPT: { state: 'blocked', tokens: [refused(403), refused(403)] } });
const UNREAD = { robots: 'unknown', server: 'untested' } as const;
const unknownBecause = (reason: 'robots' | 'silent') =>
  answerWith(
    Object.fromEntries(
      ASSISTANTS.map(({ name }) => [name, { state: 'unknown', reason, tokens: [UNREAD, UNREAD] } as const]),
    ),
    'unknown',
  );
/** robots.txt cannot be read. */
export const UNKNOWN = unknownBecause('robots');
/** The site does not answer. */
export const SILENT = unknownBecause('silent');
