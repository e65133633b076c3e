import type { SiteOfAccount } from '../sites.js';

/** The latest score of a site for everybody who knows the badge's address. */
export interface Badge {
  readonly hostname: string;
  /** Null: no run yet, or nothing could be determined. */
  readonly score: number | null;
}

/** The methods for an account reject with ServiceError site_not_found, for another account's site too. */
export interface Badges {
  /** The unguessable part of the badge's address; null while the badge is off, as it is at first. */
  tokenOf(request: SiteOfAccount): Promise<string | null>;
  /** Turns the badge on, or gives it a new address: the one before stops working. */
  turnOn(request: SiteOfAccount): Promise<string>;
  turnOff(request: SiteOfAccount): Promise<void>;
  /** Null for an unknown token. */
  find(token: string): Promise<Badge | null>;
}
