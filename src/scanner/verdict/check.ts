import type { EvidenceKind, EvidenceMap, Evidence } from '../artifacts/evidence.js';
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
  /** Incremented in each release that judges some site differently than the previous one. */
  readonly revision: number;
  readonly pillar: Pillar | null;
  /** True if its findings count towards the score. Stored with each finding. */
  readonly scored: boolean;
  /** Names what it looks at, so that it fits every result: `Sitemap entries`, never `Sitemap entries exist`. */
  readonly title: string;
  /** Label for places where the title is too long. */
  readonly shortName: string;
  /** Sentence that is true of a site that passes. */
  readonly answer: string;
  /** What the check examines and why it matters, for the owner of the site. */
  readonly explanation: string;
  /** The standards that decide the verdict, the most important first. */
  readonly judgedBy: readonly StandardId[];
  /** Evidence that is missing until its failures are fixed, so that further checks may become applicable. */
  readonly opens?: readonly EvidenceKind[];
  /** Every error type that `judge` can return; the compiler refuses any other. */
  readonly failures: Readonly<Record<E, Failure>>;
  /** Advice shown next to its findings: no proven defect, and never scored. */
  readonly notes?: readonly NoteRule[];
  /** Required evidence. If some is missing, the reason is the finding. */
  readonly needs: readonly N[];
  /** Optional evidence, passed as a value or the reason why there is none. */
  readonly uses?: readonly U[];
  /** Pure: no network, no clock, never throws. */
  judge(evidence: NeedValues<N> & UseValues<U>): Verdict<E>;
}

type Any = CheckDefinition<string, ErrorType, EvidenceKind, EvidenceKind>;

/** A check without its type parameters, as the registry lists it. */
export interface Check extends Required<Omit<Any, 'failures' | 'judge'>> {
  readonly failures: Failures;
  readonly errorTypes: readonly ErrorType[];
  judge(evidence: Readonly<Record<string, unknown>>): Verdict<ErrorType>;
}

/** Declares a check: verifies its types, then erases them so that all checks fit one registry. */
export function defineCheck<
  const Id extends string,
  const E extends ErrorType,
  const N extends EvidenceKind,
  const U extends EvidenceKind = never,
>(definition: CheckDefinition<Id, E, N, U>): Check & { readonly id: Id } {
  return { uses: [], notes: [], opens: [], ...definition, errorTypes: Object.keys(definition.failures) as E[] };
}
