import type { ErrorType } from './vocabulary.js';
import type { SafeText } from '../artifacts/safe-text.js';

/** The result of a judge. `detail` says what was observed, as safe text. */
export type Verdict<E extends ErrorType> =
  | { readonly result: 'PASS'; readonly detail: SafeText | null }
  | { readonly result: 'FAIL'; readonly errorType: E; readonly detail: SafeText }
  | { readonly result: 'UNDETERMINED'; readonly detail: SafeText }
  | { readonly result: 'NOT_APPLICABLE'; readonly detail: SafeText };

export function pass(detail: SafeText | null = null): Verdict<never> {
  return { result: 'PASS', detail };
}

export function fail<const E extends ErrorType>(errorType: E, detail: SafeText): Verdict<E> {
  return { result: 'FAIL', errorType, detail };
}

export function undetermined(detail: SafeText): Verdict<never> {
  return { result: 'UNDETERMINED', detail };
}

export function notApplicable(detail: SafeText): Verdict<never> {
  return { result: 'NOT_APPLICABLE', detail };
}
