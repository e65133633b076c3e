import type { ErrorType } from './vocabulary.js';
import { sentences, type SafeText } from '../artifacts/safe-text.js';

/** The result of a judge. `detail` says what was observed, as safe text. */
export type Verdict<E extends ErrorType> =
  | { readonly result: 'PASS'; readonly detail: SafeText | null }
  | { readonly result: 'FAIL'; readonly errorType: E; readonly detail: SafeText }
  | { readonly result: 'UNDETERMINED'; readonly detail: SafeText }
  | { readonly result: 'NOT_APPLICABLE'; readonly detail: SafeText };

type Sentences = readonly (SafeText | null)[];

export function pass(...observed: Sentences): Verdict<never> {
  const isSilent = observed.every((sentence) => sentence === null);
  return { result: 'PASS', detail: isSilent ? null : sentences(...observed) };
}

export function fail<const E extends ErrorType>(errorType: E, ...observed: Sentences): Verdict<E> {
  return { result: 'FAIL', errorType, detail: sentences(...observed) };
}

export function undetermined(...observed: Sentences): Verdict<never> {
  return { result: 'UNDETERMINED', detail: sentences(...observed) };
}

export function notApplicable(...observed: Sentences): Verdict<never> {
  return { result: 'NOT_APPLICABLE', detail: sentences(...observed) };
}
