import { DAY_MS, isoTimeAfter, type StartTimer, timeAfter } from '../../platform/clock.js';
import { networkOf } from '../../platform/http/request.js';
import { newId } from '../../platform/ids.js';
import { InputError, RateLimitError } from '../../platform/errors.js';
import type { Mail, MailOutcome, SendMail } from '../../platform/mail.js';
import { retryStoring } from '../../platform/concurrency.js';
import { addJob, finishJob, type Job, retryJob } from '../../queue/jobs.js';
import type { JobHandler } from '../../queue/worker.js';
import type { Tx } from '../../store/database.js';
import { currentActor, recordOncePerHour } from '../audit/audit.js';
import type { Context } from '../context.js';
import { consume, consumeAll, fillIn, type Limit, limitOf, networkLimits } from '../limits/limits.js';
import { parseDisplayName, parseEmail, readAccount } from './accounts.js';
import { addLink } from './links.js';

export const ACCOUNT_MAIL = 'ACCOUNT_MAIL';

/** A mail that anyone can request, whether the address has an account or not. */
interface VisitorMail {
  readonly kind: 'PASSWORD' | 'SIGN_UP';
  readonly email: string;
  readonly address: string | null;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Host name that the visitor scanned before signing up. */
  readonly site?: string;
}

/** Payload of a mail job. It has no token, because the link is created when the mail is sent. */
type AccountMail = VisitorMail | { readonly kind: 'PASSWORD_CHANGED'; readonly accountId: string; readonly at: string };

/** Delays sending, so that response times do not reveal accounts. */
const SEND_AFTER_MS = 1000;

export function queuePasswordChangedMail(tx: Tx, accountId: string, now: Date): Promise<void> {
  return queueMail(tx, { kind: 'PASSWORD_CHANGED', accountId, at: now.toISOString() }, accountId, now);
}

/** @param owner account or network whose share of the workers the mail uses */
async function queueMail(tx: Tx, mail: AccountMail, owner: string, now: Date): Promise<void> {
  const job = {
    queue: 'account-mails',
    kind: ACCOUNT_MAIL,
    key: newId('msg'),
    account_id: owner,
    site_id: null,
  } as const;
  const run_after = isoTimeAfter(now, SEND_AFTER_MS);
  await addJob(tx, { ...job, payload: JSON.stringify(mail), run_after }, now);
}

interface LinkRequest {
  readonly email: string;
  readonly clientAddress: string;
  /** Host name to add to the sign-up link; ignored if invalid. */
  readonly site?: string;
}

const HOST_NAME = /^[a-z0-9.:[\]-]{1,253}$/;

