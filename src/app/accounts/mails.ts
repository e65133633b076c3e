import { laterThan } from '../../platform/clock.js';
import { networkOf } from '../../platform/client-address.js';
import { newId } from '../../platform/ids.js';
import { InputError } from '../../platform/input-error.js';
import { addJob } from '../../queue/jobs.js';
import type { Tx } from '../../store/database.js';
import { currentActor } from '../audit/audit.js';
import type { Context } from '../context.js';
import { consume, type Limit, limitOf, networkLimits } from '../limits/limits.js';
import { parseDisplayName, parseEmail } from './accounts.js';

/** The kind of the jobs that send mails about accounts. */
export const ACCOUNT_MAIL = 'ACCOUNT_MAIL';

/** A mail that anyone can request, whether the address has an account or not. */
interface VisitorMail {
  readonly kind: 'PASSWORD' | 'SIGN_UP';
  readonly email: string;
  /** The IP address that requested the mail. */
  readonly address: string | null;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The host name that the visitor has scanned, for the link of a sign-up. */
  readonly site?: string;
  /** True once an attempt has counted the mail for its account. */
  readonly isCounted?: boolean;
}

/** The payload of such a job. It holds no token: the link is made when the mail is sent. */
export type AccountMail =
  VisitorMail | { readonly kind: 'PASSWORD_CHANGED'; readonly accountId: string; readonly at: string };

/** Delays the work, so that the time of the answer does not reveal accounts. */
const SEND_AFTER_MS = 1000;

/** Queues a mail that informs the account's owner of a new password. */
export function addNewPasswordMail(tx: Tx, accountId: string, now: Date): Promise<void> {
  return addMail(tx, { kind: 'PASSWORD_CHANGED', accountId, at: now.toISOString() }, accountId, now);
}

/** @param owner an account or a network, whose share of the workers the mail uses */
async function addMail(tx: Tx, mail: AccountMail, owner: string, now: Date): Promise<void> {
  const job = {
    queue: 'account-mails',
    kind: ACCOUNT_MAIL,
    key: newId('msg'),
    account_id: owner,
    site_id: null,
  } as const;
  const run_after = laterThan(now, SEND_AFTER_MS);
  await addJob(tx, { ...job, payload: JSON.stringify(mail), run_after }, now);
}

/** A request of a visitor who is not signed in. */
interface LinkRequest {
  readonly email: string;
  readonly clientAddress: string;
  /** Host name to pass through the sign-up link; ignored if invalid. */
  readonly site?: string;
}

const HOST_NAME = /^[a-z0-9.:[\]-]{1,253}$/;

/**
 * Mails links that set a new password or create an account. The answer and its statements are the same for every address, so they reveal no
 * account: the text of the mail is decided when it is sent. Every method rejects with an InputError if the input is not an address, or with
 * a RateLimitError.
 */
export function createMailedLinks({ db, clock }: Pick<Context, 'db' | 'clock'>) {
  const request = async (
    mail: Pick<VisitorMail, 'kind' | 'email' | 'site'>,
    clientAddress: string,
    limits: readonly Limit[],
  ): Promise<void> => {
    const now = clock.now();
    await consume(db, limits, now);
    const { address } = currentActor();
    const requested = { ...mail, address, at: now.toISOString() };
    await db.transaction((tx) => addMail(tx, requested, networkOf(clientAddress), now));
  };
  return {
    /** Mails a link to a new password, if an account has the address and has not had too many this hour. */
    async askForPassword({ email: input, clientAddress }: LinkRequest): Promise<void> {
      const email = parseEmail(input);
      await request({ kind: 'PASSWORD', email }, clientAddress, [
        ...networkLimits('password-mail-address', clientAddress),
        ...networkLimits('password-mail-again', clientAddress, email),
      ]);
    },
    /** Mails a link that confirms the address and makes the account; an address that has an account already gets a mail that says so. */
    async askForAccount({ email: input, clientAddress, site = '' }: LinkRequest): Promise<void> {
      const email = parseSignUpEmail(input);
      // Mails to `ada+anything@example.com` commonly arrive at `ada@example.com`.
      const mailbox = email.replace(/^([^+@]*)\+[^@]*(?=@)/, '$1');
      const mail = { kind: 'SIGN_UP', email, ...(HOST_NAME.test(site) && { site }) } as const;
      await request(mail, clientAddress, [
        ...networkLimits('sign-up-mail-address', clientAddress),
        limitOf('sign-up-mail-day', mailbox),
        limitOf('sign-up-mail', mailbox),
      ]);
    },
  };
}

/** Parses an address that becomes the name of an account. @throws InputError */
function parseSignUpEmail(input: string): string {
  const email = parseEmail(input);
  try {
    return parseDisplayName(email);
  } catch {
    throw new InputError('Give an address of at most 100 characters, all of them visible.');
  }
}
