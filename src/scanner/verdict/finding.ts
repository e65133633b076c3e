import type { ErrorType, Pillar, Result } from './vocabulary.js';

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
  /** How to fix the failure; null if nothing failed. */
  readonly fix: string | null;
}
