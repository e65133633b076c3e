import type { ErrorType } from './vocabulary.js';

/** How much a failure matters, the most severe first. */
export const SEVERITIES = {
  SHUT_OUT: { word: 'Blocked', meaning: "Agents can't read the site." },
  BROKEN: { word: 'Broken', meaning: "Present, but agents can't use it." },
  MISSING: { word: 'Missing', meaning: 'Agents look for it and cannot find it.' },
  POLISH: { word: 'Polish', meaning: 'Agents can use it, but it could work better.' },
} as const;
export type Severity = keyof typeof SEVERITIES;

/** Texts about one kind of failure that a check proves. */
export interface Failure {
  readonly severity: Severity;
  /** What is wrong, as a sentence without full stop, in our own words only. */
  readonly headline: string;
  /**
   * How to fix it, in Markdown: paragraphs, lists and fenced snippets (see `splitFix`). The first paragraph says what to do in at
   * most 200 characters, since summaries show only that. `https://www.example.com` stands for the site.
   */
  readonly fix: string;
}

/** Every kind of failure that a check proves. */
export type Failures = Readonly<Partial<Record<ErrorType, Failure>>>;

export interface NamedFailure extends Failure {
  readonly errorType: ErrorType;
}

/** Returns the failures of a check, in the order that it declares. */
export function namedFailures({ failures }: { readonly failures: Failures }): NamedFailure[] {
  return Object.entries(failures).map(([errorType, failure]) => ({ errorType: errorType as ErrorType, ...failure }));
}