/**
 * Mails links that set a new password or create an account. The text is chosen when the mail is sent: until then, response and SQL
 * statements are the same for every address, so that they do not reveal accounts. Every method rejects with an InputError if the input is
 * not an address, or with a RateLimitError.
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
    await db.transaction((tx) => queueMail(tx, requested, networkOf(clientAddress), now));
  };
  return {
    /** Mails a password link if an account has the address and has not received too many this hour. */
    async requestPasswordLink({ email: input, clientAddress }: LinkRequest): Promise<void> {
      const email = parseEmail(input);
      await request({ kind: 'PASSWORD', email }, clientAddress, [
        ...networkLimits('password-mail-address', clientAddress),
        ...networkLimits('password-mail-again', clientAddress, email),
      ]);
    },
    /** Mails a link that confirms the address and creates the account. If the address has an account, the mail says so. */
    async requestSignUpLink({ email: input, clientAddress, site = '' }: LinkRequest): Promise<void> {
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

/** Parses an address that also becomes the account's name. @throws InputError */
function parseSignUpEmail(input: string): string {
  const email = parseEmail(input);
  try {
    return parseDisplayName(email);
  } catch {
    throw new InputError('Enter an address of at most 100 visible characters.');
  }
}

interface MailContext extends Pick<Context, 'db' | 'clock' | 'publicUrl'>, Partial<Pick<Context, 'onFailure'>> {
  /** Null if no mail server is configured. */
  readonly sendMail: SendMail | null;
  /** Called after each attempt to send a mail. */
  readonly onAttempt?: (result: 'delivered' | 'retried' | 'failed') => void;
  readonly startTimer?: StartTimer;
}

const MINUTE_MS = 60_000;

/** Gives up after half an hour, when people have long requested another mail. */
const PAUSES_MS = [5000, MINUTE_MS, 5 * MINUTE_MS, 25 * MINUTE_MS];

/**
 * Sends account mails. The SQL statements are the same whether or not an account has the address. Each attempt creates a new link, because
 * the token of the previous one was not stored.
 */
export function createAccountMailHandler(context: MailContext): JobHandler {
  const { db, clock, sendMail, publicUrl, onFailure, onAttempt, startTimer } = context;

  const storeOutcome = async (job: Job, outcome: MailOutcome) => {
    const now = clock.now();
    const pauseMs = outcome === 'failed' ? PAUSES_MS[job.attempts - 1] : undefined;
    await db.transaction((tx) =>
      pauseMs === undefined ? finishJob(tx, job, now) : retryJob(tx, job, timeAfter(now, pauseMs)),
    );
    if (pauseMs !== undefined) return 'retried';
    return outcome === 'sent' ? 'delivered' : 'failed';
  };

  return {
    attemptsMax: PAUSES_MS.length + 1,
    async perform(job) {
      const text = await db.transaction((tx) => writeMail(tx, job, publicUrl, clock.now()));
      if (text && !sendMail) onFailure?.(new Error('SMTP_URL is not set in this process'));
      const outcome = text && sendMail ? await sendMail({ id: job.key, ...text }) : 'refused';
      const result = await retryStoring(() => storeOutcome(job, outcome), startTimer);
      if (text) onAttempt?.(result);
    },
    async failed(job, cause) {
      onFailure?.(cause);
      onAttempt?.(await storeOutcome(job, 'failed'));
    },
  };
}

/** Returns null if there is no recipient, or if the mail has waited for a day because no worker ran. */
async function writeMail(tx: Tx, job: Job, url: string, now: Date): Promise<MailText | null> {
  const mail = JSON.parse(job.payload ?? '{}') as AccountMail;
  if (mail.at < isoTimeAfter(now, -DAY_MS)) return null;
  if (mail.kind === 'PASSWORD_CHANGED') {
    const account = await readAccount(tx, { id: mail.accountId });
    const time = `${mail.at.slice(0, 10)} at ${mail.at.slice(11, 16)} UTC`;
    return account ? renderMail(account.email, TEXTS.passwordChanged, { url, time }) : null;
  }
  const { kind, email, address, at } = mail;
  const account = await readAccount(tx, { email });
  // An empty id matches no row, so that the same statements run for an unknown address.
  const accountId = account?.id ?? '';
  if (kind === 'SIGN_UP') {
    const { token } = await addLink(tx, { email }, now);
    await recordOncePerHour(tx, { accountId, event: 'sign_up_requested', address, at });
    const query = mail.site === undefined ? '' : `?site=${encodeURIComponent(mail.site)}`;
    return renderMail(email, account ? TEXTS.hasAccount : TEXTS.signUp, { url, path: `/sign-up/${token}${query}` });
  }
  // Retries do not count.
  const isOverLimit = job.attempts === 1 && (await isOverAccountLimit(tx, account?.id ?? email, now));
  const { token } = await addLink(tx, { account_id: accountId }, now, true);
  await recordOncePerHour(tx, { accountId, event: 'password_link_requested', address, at });
  return account && !isOverLimit
    ? renderMail(account.email, TEXTS.newPassword, { url, path: `/sign-in/${token}` })
    : null;
}

/**
 * Counts a mail against the limit of its account, or of its address if there is no account. A limit per mailbox would let its aliases use
 * it up. The result is never shown, because it would reveal the account.
 */
async function isOverAccountLimit(tx: Tx, subject: string, now: Date): Promise<boolean> {
  try {
    await consumeAll(tx, [limitOf('password-mail', subject)], now);
    return false;
  } catch (error) {
    if (error instanceof RateLimitError) return true;
    throw error;
  }
}

/** The first line is the subject. {@link renderMail} adds the name of the service. */
const TEXTS = {
  newPassword: `Choose a new password
Someone, probably you, asked for a new password at {url}. Choose it here:
{url}{path}

The link works once, within an hour. A new password signs you out everywhere else.
If it wasn't you, ignore this mail: your password stays the same.`,

  signUp: `Confirm your e-mail address
Someone, probably you, is creating an account at {url} with this address. Confirm it and choose a password here:
{url}{path}

The link works once, within an hour. If it wasn't you, ignore this mail: the account is created only when the link is used.`,

  hasAccount: `You already have an account
Someone, probably you, tried to create an account at {url} with this address, which already has one.

Sign in: {url}/sign-in
Forgot your password? {url}/forgot-password

If it wasn't you, ignore this mail: nothing has changed.`,

  passwordChanged: `Your password was changed
A new password was set for your account at {url} on {time}. Every other session has ended.

If it wasn't you, choose another password now, which signs everyone else out: {url}/forgot-password
Then check the recent activity: {url}/account/activity
And revoke your API keys: {url}/keys`,
};

type MailText = Pick<Mail, 'to' | 'subject' | 'text'>;

function renderMail(to: string, template: string, values: Readonly<Record<string, string>>): MailText {
  const [subject = '', ...lines] = fillIn(template, values).split('\n');
  return { to, subject, text: [...lines, '', '-- ', fillIn('Agent Readiness Scan, {url}\n', values)].join('\n') };
}
