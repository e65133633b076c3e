import type { EvidenceKind, EvidenceSet } from '../artifacts/evidence.js';
import type { ErrorType } from './vocabulary.js';

/** How much a failure matters, the gravest first. */
export const SEVERITIES = {
  SHUT_OUT: { word: 'Shut out', meaning: 'Agents are turned away.' },
  BROKEN: { word: 'Broken', meaning: 'It is there, or the site says so, but agents cannot use it as it is.' },
  MISSING: { word: 'Missing', meaning: 'Agents look for it, and it is not there.' },
  POLISH: { word: 'Polish', meaning: 'Agents can use it; with this it works better.' },
} as const;
export type Severity = keyof typeof SEVERITIES;

/** What else comes with a fix, besides the verdict of the check that failed. */
export interface Repair {
  /** Evidence as it is then: whatever uses it is judged again. */
  readonly evidence?: Partial<EvidenceSet>;
  /** Evidence that was lacking, and is then as our fix has it: the checks that need it pass, which the tests of the fixes prove. */
  readonly asFixed?: readonly EvidenceKind[];
  /** Evidence that was lacking, and is then there: how good is unknown. */
  readonly unknown?: readonly EvidenceKind[];
}

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
  /** What fixing it brings for other checks; `{}` where that is nothing but what {@link Check.unforeseen} names. */
  readonly onFixed: Repair;
}

/** Every kind of failure that a check proves. */
export type Failures = Readonly<Partial<Record<ErrorType, Failure>>>;

/** What is said of a kind of failure, with its name. */
export interface NamedFailure extends Omit<Failure, 'onFixed'> {
  readonly errorType: ErrorType;
}

/** The kinds of failure of a check, in its order. */
export function namedFailures({ failures }: { readonly failures: Failures }): NamedFailure[] {
  return Object.entries(failures).map(([errorType, { severity, headline, fix }]) => ({
    errorType: errorType as ErrorType,
    ...{ severity, headline, fix },
  }));
}
