import type { Clock } from '../../platform/clock.js';
import { type StartTimer, startNodeTimer } from '../../platform/timer.js';
import { type Database, runOne } from '../../store/database.js';
import { isDiskFull } from '../../store/errors.js';
import { execute, one } from '../../store/transaction.js';
import type { Refunds } from '../limits/refunds.js';
import { ChargeGroups, type Reading } from './charge-groups.js';
import {
  addToMonth,
  type ChargedKey,
  chargeKey,
  type ChargeParams,
  type KeyMonth,
  refundKey,
  selectChargeable,
} from './key-usage-statements.js';

/** How long requests are admitted while their charges cannot be stored: a crash loses that many. */
export const HELD_MS_MAX = 15 * 60_000;

const RETRY_EVERY_MS = 5000;

export interface ChargesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly refunds: Refunds;
  readonly startTimer?: StartTimer;
}

/**
 * Charges requests to the months of keys. SQLite on a full disk can still be read: for a while, charges are then held in memory and
 * count at once, and are stored when the disk has room again.
 */
export class Charges {
  readonly #held = new Map<string, KeyMonth & { count: number }>();
  #full: { readonly since: Date; readonly error: Error } | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #isTimerOn = false;
  readonly #groups: ChargeGroups;

  constructor(private readonly deps: ChargesDeps) {
    this.#groups = new ChargeGroups(deps.db, () => this.#full?.error);
  }

  /** @returns undefined for an unknown, revoked or expired key, a plan without the API, or a spent quota */
  async take(params: ChargeParams, reading?: Reading): Promise<ChargedKey | undefined> {
    if (!this.#full) {
      try {
        return await this.#groups.take(params, reading);
      } catch (error) {
        if (!isDiskFull(error)) throw error;
      }
    }
    // One after the other, so that what is held and what is stored are always seen together.
    return this.#inTurn(() => this.#store(params).catch((error: unknown) => this.#hold(params, error)));
  }

  /** Gives a request back to its month. @returns the month's requests, where they are known. Never rejects. */
  async giveBack(month: KeyMonth): Promise<number | undefined> {
    const isHeld = await this.#inTurn(async () => {
      const held = this.#held.get(nameOf(month));
      if (held) held.count -= 1;
      if (held?.count === 0) this.#held.delete(nameOf(month));
      return held !== undefined;
    });
    return isHeld ? undefined : (await this.deps.refunds.make(refundKey(month)))?.used;
  }

  /** Stores what is held, if it can: for the end of the process. */
  async settle(): Promise<void> {
    await this.#inTurn(() => this.#storeHeld()).catch(() => undefined);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #storeHeld(): Promise<void> {
    if (this.#held.size > 0) await this.#store(null);
  }

  /** Stores what is held, and this charge. */
  async #store(params: ChargeParams | null): Promise<ChargedKey | undefined> {
    const held = [...this.#held.values()];
    const key = await this.deps.db.transaction(function* () {
      for (const charges of held) yield* execute(addToMonth(charges));
      return params ? yield* one(chargeKey({ ...params, count: 1 })) : undefined;
    });
    this.#held.clear();
    this.#full = null;
    return key;
  }

  async #hold(params: ChargeParams, error: unknown): Promise<ChargedKey | undefined> {
    if (!(error instanceof Error && isDiskFull(error))) throw error;
    const now = this.deps.clock.now();
    this.#full ??= { since: now, error };
    if (now.getTime() - this.#full.since.getTime() > HELD_MS_MAX) throw error;
    const key = await runOne(this.deps.db, selectChargeable(params));
    if (!key) return undefined;
    const { month } = params;
    const name = nameOf({ key_id: key.key_id, month });
    const held = this.#held.get(name) ?? { key_id: key.key_id, month, count: 0 };
    const used = key.used + held.count + 1;
    if (used > params[key.plan]) return undefined;
    held.count += 1;
    this.#held.set(name, held);
    this.#retryLater();
    return { ...key, used };
  }

  #retryLater(): void {
    if (this.#isTimerOn || this.#held.size === 0) return;
    this.#isTimerOn = true;
    (this.deps.startTimer ?? startNodeTimer)(() => {
      this.#isTimerOn = false;
      void this.settle().then(() => this.#retryLater());
    }, RETRY_EVERY_MS);
  }
}

function nameOf({ key_id, month }: KeyMonth): string {
  return `${key_id} ${month}`;
}
