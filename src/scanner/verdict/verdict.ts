import type { ErrorType } from './vocabulary.js';
import type { SafeText } from '../artifacts/safe-text.js';

/** The result of a judge. `detail` says what was observed, as safe text. */
export type Verdict<E extends ErrorType> =
  | { readonly result: 'PASS'; readonly detail: SafeText | null }
  | ({ readonly result: 'FAIL'; readonly errorType: E; readonly detail: SafeText } & FailureDetails)
  | { readonly result: 'UNDETERMINED'; readonly detail: SafeText }
  | { readonly result: 'NOT_APPLICABLE'; readonly detail: SafeText };

interface FailureDetails {
  /** Positions of the sample pages that show the failure. None if it concerns all pages together, or no page. */
  readonly pages?: readonly number[];
}

export function pass(detail: SafeText | null = null): Verdict<never> {
  return { result: 'PASS', detail };
}

export function fail<const E extends ErrorType>(
  errorType: E,
  detail: SafeText,
  details: FailureDetails = {},
): Verdict<E> {
  return { result: 'FAIL', errorType, detail, ...details };
}

export function undetermined(detail: SafeText): Verdict<never> {
  return { result: 'UNDETERMINED', detail };
}

export function notApplicable(detail: SafeText): Verdict<never> {
  return { result: 'NOT_APPLICABLE', detail };
}
