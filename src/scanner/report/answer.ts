import { ASSISTANTS, agentOf, ignoresRobots } from '../artifacts/agents.js';
import { formatList } from '../artifacts/counts.js';
import type { Answer, Assistant, AssistantToken, Training, UnknownReason } from '../artifacts/answer.js';

/** The answer's line about one assistant, such as `ChatGPT: Partly: it can open your pages …`. */
export interface AnswerLine {
  readonly name: string;
  /** The name with its products: `Google (AI Overviews, Gemini)`. */
  readonly label: string;
  readonly state: Assistant['state'];
  /** True if the server served at least one of its agents. */
  readonly isTested: boolean;
  /** Such as `Partly`. */
  readonly verdict: string;
  /** Text after the verdict, such as `: it can open your pages …`; may be empty. */
  readonly rest: string;
}

const REASONS: Readonly<Record<Exclude<UnknownReason, 'unproven'>, string>> = {
  silent: 'your site did not answer',
  error: 'your home page returns an error',
  challenge: 'your site returns a bot challenge',
  robots: 'robots.txt could not be read',
  wildcards: 'robots.txt has too many wildcards to compare',
};

export const TRAINING_WORDS: Readonly<Record<Training, string>> = {
  allowed: 'Allowed',
  refused: 'Refused',
  partly: 'Refused for some crawlers',
  unsaid: 'Not mentioned',
  unknown: 'Unknown',
};

const STATES: readonly unknown[] = ['open', 'partly', 'blocked', 'unknown'] satisfies Assistant['state'][];

/** True if the value has only our own words and numbers, so that a report from someone else cannot inject text. */
export function isAnswer(value: { readonly assistants?: unknown; readonly training?: unknown }): value is Answer {
  const { assistants, training } = value;
  return Object.hasOwn(TRAINING_WORDS, String(training)) && Array.isArray(assistants) && assistants.every(isAssistant);
}

function isAssistant(value: unknown): boolean {
  const { name, state, reason = 'unproven', tokens } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const ownTokens: readonly unknown[] | undefined = ASSISTANTS.find((source) => source.name === name)?.tokens;
  const isIntegerOrNull = (field: unknown): boolean => field === null || Number.isSafeInteger(field);
  const isToken = (entry: Partial<AssistantToken> | null): boolean =>
    ownTokens?.includes(entry?.token) === true && isIntegerOrNull(entry?.line) && isIntegerOrNull(entry?.status);
  const isValid = STATES.includes(state) && (reason === 'unproven' || Object.hasOwn(REASONS, String(reason)));
  return isValid && Array.isArray(tokens) && tokens.every(isToken);
}

/** Names the assistants with the worst access: blocked, partly or unknown. Claims no access if no server was tested. */
export function headlineOfAnswer({ assistants }: Answer): string {
  const namesOf = (state: Assistant['state']): string => {
    const names = assistants.filter((one) => one.state === state).map(({ name }) => name);
    return names.length === assistants.length ? 'AI assistants' : formatList(names);
  };
  const blocked = namesOf('blocked');
  if (blocked !== '') return `${blocked} can't read this site`;
  const partly = namesOf('partly');
  if (partly !== '') return `${partly} can't fully read this site`;
  const unknown = namesOf('unknown');
  if (unknown !== '') return `We can't tell whether ${unknown} can read this site`;
  const isTested = assistants.some(({ tokens }) => tokens.some(({ server }) => server === 'served'));
  return isTested
    ? 'AI assistants can read this site'
    : 'AI assistants are allowed in, but your firewall is not tested';
}

export function linesOfAnswer({ assistants }: Answer): AnswerLine[] {
  return assistants.map((assistant) => {
    const { name, state, tokens } = assistant;
    const isTested = tokens.some(({ server }) => server === 'served');
    const products = ASSISTANTS.find((source) => source.name === name)?.products;
    const [verdict, rest] = describeAccess(assistant);
    return { name, label: products === undefined ? name : `${name} (${products})`, state, isTested, verdict, rest };
  });
}

/** Renders an answer as a Markdown list. @param emphasis marks around each verdict */
export function listAnswer(answer: Answer, emphasis: '' | '**' = '**'): string {
  const lines = linesOfAnswer(answer).map(
    ({ label, verdict, rest }) => `- ${label}: ${emphasis}${verdict}${emphasis}${rest}`,
  );
  return [...lines, `- Training: ${TRAINING_WORDS[answer.training]}`].join('\n');
}

