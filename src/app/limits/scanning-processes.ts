import { type StartTimer, startNodeTimer } from '../../platform/timer.js';
import type { Peers } from '../../scanner/client/address-slots.js';
import type { AddressCounts } from './address-exchange.js';

/** How often a process that scans tells the others what, and hears it from them. */
const TELL_EVERY_MS = 1000;

/**
 * The processes on one database that scan. Each tells the others once a second which addresses it visits, and at once when it comes to a
 * new one: two short statements, however many requests it sends. An outage leaves it with what it heard last.
 */
export class ScanningProcesses implements Peers {
  readonly #own = new Set<string>();
  /** Addresses that the others were not asked about yet, with whom to tell once they were. */
  readonly #uncounted = new Map<string, () => void>();
  #others: AddressCounts = new Map();
  #telling: Promise<void> | null = null;
  #isAskedAgain = false;
  #stopTimer: (() => void) | null = null;

  /** @param exchange as that of an AddressExchange; it never rejects */
  constructor(
    private readonly exchange: (addresses: readonly string[]) => Promise<AddressCounts>,
    private readonly startTimer: StartTimer = startNodeTimer,
  ) {}

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
      this.#others = await this.exchange([...this.#own]);
      for (const [address, onCounted] of asked) {
        if (this.#uncounted.get(address) !== onCounted) continue;
        this.#uncounted.delete(address);
        onCounted();
      }
    }
    this.#stopTimer?.();
    this.#stopTimer = null;
    if (this.#own.size > 0) {
      this.#stopTimer = this.startTimer(() => this.#tell(), TELL_EVERY_MS);
    }
  }
}
