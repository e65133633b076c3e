import { readFileSync } from 'node:fs';
import { FETCH_FAILURES, type FetchFailure } from '../../net/failure.js';
import { formatCount } from '../artifacts/counts.js';
import type { FailureKind } from '../verdict/finding.js';

export interface ExampleAnswer {
  /** 200 by default. */
  readonly status?: number;
  /** The Content-Type; by default {@link typeByExtension}. Null sends none. */
  readonly type?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | LongBody;
  /** Set if the exchange fails in this way; the other fields are then ignored. */
  readonly failure?: FetchFailure;
  /** Another response for some requests. */
  readonly instead?: Instead;
}

/** A text that is too long to write out. */
export interface LongBody {
  readonly before: string;
  /** Without its line break. */
  readonly line: string;
  readonly times: number;
  readonly after: string;
}

interface Instead {
  /** Requests whose Accept header begins with this media type, or whose User-Agent has one of these names. */
  readonly to: { readonly mediaType: string } | { readonly names: readonly string[] };
  readonly answer: ExampleAnswer;
}

/**
 * Responses by path of https://www.example.com, or by address of another host; a string is a body. By default, the site has a plain home
 * page that links to /start, a page there, and answers 404 elsewhere.
 */
export type ExampleAnswers = Readonly<Record<string, ExampleAnswer | string>>;

/** A site that fails in one way, and its responses after the fix. */
export interface Example {
  readonly failing: ExampleAnswers;
  readonly passing: ExampleAnswers;
  /** Other ways to fix it, by description. */
  readonly otherwise?: Readonly<Record<string, ExampleAnswers>>;
  /** The lines that fail; by default, those that only the failing site has. */
  readonly failingLines?: readonly string[];
}

/** Examples by check and error type, which `make generate` collects from test/examples. */
const EXAMPLES = JSON.parse(
  readFileSync(new URL('../../../generated/examples.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, Readonly<Record<string, Example>>>>;

/** Returns the example of a failure; undefined if no check fails like this. */
export function exampleOf({ checkId, errorType }: FailureKind): Example | undefined {
  return EXAMPLES[checkId]?.[errorType];
}

const TYPES: Readonly<Record<string, string>> = {
  txt: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  xml: 'application/xml',
  json: 'application/json',
  yaml: 'application/yaml',
  gz: 'application/gzip',
};

export function typeByExtension(path: string): string {
  return TYPES[/\.([a-z]+)$/.exec(path)?.[1] ?? ''] ?? 'text/html; charset=utf-8';
}

export interface ShownAnswer {
  /** Such as "/llms.txt, to a User-Agent with PerplexityBot". */
  readonly request: string;
  /** Such as "200, text/plain", or "200, text/plain, 25,000 lines like …" if the body is too long to show. */
  readonly answer: string;
  /** Null if it is empty or too long to show. */
  readonly body: string | null;
}

export function showAnswers(answers: ExampleAnswers): ShownAnswer[] {
  return Object.entries(answers).flatMap(([address, given]) => {
    const answer = typeof given === 'string' ? { body: given } : given;
    const { instead } = answer;
    const shown = showAnswer(address, address, answer);
    return instead === undefined
      ? [shown]
      : [shown, showAnswer(address, `${address}, ${describeRequests(instead.to)}`, instead.answer)];
  });
}

function showAnswer(address: string, request: string, answer: ExampleAnswer): ShownAnswer {
  const { status = 200, type = typeByExtension(address), headers = {}, body = '', failure } = answer;
  if (failure !== undefined) return { request, answer: FETCH_FAILURES[failure], body: null };
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [String(status), ...(body === '' || type === null ? [] : [type]), ...fields];
  if (typeof body === 'string') return { request, answer: head.join(', '), body: body === '' ? null : body };
  const lines = `${formatCount(body.times)} lines like "${body.line}"`;
  return { request, answer: [...head, lines].join(', '), body: null };
}

function describeRequests(to: Instead['to']): string {
  return 'mediaType' in to
    ? `to "Accept: ${to.mediaType}"`
    : `to a User-Agent with ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(to.names)}`;
}
