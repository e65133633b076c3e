import type { Clock } from '../../platform/clock.js';
import { networksOfAddress, subjectOfAddress } from '../../platform/client-address.js';
import { InputError } from '../../platform/input-error.js';
import type { Database } from '../../store/database.js';
import { type ExplainedLimit, type RateLimits, staggered, takeAllOrRefuse } from '../limits/rate-limits.js';
import { addAskedMail, type AskedMail } from './account-mails.js';
import { LINK_LIFE_MS } from './accounts.js';
import { parseDisplayName } from './display-name.js';
import { parseEmail } from './email.js';
import { type Comer, guesserOf } from './guesser.js';

/** What somebody who is not signed in gives. */
export interface LinkAsked {
  readonly email: string;
  readonly clientAddress: string;
  /** The token of the device, if it has one. */
  readonly device?: string | undefined;
}

export interface MailedLinksDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly rateLimits: RateLimits;
}

/** So many mails of each kind to one mailbox in as long as their links last: who is refused by this limit has one that works. */
const PER_EMAIL_MAX = 5;
const PER_ADDRESS_MAX = 20;

/**
 * Anybody may have mails about an account sent to any mailbox, also to one whose owner has never heard of the service. So they are fewer
 * than links to a password, which go to accounts alone, and no more within any half of an hour or a day.
 */
const SIGN_UP = { perEmailHour: 3, perEmailDay: 5, all: 300 };

/** The same from a network around the caller's address in an hour, by the length of its prefix. */
const SIGN_UPS_OF_NETWORK: Readonly<Record<number, number>> = { 56: 30, 48: 45, 32: 100, 24: 60 };

const DAY_MS = 24 * 3_600_000;

const SCOPES: Readonly<Record<AskedMail, string>> = { PASSWORD: 'password-mail', SIGN_UP: 'sign-up-mail' };

/**
 * Links by mail, to a new password or a new account. Nothing here looks for an account: the answer and its statements are the same for
 * every address, and what is in the mail is found out when it is sent. Every method rejects with an InputError for what is not an address,
 * and with a TooSoonError.
 */
export class MailedLinks {
  constructor(private readonly deps: MailedLinksDeps) {}

  /** Mails a link to a new password, where an account has the address. */
  async askForPassword({ email: input, clientAddress, device }: LinkAsked): Promise<void> {
    const email = parseEmail(input);
    await this.#ask('PASSWORD', email, await guesserOf(this.deps, { email, clientAddress }, device));
  }

  /** Mails a link that confirms the address and makes the account; one that has an account already is told so. */
  async askForAccount({ email: input, clientAddress }: Omit<LinkAsked, 'device'>): Promise<void> {
    const email = parseNameableEmail(input);
    await this.#ask('SIGN_UP', email, { email, clientAddress });
  }

  async #ask(kind: AskedMail, email: string, by: Comer): Promise<void> {
    const { db, clock, rateLimits } = this.deps;
    await takeAllOrRefuse(rateLimits, limitsOf(kind, by));
    const now = clock.now();
    await db.transaction(() => addAskedMail(kind, email, now));
  }
}

/** The address is the account's name, too: one that cannot be is refused before anything is sent to it. */
function parseNameableEmail(input: string): string {
  const email = parseEmail(input);
  try {
    return parseDisplayName(email);
  } catch {
    throw new InputError('Give an address of at most 100 characters, all of them visible.');
  }
}

/** All or none is taken, so that a mailbox that gets no more costs its neighbours nothing. What all share is first: see `takeTogether`. */
function limitsOf(kind: AskedMail, by: Comer): [ExplainedLimit, ...ExplainedLimit[]] {
  const scope = SCOPES[kind];
  const hourly = { windowMs: LINK_LIFE_MS, limit: PER_EMAIL_MAX };
  const tooMany = (limit: number) => (wait: string) =>
    `We were asked for ${limit} mails to this address this hour. Use the latest one, or try again in ${wait}.`;
  const explain = tooMany(PER_EMAIL_MAX);
  if ('device' in by) return [{ ...hourly, scope: `${scope}-device`, subject: by.device, explain }];
  const subject = mailboxOf(by.email);
  const ofAddress = {
    ...{ ...hourly, scope: `${scope}-address`, subject: subjectOfAddress(by.clientAddress), limit: PER_ADDRESS_MAX },
    explain: (wait: string): string => `Your network has asked for too many mails. Try again in ${wait}.`,
  };
  if (kind === 'PASSWORD') return [ofAddress, { ...hourly, scope, subject, explain }];
  const { perEmailHour, perEmailDay, all } = SIGN_UP;
  const limits: [ExplainedLimit, ...ExplainedLimit[]] = [
    {
      ...{ ...hourly, scope: `${scope}-all`, subject: 'all', limit: all },
      explain: (wait) => `Too many people sign up this hour. Try again in ${wait}.`,
    },
    ...networksOfAddress(by.clientAddress).map(({ prefix, bits }) => ({
      ...{ ...ofAddress, scope: `${scope}-network`, subject: prefix },
      limit: SIGN_UPS_OF_NETWORK[bits] ?? PER_ADDRESS_MAX,
    })),
    ofAddress,
    { ...hourly, scope, subject, limit: perEmailHour, explain: tooMany(perEmailHour) },
    {
      ...{ scope: `${scope}-day`, subject, windowMs: DAY_MS, limit: perEmailDay },
      explain: (wait) => `We were asked for ${perEmailDay} mails to this address today. Try again in ${wait}.`,
    },
  ];
  return [...limits, ...limits.map(staggered)];
}

/** Mails to `ada+anything@example.com` commonly arrive at `ada@example.com`. */
function mailboxOf(email: string): string {
  return email.replace(/^([^+@]*)\+[^@]*(?=@)/, '$1');
}
