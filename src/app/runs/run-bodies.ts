import { readFileSync } from 'node:fs';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Answer, Assistant, AssistantToken, Training } from '../../scanner/artifacts/answer.js';
import { ASSISTANTS } from '../../scanner/artifacts/agents/assistants.js';
import { type AgentToken, TRIED_TOKENS } from '../../scanner/artifacts/agents/tokens.js';
import type { ScanReport } from '../../scanner/scan/scan.js';

/** Advice with a run, which is stored with it but is no part of its response. */
export type Advice = Pick<ScanReport, 'notes' | 'gains' | 'movedTo' | 'gap'>;

/**
 * What bodies of runs have in common, such as the texts of the checks: a body of 18 kB shrinks to some 300 bytes. Stored runs are read with
 * it, so it never changes, even if the texts do. A better one gets the next number.
 */
const DICTIONARY_1 = readFileSync(new URL('run-dictionary-1.txt', import.meta.url));

/** The first byte of a stored body: the number of its dictionary. The rest is compressed by Zstandard (RFC 8878). */
const VERSION = 1;

const OPTIONS = {
  dictionary: DICTIONARY_1,
  params: {
    [constants.ZSTD_c_compressionLevel]: 9,
    [constants.ZSTD_c_checksumFlag]: 1,
    // Enough for the dictionary. The level's own tables are larger than the processor's cache and cost a fifth more.
    [constants.ZSTD_c_hashLog]: 15,
    [constants.ZSTD_c_chainLog]: 15,
  },
};

/** Most bodies with their advice fit in one. */
const CHUNK_BYTES = 32 * 1024;

/** Separates the response from the advice: serialized JSON has none. */
const NEWLINE = 0x0a;

const NO_ADVICE: Advice = { notes: [], gains: [], movedTo: null };

/** Compresses the serialized response of a run, followed by its advice. */
export function packRun(body: Uint8Array, report: Partial<Advice> = NO_ADVICE): Buffer {
  const { notes, gains, movedTo, gap } = { ...NO_ADVICE, ...report };
  const hasAdvice = notes.length + gains.length > 0 || movedTo !== null || gap !== undefined;
  const advice = JSON.stringify({ notes, gains, ...(movedTo !== null && { movedTo }), gap });
  const whole = hasAdvice ? Buffer.concat([body, Buffer.from(`\n${advice}`)]) : body;
  return Buffer.concat([Buffer.of(VERSION), zstdCompressSync(whole, OPTIONS)]);
}

/**
 * Returns the response byte for byte as it was given to {@link packRun}, and the advice.
 * @throws Error if they are damaged
 */
export function unpackRun(packed: Uint8Array): { readonly body: Buffer; readonly advice: Advice } {
  const whole = decompress(packed);
  const end = whole.indexOf(NEWLINE);
  if (end === -1) return { body: whole, advice: NO_ADVICE };
  const advice = JSON.parse(whole.toString('utf8', end + 1)) as Partial<Advice>;
  return { body: whole.subarray(0, end), advice: { ...NO_ADVICE, ...advice } };
}

/** Returns the response alone. @throws Error if it is damaged */
export function unpackBody(packed: Uint8Array): Buffer {
  const whole = decompress(packed);
  const end = whole.indexOf(NEWLINE);
  // A copy, since the body may stay in memory for long, and the decompressed buffer is larger.
  return Buffer.from(end === -1 ? whole : whole.subarray(0, end));
}

function decompress(packed: Uint8Array): Buffer {
  if (packed[0] !== VERSION) throw new Error(`the body of a run has the unknown form ${packed[0]}`);
  return zstdDecompressSync(packed.subarray(1), { dictionary: DICTIONARY_1, chunkSize: CHUNK_BYTES });
}

/**
 * The answer of a run as text, such as `1u` if every assistant can read the site: the version of the list of assistants, a letter for
 * training, a letter for each assistant, and what differs of each agent. Another list of assistants or agents needs the next version, so
 * that stored runs stay readable.
 */
const ANSWER_VERSION = '1';
const TOKENS: readonly AgentToken[] = ASSISTANTS.flatMap(({ tokens }) => tokens);
const TRIED: ReadonlySet<string> = new Set(TRIED_TOKENS);

type Letters<Word extends string> = Readonly<Record<Word, string>>;

const TRAINING: Letters<Training> = { allowed: 'a', refused: 'r', partly: 'p', unsaid: 'u', unknown: '?' };
const STATES: Letters<Exclude<Assistant['state'], 'unknown'>> = { open: 'o', partly: 'p', blocked: 'b' };
const REASONS = { silent: 'S', error: 'E', challenge: 'C', robots: 'R', wildcards: 'W', unproven: 'U' } as const;
const SERVERS: Letters<AssistantToken['server']> = { served: 's', refused: 'r', untested: 't' };
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
  return ANSWER_VERSION + TRAINING[training] + (differs ? states.join('') + tokens.slice(0, tokenCount).join(',') : '');
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
  if (packed?.[0] !== ANSWER_VERSION) return null;
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
    training: findKey(TRAINING, training) ?? 'unknown',
  };
}

function unpackState(letter: string): Pick<Assistant, 'state' | 'reason'> {
  const state = findKey(STATES, letter);
  return state ? { state } : { state: 'unknown', reason: findKey(REASONS, letter) ?? 'unproven' };
}

function unpackToken(token: AgentToken, code: string): AssistantToken {
  const { line, unknown, server, status } = TOKEN_CODE.exec(code)?.groups ?? {};
  const robots = line !== undefined ? 'disallowed' : unknown !== undefined ? 'unknown' : 'allowed';
  return {
    token,
    robots,
    line: line === undefined ? null : Number(line),
    server: (server === undefined ? undefined : findKey(SERVERS, server)) ?? defaultServer({ token, robots }),
    status: status ? Number(status) : null,
  };
}

function findKey<K extends string>(letters: Readonly<Record<K, string>>, letter: string): K | undefined {
  return (Object.keys(letters) as K[]).find((key) => letters[key] === letter);
}
