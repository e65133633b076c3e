import { timeAfter } from '../../platform/clock.js';
import { TooSoonError } from '../../platform/input-error.js';
import type { Mail, MailOutcome, SendMail } from '../../platform/mail.js';
import { retryStoring, type StartTimer } from '../../platform/timer.js';
import { finishJob, type Job, retryJob, updateClaimed } from '../../queue/jobs.js';
import type { JobHandler } from '../../queue/worker.js';
import type { Tx } from '../../store/database.js';
import { recordOncePerHour } from '../audit/audit.js';
import type { Context } from '../context.js';
import { limitOf } from '../limits/caps.js';
import { consumeAll } from '../limits/limits.js';
import { selectAccount, selectAccountByEmail, selectAccountToAddTo } from './accounts.js';
import { addLink, addSignUpLink } from './links.js';
import type { AccountMail } from './mails.js';

type AttemptResult = 'delivered' | 'retried' | 'failed';

interface MailContext extends Pick<Context, 'db' | 'clock' | 'publicUrl'>, Partial<Pick<Context, 'onFailure'>> {
  /** Null if no mail server is configured. */
  readonly sendMail: SendMail | null;
  /** Called after each attempt, for the metrics. */
  readonly onAttempt?: (result: AttemptResult) => void;
  /** For tests. */
  readonly startTimer?: StartTimer;
}

const MINUTE_MS = 60_000;

/** Gives up after half an hour: by then people have requested another mail. */
const PAUSES_MS = [5000, MINUTE_MS, 5 * MINUTE_MS, 25 * MINUTE_MS];

/** A mail that could not be sent for this long, such as while no worker ran, is of no use any more. */
const WAITING_MS_MAX = 24 * 60 * MINUTE_MS;

/** Matches no row, so that the same statements run for an unknown address. */
const NO_ACCOUNT = '';

/**
 * Sends the mails about accounts. The statements are the same whether an account has the address or not. Each attempt makes a new link,
 * since its token is stored nowhere but in the mail.
 */
export class AccountMailHandler implements JobHandler {
  readonly attemptsMax = PAUSES_MS.length + 1;

  constructor(private readonly context: MailContext) {}

