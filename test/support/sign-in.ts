import type { Clock } from '../../src/platform/clock.js';
import { createAccounts } from '../../src/app/accounts/accounts.js';
import { createPasswords, type PasswordCost, type Passwords } from '../../src/app/accounts/passwords.js';
import { createSignIn, type SignIn } from '../../src/app/accounts/sign-in.js';
import type { Database } from '../../src/store/database.js';
import { GOOD_PASSWORD } from './passwords.js';

export { GOOD_PASSWORD };

const CHEAP: PasswordCost = { logN: 4, r: 8, p: 1 };

/** Returns passwords with cheap hashes and a long queue. */
export function cheapPasswords(cost: PasswordCost = CHEAP): Passwords {
  return createPasswords({ cost, waitingMax: 1000 });
}

/** Returns a sign-in with cheap password hashes. */
export function cheapSignIn(db: Database, clock: Clock): SignIn {
  return createSignIn({ db, clock, passwords: cheapPasswords() });
}

let personCount = 0;

/** Adds an account, and signs in by its first link with a new password. */
export async function addPerson(
  db: Database,
  clock: Clock,
  { plan = 'MONITOR', signIn = cheapSignIn(db, clock) }: { readonly plan?: string; readonly signIn?: SignIn } = {},
) {
  personCount += 1;
  const email = `holder${personCount}@example.com`;
  const { account, signInLink } = await createAccounts({ db, clock }).create({
    email,
    plan,
  });
  const session = await signIn.useLink({ token: signInLink.token, password: GOOD_PASSWORD });
  return { account, email, password: GOOD_PASSWORD, session };
}
