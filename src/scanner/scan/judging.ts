import type { Evidence, EvidenceKind, EvidenceMap } from '../artifacts/evidence.js';
import type { Check } from '../verdict/check.js';
import type { EarlyResult } from '../report/progress.js';
import { EventLoopYielder } from '../../net/event-loop.js';
import { type Judgement, judge } from '../verdict/judge.js';

/** Judges each check as soon as its evidence is complete, one at a time, in no guaranteed order. */
export class Judging {
  readonly #evidence: { -readonly [K in EvidenceKind]?: Evidence<EvidenceMap[K]> } = {};
  readonly #judgements = new Map<Check, Judgement>();
  #waiting: readonly Check[];
  #work: Promise<void> = Promise.resolve();

  constructor(
    private readonly checks: readonly Check[],
    private readonly onJudged: (early: EarlyResult) => void,
    private readonly yielder = new EventLoopYielder(),
  ) {
    this.#waiting = checks;
    this.#judgeSettled();
  }

  settle<K extends EvidenceKind>(kind: K, evidence: Evidence<EvidenceMap[K]>): void {
    Object.assign(this.#evidence, { [kind]: evidence });
    this.#judgeSettled();
  }

  /** Returns one judgement per check, in order. Call it after all evidence has settled. @throws what a judge throws, which is a bug */
  async end(): Promise<Judgement[]> {
    await this.#work;
    return this.checks.flatMap((check) => this.#judgements.get(check) ?? []);
  }

  #judgeSettled(): void {
    const isSettled = (kind: EvidenceKind): boolean => this.#evidence[kind] !== undefined;
    const { ready = [], waiting = [] } = Object.groupBy(this.#waiting, ({ needs, uses }) =>
      needs.every(isSettled) && uses.every(isSettled) ? 'ready' : 'waiting',
    );
    this.#waiting = waiting;
    for (const check of ready) this.#work = this.#work.then(() => this.#judge(check));
    // `end` rethrows the error.
    this.#work.catch(() => undefined);
  }

  async #judge(check: Check): Promise<void> {
    // Some judges take long: they examine up to 100,000 parts.
    if (this.yielder.isDue) await this.yielder.yieldNow();
    const judgement = judge(check, this.#evidence);
    this.#judgements.set(check, judgement);
    const { checkId, result, errorType } = judgement.finding;
    this.onJudged({ checkId, result, ...(errorType !== null && { errorType }) });
  }
}
