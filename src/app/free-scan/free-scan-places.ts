import { networksOfAddress } from '../../platform/client-address.js';
import { Slots } from '../../platform/slots.js';
import type { StartTimer } from '../../platform/timer.js';
import type { AddressPace } from '../../scanner/client/address-pace.js';
import type { ScanTarget } from '../../scanner/client/visit.js';
import type { RateLimits } from '../limits/rate-limits.js';
import { takeRequestTo } from './free-scan-charges.js';
import { HELD_BACK_WAIT_MS } from './free-scan-statements.js';

/** The party of all free scans, among the accounts that share the slots. */
export const FREE_SCANS = 'free scans';

/** Free scans leave most of the slots to those who pay. */
const SLOTS_SHARE = 4;

/**
 * Scans at an address whose pace holds them back: so many have slots, and so many wait for them, without one and as long as a scan may
 * take. Nobody else is held back: many sites share the address of a host or a CDN.
 */
const HELD_BACK = { running: 2, waitingMax: 50, waitMs: HELD_BACK_WAIT_MS };

/** Each trial holds all that the site has answered, up to 64 MiB. */
const TRIALS = { running: 2, waitingMax: 20, waitMs: HELD_BACK_WAIT_MS };

export interface FreeScanPlacesDeps {
  /** The slots that all scans of this process share. */
  readonly slots: Slots;
  /** How many slots these are. */
  readonly scanConcurrency: number;
  /** Where the site of this origin may be, never empty: sites that share an address share its pace. */
  readonly addressesOf: (origin: URL) => Promise<readonly string[]>;
  readonly rateLimits: RateLimits;
}

/** Where scans without a key are performed: each within its limits on the site, and on what it takes from others. */
export class FreeScanPlaces {
  /** The share of the slots that scans without a key may have. */
  readonly #own: Slots;
  readonly #trials: Slots;
  /** The scans of this process at each address whose pace holds them back. */
  readonly #heldBack = new Map<string, Slots>();

  constructor(
    private readonly deps: FreeScanPlacesDeps,
    private readonly pace: AddressPace,
    private readonly startTimer: StartTimer,
  ) {
    const { running, ...waiting } = TRIALS;
    this.#own = new Slots(Math.max(1, Math.floor(deps.scanConcurrency / SLOTS_SHARE)), { startTimer });
    this.#trials = new Slots(running, { ...waiting, startTimer });
  }

  /** @throws ServiceError overloaded when no place came free in time */
  async run<T>(origin: URL, clientAddress: string, perform: (target: ScanTarget) => Promise<T>): Promise<T> {
    const { slots, rateLimits, addressesOf } = this.deps;
    const restraint = {
      pace: this.pace,
      mayAskOther: (domain: string) => takeRequestTo(rateLimits, domain),
    };
    const target = { origin, isOwnershipVerified: false, party: FREE_SCANS, restraint };
    // No network takes all the places of these scans with sites that are slow to answer.
    const [{ prefix }] = networksOfAddress(clientAddress);
    const work = () => this.#own.run(() => slots.run(() => perform(target), FREE_SCANS), prefix);
    const spent = (await addressesOf(origin)).find((address) => this.pace.isNearlySpent(address));
    return spent === undefined ? work() : this.#runHeldBack(spent, prefix, work);
  }

  /** For what holds all that a site answers. @throws as `run` */
  runTrial<T>(origin: URL, clientAddress: string, perform: (target: ScanTarget) => Promise<T>): Promise<T> {
    const [{ prefix }] = networksOfAddress(clientAddress);
    return this.#trials.run(() => this.run(origin, clientAddress, perform), prefix);
  }

  /** Refuses new scans; resolves when the running ones have ended. */
  close(): Promise<void> {
    return this.#own.close();
  }

  /** Waits for others at the address before it takes a slot. */
  async #runHeldBack<T>(address: string, party: string, work: () => Promise<T>): Promise<T> {
    const { running: concurrency, ...waiting } = HELD_BACK;
    const places = this.#heldBack.get(address) ?? new Slots(concurrency, { ...waiting, startTimer: this.startTimer });
    this.#heldBack.set(address, places);
    try {
      return await places.run(work, party);
    } finally {
      const { running, waiting } = places.occupancy();
      if (running + waiting === 0) this.#heldBack.delete(address);
    }
  }
}
