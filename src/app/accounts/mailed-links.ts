import type { Clock } from '../../platform/clock.js';
import { subjectOfAddress } from '../../platform/client-address.js';
import { InputError } from '../../platform/input-error.js';
import type { Database } from '../../store/database.js';
import { type RateLimits, takeOrRefuse } from '../limits/rate-limits.js';
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

/** So many mails of each kind to one mailbox in as long as their links last: a person who is refused has one that works. */
const PER_EMAIL_MAX = 5;
const PER_ADDRESS_MAX = 20;

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
    for (const { explain, ...limit } of limitsOf(SCOPES[kind], by)) {
      await takeOrRefuse(rateLimits, { ...limit, windowMs: LINK_LIFE_MS }, explain);
    }
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

function limitsOf(scope: string, by: Comer) {
  const explain = (wait: string): string =>
    `This address was given ${PER_EMAIL_MAX} times within the hour. Use the latest mail in its mailbox, or try again in ${wait}.`;
  if ('device' in by) return [{ scope: `${scope}-device`, subject: by.device, limit: PER_EMAIL_MAX, explain }];
  return [
    {
      ...{ scope: `${scope}-address`, subject: subjectOfAddress(by.clientAddress), limit: PER_ADDRESS_MAX },
      explain: (wait: string): string => `Your network has asked for too many mails. Try again in ${wait}.`,
    },
    { scope, subject: by.email, limit: PER_EMAIL_MAX, explain },
  ];
}
