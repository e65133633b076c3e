import { randomUUID } from 'node:crypto';
import { type Clock, laterThan } from '../../platform/clock.js';
import type { Database } from '../../store/database.js';
import { selectScanning, storeScanning } from './scanning-statements.js';

/** By address, how many other processes use it. */
export type AddressCounts = ReadonlyMap<string, number>;

/** How long it counts without telling again. */
const VALID_MS = 5000;

/** Where the processes on one database tell one another which addresses they visit. */
export class AddressExchange {
  readonly #process = randomUUID();
  #others: AddressCounts = new Map();

  constructor(private readonly deps: { readonly db: Database; readonly clock: Clock }) {}

  /** Tells the others, and hears it from them: in an outage, what it heard last. Never rejects. */
  async exchange(addresses: readonly string[]): Promise<AddressCounts> {
    await this.#exchange(addresses).catch(() => undefined);
    return this.#others;
  }

  /** How many processes were heard to use the address, this one included. */
  countAt(address: string): number {
    return 1 + (this.#others.get(address) ?? 0);
  }

  async #exchange(own: readonly string[]): Promise<void> {
    const { db, clock } = this.deps;
    const now = clock.now();
    const addresses = JSON.stringify(own);
    await db.run(storeScanning({ process: this.#process, addresses, expires_at: laterThan(now, VALID_MS) }));
    const others = new Map<string, number>();
    for (const row of await db.run(selectScanning({ process: this.#process, now: now.toISOString() }))) {
      for (const address of JSON.parse(row.addresses) as string[]) others.set(address, (others.get(address) ?? 0) + 1);
    }
    this.#others = others;
  }
}
