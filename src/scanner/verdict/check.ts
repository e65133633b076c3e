import type { Evidence, EvidenceKind, EvidenceMap, EvidenceSet } from '../artifacts/evidence.js';
import type { Place } from '../artifacts/safe-text.js';
import type { Failure, Failures } from './failure.js';
import type { Finding } from './finding.js';
import type { NoteRule } from './note-rule.js';
import type { StandardId } from './standards.js';
import type { Verdict } from './verdict.js';
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
  /** Incremented in each release that judges some site differently from the previous one. */
  readonly revision: number;
  readonly pillar: Pillar | null;
  /** True by default: its findings count towards the score. Stored with each finding. */
  readonly scored?: boolean;
  /** Names what the check examines, so that it fits every result: `Sitemap entries`, never `Sitemap entries exist`. */
  readonly title: string;
  /** Label where the title is too long. */
  readonly shortName: string;
  /** A sentence that is true if the site passes. */
  readonly answer: string;
  /** What the check examines and why it matters, for the owner of the site. */
  readonly explanation: string;
  /** The standards that decide the verdict, the most important first. */
  readonly judgedBy: readonly StandardId[];
  /** Evidence that is missing until its failures are fixed, so that further checks may become applicable. */
  readonly unlocks?: readonly EvidenceKind[];
  /** Every error type that `judge` can return; the compiler refuses any other. */
  readonly failures: Readonly<Record<E, Failure>>;
  /** Advice shown next to its findings: no proven defect, and never scored. */
  readonly notes?: readonly NoteRule[];
  /** Required evidence. If any is missing, the reason becomes the finding. */
  readonly needs: readonly N[];
  /** Optional evidence, passed as a value or the reason why there is none. */
  readonly uses?: readonly U[];
  /** Pure: no network, no clock, never throws. */
  judge(evidence: NeedValues<N> & UseValues<U>): Verdict<E>;
}

type AnyDefinition = CheckDefinition<string, ErrorType, EvidenceKind, EvidenceKind>;

/** A check without its type parameters, as the registry lists it. */
export interface Check extends Required<Omit<AnyDefinition, 'failures' | 'judge'>> {
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
  const errorTypes = Object.keys(definition.failures) as E[];
  return { scored: true, uses: [], notes: [], unlocks: [], ...definition, errorTypes };
}

/** A finding with what only the owner of the site may see. */
export interface Judgement {
  readonly check: Check;
  readonly finding: Finding;
  /** Places on the site that the detail points to. */
  readonly places: readonly Place[];
}

/** Judges one check. If evidence that it needs is missing, the reason becomes the finding. */
export function judge(check: Check, evidence: Partial<EvidenceSet>): Judgement {
  const verdict = reachVerdict(check, evidence);
  const errorType = verdict.result === 'FAIL' ? verdict.errorType : null;
  const { id: checkId, pillar, scored, title, explanation } = check;
  const failure = errorType && check.failures[errorType];
  if (errorType && !failure) throw new Error(`${checkId} declares no failure ${errorType}`);
  const { result, detail } = verdict;
  const finding: Finding = {
    ...{ checkId, pillar, scored, result, errorType, detail: detail?.text ?? null },
    ...{ title, explanation, fix: failure?.fix ?? null },
  };
  return { check, finding, places: detail?.places ?? [] };
}

function reachVerdict(check: Check, evidence: Partial<EvidenceSet>): Verdict<ErrorType> {
  const inputs: Record<string, unknown> = {};
  for (const kind of [...check.needs, ...check.uses]) {
    const item: Evidence<unknown> | undefined = evidence[kind];
    if (item === undefined) throw new Error(`no evidence of kind ${kind} was gathered`);
    const isNeeded = check.needs.includes(kind);
    if (isNeeded && 'failed' in item) return item.failed;
    inputs[kind] = isNeeded && 'ok' in item ? item.ok : item;
  }
  return check.judge(inputs);
}