/** Returns what blocks the assistant, such as `robots.txt, line 7`; null if nothing does, or if that is unknown. */
export function describeBlock({ state, tokens }: Assistant): string | null {
  const decisive = tokens.filter(({ token }) => !ignoresRobots(token));
  if (state === 'partly') return describePart(decisive);
  return state === 'blocked' ? describeCauses(decisive) : null;
}

function describeAccess(assistant: Assistant): readonly [verdict: string, rest: string] {
  switch (assistant.state) {
    case 'open':
      return describeOpenAccess(assistant);
    case 'partly':
      return ['Partly', `: ${describeBlock(assistant)}${describeRemedy(assistant)}`];
    case 'blocked':
      return ['No', `${describeRefusal(assistant)}${describeRemedy(assistant)}`];
    case 'unknown':
      return ['Unknown', `: ${describeReason(assistant)}`];
  }
}

function describeOpenAccess({ name, tokens }: Assistant): readonly [verdict: string, rest: string] {
  const untested = tokens.filter(({ server }) => server === 'untested').map(({ token }) => token);
  if (untested.length < tokens.length) {
    return ['Yes', untested.length === 0 ? '' : `. Not tested: ${formatList(untested)}`];
  }
  const [token = ''] = untested;
  const isVerified = ASSISTANTS.some((source) => source.name === name && source.isVerifiedByAddress);
  return [
    'Allowed by robots.txt',
    isVerified
      ? `. We can’t test your firewall for ${token}: only ${agentOf(token)?.vendor} has its IP addresses`
      : '. Not tested: your firewall',
  ];
}

function describePart(decisive: readonly AssistantToken[]): string {
  const blocked = decisive.filter(isBlocked);
  const [first] = blocked;
  if (first === undefined) return '';
  const causes = describeCauses(blocked);
  if (blocked.length === decisive.length) return `${causes} on some pages`;
  const part =
    agentOf(first.token)?.purpose === 'search'
      ? "it can open your pages when someone asks, but can't list them in its search"
      : "it can list your pages in its search, but can't open them when someone asks";
  return `${part} (${first.token}: ${causes})`;
}

/** Says how to admit an agent that robots.txt disallows. Empty if C-BOT-01 fails, since that finding has the fix. */
function describeRemedy({ tokens }: Assistant): string {
  const disallowed = tokens.filter(({ token, robots }) => robots === 'disallowed' && !ignoresRobots(token));
  const [first] = disallowed;
  if (first === undefined || disallowed.some(({ token }) => agentOf(token)?.role === 'core')) return '';
  return `. ${first.line === null ? 'Add' : 'Remove that line, or add'} a group that allows ${first.token}`;
}

function isBlocked({ robots, server }: AssistantToken): boolean {
  return robots === 'disallowed' || server === 'refused';
}

/** Describes what blocks agents: `robots.txt, lines 7 and 9`, `your server returns 403`, or both. */
function describeCauses(blocked: readonly AssistantToken[]): string {
  const { lines, servers } = listCauses(blocked);
  return [...(lines === null ? [] : [`robots.txt, ${lines}`]), ...servers].join('; ');
}

/** Returns the text after `No`: `, blocked by line 7 of robots.txt` or `: your server returns 403`. */
function describeRefusal({ tokens }: Assistant): string {
  const { lines, servers } = listCauses(tokens.filter(({ token }) => !ignoresRobots(token)));
  if (lines === null) return `: ${servers.join('; ')}`;
  return [`, blocked by ${lines} of robots.txt`, ...servers].join('; ');
}

function listCauses(blocked: readonly AssistantToken[]) {
  const lines = [...new Set(blocked.flatMap(({ line }) => line ?? []))];
  const servers = blocked
    .filter(({ server }) => server === 'refused')
    .map(({ status }) => (status === null ? 'your server refuses it' : `your server returns ${status}`));
  return {
    lines: lines.length === 0 ? null : `${lines.length === 1 ? 'line' : 'lines'} ${formatList(lines)}`,
    servers: [...new Set(servers)],
  };
}

function describeReason({ reason = 'unproven', tokens }: Assistant): string {
  if (reason !== 'unproven') return REASONS[reason];
  const answered = tokens.find(({ server, status }) => server === 'untested' && status !== null);
  return answered
    ? `your server returned ${answered.status} to ${answered.token}, which may have another cause`
    : 'our test of your server gave no clear result';
}
