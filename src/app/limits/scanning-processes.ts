import { randomUUID } from 'node:crypto';
import { type Clock, laterThan } from '../../platform/clock.js';
import { type StartTimer, startNodeTimer } from '../../platform/timer.js';
import type { Peers } from '../../scanner/client/address-slots.js';
import type { Database } from '../../store/database.js';
import { selectScanning, storeScanning } from './scanning-statements.js';

/** How often a process that scans tells the others what, and hears it from them. */
const TELL_EVERY_MS = 1000;

/** How long it counts without telling again. */
const VALID_MS = 5000;

export interface ScanningProcessesDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** For tests. */
  readonly startTimer?: StartTimer;
}

/**
 * The processes on one database that scan. Each tells the others once a second which addresses it visits, and at once when it comes to a
 * new one: two short statements, however many requests it sends. An outage leaves it with what it heard last.
 */
export class ScanningProcesses implements Peers {
  readonly #process = randomUUID();
  readonly #own = new Set<string>();
  /** Addresses that the others were not asked about yet, with whom to tell once they were. */
  readonly #uncounted = new Map<string, () => void>();
  #others: ReadonlyMap<string, number> = new Map();
  #telling: Promise<void> | null = null;
  #isAskedAgain = false;
  #stopTimer: (() => void) | null = null;

  constructor(private readonly deps: ScanningProcessesDeps) {}

  enter(address: string, onCounted: () => void): void {
    this.#own.add(address);
    this.#uncounted.set(address, onCounted);
    this.#tell();
  }

  leave(address: string): void {
    this.#own.delete(address);
    this.#uncounted.delete(address);
  }

  countAt(address: string): number {
    if (this.#uncounted.has(address)) return Infinity;
    return 1 + (this.#others.get(address) ?? 0);
  }

  /** One at a time: what comes meanwhile is told with the next. */
  #tell(): void {
    this.#isAskedAgain = true;
    this.#telling ??= this.#tellAll().finally(() => (this.#telling = null));
  }

  async #tellAll(): Promise<void> {
    while (this.#isAskedAgain) {
      this.#isAskedAgain = false;
      const asked = [...this.#uncounted];
      await this.#exchange().catch(() => undefined);
      for (const [address, onCounted] of asked) {
        if (this.#uncounted.get(address) !== onCounted) continue;
        this.#uncounted.delete(address);
        onCounted();
      }
    }
    this.#stopTimer?.();
    this.#stopTimer = null;
    if (this.#own.size > 0) {
      this.#stopTimer = (this.deps.startTimer ?? startNodeTimer)(() => this.#tell(), TELL_EVERY_MS);
    }
  }

  async #exchange(): Promise<void> {
    const { db, clock } = this.deps;
    const now = clock.now();
    const addresses = JSON.stringify([...this.#own]);
    await db.run(storeScanning({ process: this.#process, addresses, expires_at: laterThan(now, VALID_MS) }));
    const others = new Map<string, number>();
    for (const row of await db.run(selectScanning({ process: this.#process, now: now.toISOString() }))) {
      for (const address of JSON.parse(row.addresses) as string[]) others.set(address, (others.get(address) ?? 0) + 1);
    }
    this.#others = others;
  }
}
