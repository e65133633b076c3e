import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { Slots } from '../../platform/slots.js';
import { Pending } from '../../platform/concurrency.js';
import { InputError } from '../../platform/input-error.js';
import type { StartTimer } from '../../platform/timer.js';
import { currentActor, recordOncePerHour } from '../audit/audit.js';
import type { Context } from '../context.js';
import { consume, type Limit, limitOf } from '../limits/limits.js';
import type { AccountRow } from './accounts.js';

/** The parameters of scrypt: N (as its power of 2), r and p. */
export interface PasswordCost {
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

/** The first choice for scrypt in OWASP's password storage cheat sheet: 128 MiB and about a third of a second. */
const PASSWORD_COST: PasswordCost = { logN: 17, r: 8, p: 1 };

/** Two at once need 256 MiB. A full queue drains within the 5 seconds that a caller waits for a slot. */
const AT_ONCE_MAX = 2;
const WAITING_MAX = 20;

const PREFERRED_MAX = 10_000;

const SALT_BYTES = 16;
const HASH_BYTES = 32;
const STORED_HASH = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]+)$/;

interface Hashed {
  readonly cost: PasswordCost;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/**
 * Hashes and compares passwords, a few at a time. Slots are shared fairly among owners: an owner is an account, or the network of a client
 * that is not signed in. `hash` and `matches` reject with ServiceError overloaded if too many calls wait.
 */
export function createPasswords({
  cost = PASSWORD_COST,
  waitingMax = WAITING_MAX,
}: { readonly cost?: PasswordCost; readonly waitingMax?: number } = {}) {
  const preferred = new Set<string>();
  const slots = new Slots(AT_ONCE_MAX, { waitingMax, isPreferred: (owner) => preferred.has(owner) });
  const decoy: Hashed = { cost, salt: Buffer.alloc(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES) };
  const derive = (owner: string, password: string, salt: Buffer, hashCost: PasswordCost): Promise<Buffer> =>
    slots.run(owner, () => deriveKey(normalisePassword(password), salt, hashCost));

  return {
    /** Returns the hash to store: `scrypt$17$8$1$salt$hash`, so that the cost can be raised later. */
    async hash(password: string, owner: string): Promise<string> {
      const salt = randomBytes(SALT_BYTES);
      const hash = await derive(owner, password, salt, cost);
      return ['scrypt', cost.logN, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
    },
    /** @param stored the stored hash; null if there is no account: then every password is refused, after the same time */
    async matches(password: string, stored: string | null, owner: string): Promise<boolean> {
      const expected = stored === null ? decoy : parseStored(stored);
      const hash = await derive(owner, password, expected.salt, expected.cost);
      return timingSafeEqual(hash, expected.hash) && stored !== null;
    },
    /** Gives an owner priority from now on: a signed-in account, or its network. */
    prefer(owner: string): void {
      if (preferred.size >= PREFERRED_MAX) preferred.clear();
      preferred.add(owner);
    },
  };
}

export type Passwords = ReturnType<typeof createPasswords>;

/**
 * Normalises a password, so that every keyboard yields the same one: RFC 8265, section 4.2.2 (OpaqueString: maps every space to U+0020,
 * composes characters, and preserves case).
 */
export function normalisePassword(password: string): string {
  return password.replace(/\p{Zs}/gu, ' ').normalize('NFC');
}

function deriveKey(password: string, salt: Buffer, { logN, r, p }: PasswordCost): Promise<Buffer> {
  const N = 2 ** logN;
  // These parameters need slightly more than 128 · N · r bytes, which is above Node's default limit.
  const options = { N, r, p, maxmem: 2 * 128 * N * r };
  return new Promise((resolve, reject) => {
    scrypt(password, salt, HASH_BYTES, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

function parseStored(stored: string): Hashed {
  const [, logN, r, p, salt = '', hash = ''] = STORED_HASH.exec(stored) ?? [];
  const parsed = {
    cost: { logN: Number(logN), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  };
  if (parsed.hash.length !== HASH_BYTES) throw new Error('unknown format of a stored password hash');
  return parsed;
}

interface ChecksContext extends Pick<Context, 'db' | 'clock'> {
  readonly passwords: Passwords;
  readonly startTimer?: StartTimer | undefined;
}

/** Checks passwords that people enter. Limits wrong ones, and records them in the account's activity. */
export function createPasswordChecks({ db, clock, passwords, startTimer }: ChecksContext) {
  const background = new Pending();

  /** Records a wrong password in the background, so that timing does not reveal whether the account exists. */
  const recordWrongPassword = (accountId: string): void => {
    const { address } = currentActor();
    const event = { accountId, event: 'wrong_password', address, at: clock.now().toISOString() } as const;
    background.add(recordOncePerHour(db, event).catch(() => undefined));
  };

  /**
   * Checks a password. Every guess is charged before the comparison, so that concurrent guesses count; a right one is refunded.
   * @param find resolves to undefined if there is no account: the comparison takes the same time
   * @returns the account; null for a wrong password or no account
   */
  const check = async (
    limits: readonly Limit[],
    find: () => Promise<AccountRow | undefined>,
    password: string,
    owner: string,
  ): Promise<AccountRow | null> => {
    const refund = await consume(db, limits, clock.now(), startTimer);
    let isWrong = false;
    try {
      const account = await find();
      isWrong = !(await passwords.matches(password, account?.password_hash ?? null, owner));
      if (account && isWrong) recordWrongPassword(account.id);
      return isWrong ? null : (account ?? null);
    } finally {
      if (!isWrong) await refund();
    }
  };

  const checkCurrentPassword = async (account: AccountRow, current: string): Promise<void> => {
    passwords.prefer(account.id);
    const limits = [limitOf('current-password', account.id)];
    if (!(await check(limits, async () => account, current, account.id))) throw wrongCurrentPassword();
  };

  /** Resolves when the wrong passwords so far are recorded. Called at shutdown. */
  const settle = () => background.settle();

  return { check, checkCurrentPassword, settle };
}

export function wrongCurrentPassword(): InputError {
  return new InputError('This is not your current password.', 'current');
}
