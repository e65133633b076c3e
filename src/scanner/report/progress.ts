import type { Severity } from '../verdict/failure.js';
import type { ErrorType, Result } from '../verdict/vocabulary.js';
import { failureOf, rankOf } from './failures.js';

/** The result of a check during its run. Discarded if the run ends without a result. */
export interface EarlyResult {
  readonly checkId: string;
  readonly result: Result;
  /** Set for a failure. */
  readonly errorType?: ErrorType;
}

export interface ScanProgress {
  /** Kinds of evidence gathered so far. */
  readonly done: number;
  readonly total: number;
  readonly requestCount: number;
  /** In the order in which the checks were judged. */
  readonly judged: readonly EarlyResult[];
}

/** Progress of a scan that has not started, or that runs in another process. */
export const NO_PROGRESS: ScanProgress = { done: 0, total: 0, requestCount: 0, judged: [] };

export interface EarlyFailure {
  readonly checkId: string;
  readonly headline: string;
  readonly severity: Severity;
}

/** Returns the failures found so far, the most severe first, then in the order of discovery. */
export function failuresSoFar({ judged }: Pick<ScanProgress, 'judged'>): EarlyFailure[] {
  const results = judged.map(({ checkId, errorType = null }) => ({ checkId, errorType }));
  return results
    .sort((a, b) => rankOf(a) - rankOf(b))
    .flatMap((result) => {
      const failure = failureOf(result);
      return failure ? { checkId: result.checkId, headline: failure.headline, severity: failure.severity } : [];
    });
}
