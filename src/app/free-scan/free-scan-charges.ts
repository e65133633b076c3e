import { describeWait, TooSoonError } from '../../platform/input-error.js';
import { subjectOfAddress } from '../../platform/client-address.js';
import { takeHostScan } from '../limits/host-scans.js';
import type { RateLimitRequest, RateLimitResult, RateLimits } from '../limits/rate-limits.js';

const HOUR_MS = 3_600_000;

/** Fresh scans an hour, for one address and for all of them together. */
export const ADDRESS_SCANS_MAX = 10;
export const ALL_SCANS_MAX = 600;

/** What one fresh scan takes of the limits of its hour. */
export class FreeScanCharges {
  readonly #taken: RateLimitResult[] = [];

  constructor(private readonly rateLimits: RateLimits) {}

  /** @throws TooSoonError when the address has none left */
  takeForAddress(clientAddress: string): Promise<void> {
    return this.#take(
      { scope: 'free-scan', subject: subjectOfAddress(clientAddress), limit: ADDRESS_SCANS_MAX, windowMs: HOUR_MS },
      `Your network address has used up its ${ADDRESS_SCANS_MAX} free scans of this hour.`,
    );
  }

  /** @throws TooSoonError when the host has none left */
  async takeForHost(hostname: string): Promise<void> {
    this.#taken.push(await takeHostScan(this.rateLimits, hostname));
  }

  /** @throws TooSoonError when none is left for anyone */
  takeForAll(): Promise<void> {
    return this.#take(
      { scope: 'free-scans', subject: 'all', limit: ALL_SCANS_MAX, windowMs: HOUR_MS },
      'All free scans of this hour are used up, for everyone.',
    );
  }

  /** Gives back everything that was taken. Never rejects. */
  async giveBack(): Promise<void> {
    await Promise.all(this.#taken.map((charge) => charge.giveBack()));
  }

  async #take(request: RateLimitRequest, refusal: string): Promise<void> {
    const result = await this.rateLimits.take(request);
    if (!result.isTaken) {
      throw new TooSoonError(`${refusal} Try again in ${describeWait(result.retryAfterS)}.`, result.retryAfterS);
    }
    this.#taken.push(result);
  }
}