  async perform(job: Job): Promise<void> {
    const { db, clock, sendMail, publicUrl, startTimer } = this.context;
    const text = await db.transaction((tx) => writeMail(tx, job, publicUrl, clock.now()));
    if (text && !sendMail) this.context.onFailure?.(new Error('SMTP_URL is not set in this process'));
    const outcome = text && sendMail ? await sendMail({ id: job.key, ...text }) : 'refused';
    const result = await retryStoring(() => this.#store(job, outcome), startTimer);
    if (text) this.context.onAttempt?.(result);
  }

  async failed(job: Job, cause: unknown): Promise<void> {
    this.context.onFailure?.(cause);
    this.context.onAttempt?.(await this.#store(job, 'failed'));
  }

  /** Ends the job, or schedules another attempt. */
  async #store(job: Job, outcome: MailOutcome): Promise<AttemptResult> {
    const { db, clock } = this.context;
    const now = clock.now();
    const pauseMs = outcome === 'failed' ? PAUSES_MS[job.attempts - 1] : undefined;
    await db.transaction((tx) =>
      pauseMs === undefined ? finishJob(tx, job, now) : retryJob(tx, job, timeAfter(now, pauseMs)),
    );
    if (pauseMs !== undefined) return 'retried';
    return outcome === 'sent' ? 'delivered' : 'failed';
  }
}

type MailText = Pick<Mail, 'to' | 'subject' | 'text'>;

/** Returns null if there is no recipient, or the mail is too old. @throws Error for an unknown kind */
async function writeMail(tx: Tx, job: Job, publicUrl: string, now: Date): Promise<MailText | null> {
  const mail = JSON.parse(job.payload ?? '{}') as AccountMail;
  if (mail.at < timeAfter(now, -WAITING_MS_MAX).toISOString()) return null;
  switch (mail.kind) {
    case 'PASSWORD': {
      const account = await tx.one(selectAccountByEmail(mail.email));
      const accountId = account?.id ?? NO_ACCOUNT;
      await tx.one(selectAccountToAddTo({ id: accountId }));
      const isOverLimit = !mail.isCounted && (await isOverAccountLimit(tx, account?.id ?? mail.email, now));
      if (!isOverLimit) await updateClaimed(tx, job, { payload: JSON.stringify({ ...mail, isCounted: true }) });
      const { token } = await addLink(tx, accountId, true, now);
      await recordOncePerHour(tx, { accountId, event: 'password_link_asked', address: mail.address, at: mail.at });
      return account && !isOverLimit ? { to: account.email, ...passwordLinkText(token, publicUrl) } : null;
    }
    case 'SIGN_UP': {
      const account = await tx.one(selectAccountByEmail(mail.email));
      const { token } = await addSignUpLink(tx, mail.email, now);
      const accountId = account?.id ?? NO_ACCOUNT;
      await recordOncePerHour(tx, { accountId, event: 'sign_up_asked', address: mail.address, at: mail.at });
      return {
        to: mail.email,
        ...(account ? alreadyRegisteredMail(publicUrl) : signUpLinkText(token, publicUrl, mail.site)),
      };
    }
    case 'PASSWORD_CHANGED': {
      const account = await tx.one(selectAccount({ id: mail.accountId }));
      return account ? { to: account.email, ...newPasswordText(mail.at, publicUrl) } : null;
    }
    default:
      throw new Error(`no mail of the kind ${(mail as { readonly kind: string }).kind} is known`);
  }
}

/**
 * Counts a mail to an account, or to an address without one. Only the account counts, so that other names of its mailbox cannot use up its
 * mails, and no answer reveals whether there is one.
 */
async function isOverAccountLimit(tx: Tx, subject: string, now: Date): Promise<boolean> {
  try {
    await consumeAll(tx, [limitOf('password-mail', subject)], now);
    return false;
  } catch (error) {
    if (error instanceof TooSoonError) return true;
    throw error;
  }
}

const LINK_VALIDITY = 'The link works once, within an hour.';

function passwordLinkText(token: string, publicUrl: string) {
  return mailText('Choose a new password', publicUrl, [
    `Someone, probably you, asked for a new password at ${publicUrl}. Choose it here:`,
    `${publicUrl}/sign-in/${token}`,
    '',
    `${LINK_VALIDITY} A new password signs you out everywhere else.`,
    "If it wasn't you, ignore this mail: your password stays the same.",
  ]);
}

function signUpLinkText(token: string, publicUrl: string, site?: string) {
  const query = site === undefined ? '' : `?site=${encodeURIComponent(site)}`;
  return mailText('Confirm your e-mail address', publicUrl, [
    `Someone, probably you, is creating an account at ${publicUrl} with this address. Confirm it and choose a password here:`,
    `${publicUrl}/sign-up/${token}${query}`,
    '',
    `${LINK_VALIDITY} If it wasn't you, ignore this mail: the account is created only when the link is used.`,
  ]);
}

function alreadyRegisteredMail(publicUrl: string) {
  return mailText('You already have an account', publicUrl, [
    `Someone, probably you, tried to create an account at ${publicUrl} with this address, which already has one.`,
    '',
    `Sign in: ${publicUrl}/sign-in`,
    `Forgot your password? ${publicUrl}/forgot-password`,
    '',
    "If it wasn't you, ignore this mail: nothing has changed.",
  ]);
}

function newPasswordText(at: string, publicUrl: string) {
  const dayAndTime = `${at.slice(0, 10)} at ${at.slice(11, 16)} UTC`;
  return mailText('Your password was changed', publicUrl, [
    `A new password was set for your account at ${publicUrl} on ${dayAndTime}. Every other session has ended.`,
    '',
    `If it wasn't you, choose another password now, which signs everyone else out: ${publicUrl}/forgot-password`,
    `Then check the recent activity: ${publicUrl}/account/activity`,
    `And revoke your API keys: ${publicUrl}/keys`,
  ]);
}

function mailText(subject: string, publicUrl: string, lines: readonly string[]): Pick<Mail, 'subject' | 'text'> {
  return { subject, text: [...lines, '', '-- ', `Agent Readiness Scan, ${publicUrl}`, ''].join('\n') };
}
