import { networkOf } from '../../platform/http/request.js';
import { Slots } from '../../platform/slots.js';
import { startNodeTimer, type StartTimer } from '../../platform/clock.js';
import { AddressPace } from '../../scanner/client/limiter.js';
import type { ScanTarget } from '../../scanner/client/visit.js';
import type { Context } from '../context.js';
import { consume, networkLimits } from '../limits/limits.js';
import { PACED_WAIT_MS } from './free-scan-store.js';

/** The key under which all free scans share slots. */
export const FREE_SCANS = 'free scans';

/** Free scans use at most a quarter of the slots. */
const SLOTS_SHARE = 4;

/**
 * Slots of costly scans, at most one per network. A scan is costly if the pace of its address delays it, or if it is a trial, which stores
 * up to 64 MiB of responses in memory. It may take minutes, longer than other scans wait for a slot.
 */
const COSTLY_AT_ONCE = 2;
const COSTLY_OPTIONS = { perOwner: 1, waitingMax: 50, waitMs: PACED_WAIT_MS };

export interface FreeScanRunnerContext extends Pick<
  Context,
  'db' | 'clock' | 'slots' | 'scanConcurrency' | 'addressesOf'
> {
  /** Paces the requests at each address. */
  readonly pace?: AddressPace;
  readonly startTimer?: StartTimer;
}

/** Runs free scans in slots that networks share fairly. */
export class FreeScanRunner {
  readonly #slots: Slots;
  readonly #costly: Slots;
  readonly #pace: AddressPace;

  constructor(private readonly context: FreeScanRunnerContext) {
    const { scanConcurrency, pace = new AddressPace(), startTimer = startNodeTimer } = context;
    this.#pace = pace;
    this.#slots = new Slots(Math.max(1, Math.floor(scanConcurrency / SLOTS_SHARE)), { startTimer });
    this.#costly = new Slots(COSTLY_AT_ONCE, { ...COSTLY_OPTIONS, startTimer });
  }

  /**
   * @param isTrial true if the scan stores every response in memory
   * @throws ServiceError overloaded if no slot became free in time
   */
  async run<T>(
    origin: URL,
    clientAddress: string,
    perform: (target: ScanTarget) => Promise<T>,
    isTrial = false,
  ): Promise<T> {
    const network = networkOf(clientAddress);
    const anonymousLimits = {
      pace: this.#pace,
      mayRequestDomain: (domain: string) => this.#consumeRequest(domain, clientAddress),
    };
    const target = { origin, isOwnershipVerified: false, anonymousLimits };
    const work = () => this.#slots.run(network, () => this.context.slots.run(FREE_SCANS, () => perform(target)));
    // Sites with the same IP address share its pace.
    const addresses = await this.context.addressesOf(origin);
    const isCostly = isTrial || addresses.some((address) => this.#pace.isNearlySpent(address));
    return isCostly ? this.#costly.run(network, work) : work();
  }

  /** Refuses new and waiting scans and ends all delays. Resolves when the running scans have ended. */
  async close(): Promise<void> {
    this.#pace.release();
    await Promise.all([this.#costly.close(), this.#slots.close()]);
  }

  /** Counts a request to a domain outside the scanned site. Resolves to false if the limit is reached or the database fails. */
  async #consumeRequest(domain: string, clientAddress: string): Promise<boolean> {
    const { db, clock } = this.context;
    try {
      await consume(db, networkLimits('anonymous-requests', clientAddress, domain), clock.now());
      return true;
    } catch {
      return false;
    }
  }
}
