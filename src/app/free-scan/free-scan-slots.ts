import { networkOf } from '../../platform/client-address.js';
import { Slots } from '../../platform/slots.js';
import { type StartTimer, startNodeTimer } from '../../platform/timer.js';
import { AddressPace } from '../../scanner/client/limiter.js';
import type { ScanTarget } from '../../scanner/client/visit.js';
import type { Context } from '../context.js';
import { consume, networkLimits } from '../limits/limits.js';
import { PACED_WAIT_MS } from './free-scan-store.js';

/** The key under which all free scans share slots. */
export const FREE_SCANS = 'free scans';

/** Free scans leave most of the slots to accounts. */
const SLOTS_SHARE = 4;

/**
 * Scans at an address whose pace delays them: this many have slots, and this many wait without one, as long as a scan may take. Other
 * scans are not delayed: many sites share the address of a host or a CDN.
 */
const DELAYED_AT_ONCE = 2;
const DELAYED_WAITING = { waitingMax: 50, waitMs: PACED_WAIT_MS };

/** Each trial keeps all that the site answered in memory, up to 64 MiB. */
const TRIALS_AT_ONCE = 2;
const TRIALS_WAITING = { waitingMax: 20, waitMs: PACED_WAIT_MS };

export interface FreeScanRunnerContext extends Pick<
  Context,
  'db' | 'clock' | 'slots' | 'scanConcurrency' | 'addressesOf'
> {
  /** Paces the requests at each address. */
  readonly pace?: AddressPace;
  readonly startTimer?: StartTimer;
}

/** Runs scans without a key. Each network gets a share of their slots. */
export class FreeScanRunner {
  readonly #own: Slots;
  readonly #trials: Slots;
  /** Scans of this process at each address whose pace delays them. */
  readonly #delayed = new Map<string, Slots>();
  readonly #pace: AddressPace;
  readonly #startTimer: StartTimer;

  constructor(private readonly context: FreeScanRunnerContext) {
    const { scanConcurrency, pace = new AddressPace(), startTimer = startNodeTimer } = context;
    this.#pace = pace;
    this.#startTimer = startTimer;
    this.#own = new Slots(Math.max(1, Math.floor(scanConcurrency / SLOTS_SHARE)), { startTimer });
    this.#trials = new Slots(TRIALS_AT_ONCE, { ...TRIALS_WAITING, startTimer });
  }

  /** @throws ServiceError overloaded when no slot came free in time */
  async run<T>(origin: URL, clientAddress: string, perform: (target: ScanTarget) => Promise<T>): Promise<T> {
    const network = networkOf(clientAddress);
    const anonymousLimits = {
      pace: this.#pace,
      mayRequestDomain: (domain: string) => this.#consumeRequest(domain, clientAddress),
    };
    const target = { origin, isOwnershipVerified: false, anonymousLimits };
    const work = () => this.#own.run(network, () => this.context.slots.run(FREE_SCANS, () => perform(target)));
    // Sites that share an address share its pace.
    const addresses = await this.context.addressesOf(origin);
    const slowAddress = addresses.find((address) => this.#pace.isNearlySpent(address));
    return slowAddress === undefined ? work() : this.#runDelayed(slowAddress, network, work);
  }

  /** Runs a scan that keeps all that a site answers in memory. @throws as `run` */
  runTrial<T>(origin: URL, clientAddress: string, perform: (target: ScanTarget) => Promise<T>): Promise<T> {
    return this.#trials.run(networkOf(clientAddress), () => this.run(origin, clientAddress, perform));
  }

  /** Refuses new scans and ends all delays; resolves when the running ones have ended. */
  close(): Promise<void> {
    this.#pace.release();
    return this.#own.close();
  }

  /** Consumes a request to a domain that is not being scanned. Resolves to false over its limit, or without the database. */
  async #consumeRequest(domain: string, clientAddress: string): Promise<boolean> {
    const { db, clock } = this.context;
    try {
      await consume(db, networkLimits('anonymous-requests', clientAddress, domain), clock.now());
      return true;
    } catch {
      return false;
    }
  }

  /** Waits for others at the address before it takes a slot. */
  async #runDelayed<T>(address: string, network: string, work: () => Promise<T>): Promise<T> {
    const options = { ...DELAYED_WAITING, startTimer: this.#startTimer };
    const delayed = this.#delayed.get(address) ?? new Slots(DELAYED_AT_ONCE, options);
    this.#delayed.set(address, delayed);
    try {
      return await delayed.run(network, work);
    } finally {
      const { running, waiting } = delayed.occupancy();
      if (running + waiting === 0) this.#delayed.delete(address);
    }
  }
}
