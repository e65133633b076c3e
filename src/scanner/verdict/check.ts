import type { EvidenceKind, EvidenceMap, Evidence } from '../artifacts/evidence.js';
import type { Example } from './example.js';
import type { Failure, Failures } from './failure.js';
import type { NoteRule } from './note-rule.js';
import type { Verdict } from './verdict.js';
import type { StandardId } from './standards.js';
import type { ErrorType, Pillar } from './vocabulary.js';

type NeedValues<N extends EvidenceKind> = { readonly [K in N]: EvidenceMap[K] };
type UseValues<U extends EvidenceKind> = { readonly [K in U]: Evidence<EvidenceMap[K]> };

/** A check as its file declares it. `E`, `N` and `U` are inferred from `failures`, `needs` and `uses`. */
export interface CheckDefinition<
  Id extends string,
  E extends ErrorType,
  N extends EvidenceKind,
  U extends EvidenceKind,
> {
  readonly id: Id;
  /** Counts up by one in a release in which the check judges some site differently than in the one before. */
  readonly revision: number;
  readonly pillar: Pillar | null;
  /** Whether its findings count towards the score; stored with each finding. */
  readonly scored: boolean;
  readonly title: string;
  /** What it looks at, in one word: for the narrow places next to its pin. */
  readonly shortName: string;
  /** What is true of a site that passes it. */
  readonly answer: string;
  /** What the check examines and why it matters, for the owner of the site. */
  readonly explanation: string;
  /** The standards that decide the verdict, the one that decides most first. */
  readonly judgedBy: readonly StandardId[];
  /** Every error type that `judge` can return; the compiler refuses any other. */
  readonly failures: Readonly<Record<E, Failure>>;
  /** A site for each of them, loaded when somebody wants to see it. */
  examples(): Promise<{ readonly EXAMPLES: Readonly<Record<NoInfer<E>, Example>> }>;
  /** Advice alongside its findings: no proven defect, and never scored. */
  readonly notes?: readonly NoteRule[];
  /** Evidence that the check cannot be judged without: if some is missing, the reason is the finding. */
  readonly needs: readonly N[];
  /** Evidence that the judge uses if available: passed as value or reason. */
  readonly uses?: readonly U[];
  /** Pure: no network, no clock, never throws. */
  judge(evidence: NeedValues<N> & UseValues<U>): Verdict<E>;
  /** Of a failure: evidence that may come to be judged once it is fixed, and that cannot be foreseen. Pure. */
  unforeseen?(evidence: NeedValues<N> & UseValues<U>): readonly EvidenceKind[];
}

type Any = CheckDefinition<string, ErrorType, EvidenceKind, EvidenceKind>;

/** A check without its type parameters, as the registry lists it. */
export interface Check extends Required<Omit<Any, 'examples' | 'failures' | 'judge' | 'unforeseen'>> {
  readonly failures: Failures;
  examples(): Promise<{ readonly EXAMPLES: Readonly<Partial<Record<ErrorType, Example>>> }>;
  /** Those of `failures`. */
  readonly errorTypes: readonly ErrorType[];
  judge(evidence: Readonly<Record<string, unknown>>): Verdict<ErrorType>;
  unforeseen?(evidence: Readonly<Record<string, unknown>>): readonly EvidenceKind[];
}

/** Declares a check: verifies its types, then erases them so that all checks fit one registry. */
export function defineCheck<
  const Id extends string,
  const E extends ErrorType,
  const N extends EvidenceKind,
  const U extends EvidenceKind = never,
>(definition: CheckDefinition<Id, E, N, U>): Check & { readonly id: Id } {
  return { uses: [], notes: [], ...definition, errorTypes: Object.keys(definition.failures) as E[] };
}
