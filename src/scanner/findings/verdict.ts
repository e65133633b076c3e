import type { ErrorType } from './vocabulary.js';
import type { Words } from '../evidence/words.js';

/** What a judge comes to. `detail` says what was observed, in our own words. */
export type Verdict<E extends ErrorType> =
  | { readonly result: 'PASS'; readonly detail: Words | null }
  | { readonly result: 'FAIL'; readonly errorType: E; readonly detail: Words }
  | { readonly result: 'UNDETERMINED'; readonly detail: Words }
  | { readonly result: 'NOT_APPLICABLE'; readonly detail: Words };

export function pass(detail: Words | null = null): Verdict<never> {
  return { result: 'PASS', detail };
}

export function fail<const E extends ErrorType>(errorType: E, detail: Words): Verdict<E> {
  return { result: 'FAIL', errorType, detail };
}

export function undetermined(detail: Words): Verdict<never> {
  return { result: 'UNDETERMINED', detail };
}

export function notApplicable(detail: Words): Verdict<never> {
  return { result: 'NOT_APPLICABLE', detail };
}
