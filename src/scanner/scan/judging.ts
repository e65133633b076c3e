import type { Evidence, EvidenceKind, EvidenceMap } from '../artifacts/evidence.js';
import type { EarlyResult } from '../report/progress.js';
import type { Check } from '../verdict/check.js';
import { type Judgement, judge } from '../verdict/judge.js';

/** Judges each check as soon as its evidence is complete, in no guaranteed order. */
export class Judging {
  readonly #evidence: { -readonly [K in EvidenceKind]?: Evidence<EvidenceMap[K]> } = {};
  readonly #judgements = new Map<Check, Judgement>();

  constructor(
    private readonly checks: readonly Check[],
    private readonly onJudged: (early: EarlyResult) => void,
  ) {
    this.#judgeReady();
  }

  settle<K extends EvidenceKind>(kind: K, evidence: Evidence<EvidenceMap[K]>): void {
    Object.assign(this.#evidence, { [kind]: evidence });
    this.#judgeReady();
  }

  /** One per check, in order, once all evidence has settled. */
  get judgements(): Judgement[] {
    return this.checks.flatMap((check) => this.#judgements.get(check) ?? []);
  }

  #judgeReady(): void {
    for (const check of this.checks) {
      const isReady = [...check.needs, ...check.uses].every((kind) => this.#evidence[kind] !== undefined);
      if (!isReady || this.#judgements.has(check)) continue;
      const judgement = judge(check, this.#evidence);
      this.#judgements.set(check, judgement);
      const { checkId, result, errorType } = judgement.finding;
      this.onJudged({ checkId, result, ...(errorType !== null && { errorType }) });
    }
  }
}
