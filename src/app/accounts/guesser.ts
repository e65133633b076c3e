import { type Clock, laterThan } from '../../platform/clock.js';
import { digestSecretToken, isSecretToken } from '../../platform/secret-token.js';
import { type Database, runOne } from '../../store/database.js';
import { DEVICE_KNOWN_MS, selectDevice } from './device-statements.js';

/** Somebody who is not signed in and gives an e-mail address, with or without an account. */
export interface Stranger {
  readonly email: string;
  readonly clientAddress: string;
}

/** Who is not signed in. */
export type Comer = { readonly device: string } | Stranger;

/**
 * Who has to be slowed down: someone who is signed in, a device that has signed in to the account before, or a stranger. They are counted
 * apart, so that no stranger, and nobody behind the same address, can keep an account's holder out (OWASP, "Slow down online guessing
 * attacks with device cookies").
 */
export type Guesser = { readonly accountId: string } | Comer;

/** @param device the token of the device, if it has one */
export async function guesserOf(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  stranger: Stranger,
  device: string | undefined,
): Promise<Comer> {
  if (device === undefined || !isSecretToken(device)) return stranger;
  const digest = digestSecretToken(device);
  const known = await runOne(db, selectDevice({ digest, used_after: laterThan(clock.now(), -DEVICE_KNOWN_MS) }));
  return known?.email === stranger.email ? { device: digest } : stranger;
}
