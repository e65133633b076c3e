import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { normalisePassword } from './password.js';
import { Slots } from '../../platform/slots.js';

/** What a guess costs: scrypt's N (as its power of 2), r and p. */
export interface PasswordCost {
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

/** OWASP's password storage cheat sheet, its first choice for scrypt: 128 MiB and about a third of a second. */
const PASSWORD_COST: PasswordCost = { logN: 17, r: 8, p: 1 };

/** Two at once take 256 MiB; those that wait are done within the 5 seconds that a slot is waited for. */
const AT_ONCE_MAX = 2;
const WAITING_MAX = 20;

const SALT_BYTES = 16;
const HASH_BYTES = 32;
const STORED = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]+)$/;

interface Hashed {
  readonly cost: PasswordCost;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/**
 * Passwords at rest. Every method rejects with ServiceError overloaded when too many wait for their turn.
 * @param deps other than the tests' own: the full cost, and few at once in the process
 */
export function createPasswords({
  cost = PASSWORD_COST,
  slots = new Slots(AT_ONCE_MAX, { waitingMax: WAITING_MAX }),
}: { readonly cost?: PasswordCost; readonly slots?: Slots } = {}) {
  const decoy: Hashed = { cost, salt: Buffer.alloc(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES) };
  const derive = (password: string, salt: Buffer, at: PasswordCost): Promise<Buffer> =>
    slots.run(() => deriveKey(normalisePassword(password), salt, at));

  return {
    /** What is stored in a password's place: `scrypt$17$8$1$salt$hash`, so that the cost can be raised later. */
    async hash(password: string): Promise<string> {
      const salt = randomBytes(SALT_BYTES);
      const hash = await derive(password, salt, cost);
      return ['scrypt', cost.logN, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
    },
    /** @param stored the stored hash; null without an account: then no password is right, and refusing takes as long */
    async isRight(password: string, stored: string | null): Promise<boolean> {
      const expected = stored === null ? decoy : parseStored(stored);
      const hash = await derive(password, expected.salt, expected.cost);
      return timingSafeEqual(hash, expected.hash) && stored !== null;
    },
    /** Whether it was hashed at another cost than today's. */
    isOutdated(stored: string): boolean {
      const { logN, r, p } = parseStored(stored).cost;
      return logN !== cost.logN || r !== cost.r || p !== cost.p;
    },
  };
}

export type Passwords = ReturnType<typeof createPasswords>;

function deriveKey(password: string, salt: Buffer, { logN, r, p }: PasswordCost): Promise<Buffer> {
  const N = 2 ** logN;
  // Node refuses what scrypt needs (128 · N · r bytes, and a little) unless it is told that so much is meant.
  const options = { N, r, p, maxmem: 2 * 128 * N * r };
  return new Promise((resolve, reject) => {
    scrypt(password, salt, HASH_BYTES, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

function parseStored(stored: string): Hashed {
  const [, logN, r, p, salt = '', hash = ''] = STORED.exec(stored) ?? [];
  const parsed = {
    cost: { logN: Number(logN), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  };
  if (parsed.hash.length !== HASH_BYTES) throw new Error('What is stored for a password is not of the known form.');
  return parsed;
}
