import { networksOfAddress, subjectOfAddress } from '../../platform/client-address.js';
import { digestSecretToken } from '../../platform/secret-token.js';
import { currentActor } from '../audit/actor.js';
import { type ExplainedLimit, type RateLimits, takeAllOrRefuse } from '../limits/rate-limits.js';
import type { CredentialsRow } from './account-statements.js';
import { assertHard, parseNewPassword } from './password.js';
import type { StrengthTest } from './password-strength.js';
import type { Passwords } from './passwords.js';

/** Who chooses a password: the holder of a link, or somebody who is signed in. */
export type Chooser = { readonly token: string } | { readonly accountId: string };

/**
 * Judges a new password of this owner, and hashes it.
 * @throws InputError with field `password`; TooSoonError
 */
export type HashNew = (input: string, owner: Pick<CredentialsRow, 'email' | 'name'>, by: Chooser) => Promise<string>;

export interface NewPasswordDeps {
  readonly rateLimits: RateLimits;
  readonly passwords: Passwords;
  readonly isHard: StrengthTest;
}

const WINDOW_MS = 15 * 60_000;
const PER_CHOOSER_MAX = 10;
const PER_ADDRESS_MAX = 50;

/** What is refused at a glance is not counted; the rest is before it is judged, which takes a worker a second. */
export function createHashNew({ rateLimits, passwords, isHard }: NewPasswordDeps): HashNew {
  return async (input, { email, name }, by) => {
    const password = parseNewPassword(input, [email, name]);
    const { address } = currentActor();
    await takeAllOrRefuse(rateLimits, limitsOf(by, address));
    const party = address === null ? null : networksOfAddress(address)[0].prefix;
    await assertHard(password, [email, name], (given, ownWords) => isHard(given, ownWords, party));
    return passwords.hash(password);
  };
}

/** Without a client's address, the chooser alone is counted. */
function limitsOf(by: Chooser, address: string | null): [ExplainedLimit, ...ExplainedLimit[]] {
  const explain = (wait: string): string => `There were too many new passwords to judge. Try again in ${wait}.`;
  const every = { windowMs: WINDOW_MS, explain };
  const chooser = 'token' in by ? digestSecretToken(by.token) : by.accountId;
  const own = { ...every, scope: 'new-password', subject: chooser, limit: PER_CHOOSER_MAX };
  if (address === null) return [own];
  const subject = subjectOfAddress(address);
  return [{ ...every, scope: 'new-password-address', subject, limit: PER_ADDRESS_MAX }, own];
}
