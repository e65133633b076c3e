import type { ErrorType } from './vocabulary.js';

/** How much a failure matters, the gravest first. */
export const SEVERITIES = {
  SHUT_OUT: { word: 'Shut out', meaning: 'Agents are turned away.' },
  BROKEN: { word: 'Broken', meaning: 'It is there, or the site says so, but agents cannot use it as it is.' },
  MISSING: { word: 'Missing', meaning: 'Agents look for it, and it is not there.' },
  POLISH: { word: 'Polish', meaning: 'Agents can use it; with this it works better.' },
} as const;
export type Severity = keyof typeof SEVERITIES;

/** What a check says of one kind of failure that it proves. */
export interface Failure {
  readonly severity: Severity;
  /** What is wrong, as a sentence without its full stop: our own words, and no name or path that the site chose. */
  readonly headline: string;
  /**
   * How to fix just that; see {@link splitFix} for its form. The first paragraph says what to do in at most 200 characters, since short
   * answers show it alone. The site's origin is written `https://www.example.com`.
   */
  readonly fix: string;
}

/** Every kind of failure that a check proves. */
export type Failures = Readonly<Partial<Record<ErrorType, Failure>>>;

/** A kind of failure with its name. */
export interface NamedFailure extends Failure {
  readonly errorType: ErrorType;
}

/** The kinds of failure of a check, in its order. */
export function namedFailures({ failures }: { readonly failures: Failures }): NamedFailure[] {
  return Object.entries(failures).map(([errorType, failure]) => ({ errorType: errorType as ErrorType, ...failure }));
}
