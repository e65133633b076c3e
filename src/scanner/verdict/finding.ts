import type { ErrorType, Pillar, Result } from './vocabulary.js';

/** A kind of failure: of which check, and which. */
export interface FailureKind {
  readonly checkId: string;
  readonly errorType: ErrorType;
}

/** One check's outcome in one run, in the contract's shape and field order. */
export interface Finding {
  readonly checkId: string;
  readonly pillar: Pillar | null;
  readonly scored: boolean;
  readonly result: Result;
  readonly errorType: ErrorType | null;
  readonly detail: string | null;
  readonly title: string | null;
  readonly explanation: string | null;
  /** That of its failure; null where nothing failed. Older runs have one of their check there. */
  readonly fix: string | null;
}
