import { DAY_MS, laterThan, timeAfter } from '../../platform/clock.js';
import { RateLimitError } from '../../platform/input-error.js';
import type { Mail, MailOutcome, SendMail } from '../../platform/mail.js';
import { retryStoring, type StartTimer } from '../../platform/timer.js';
import { finishJob, type Job, retryJob, updateClaimed } from '../../queue/jobs.js';
import type { JobHandler } from '../../queue/worker.js';
import type { Tx } from '../../store/database.js';
import { recordOncePerHour } from '../audit/audit.js';
import type { Context } from '../context.js';
import { consumeAll, limitOf } from '../limits/limits.js';
import { readAccount, selectAccountToAddTo } from './accounts.js';
import { addLink } from './links.js';
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

/**
 * Sends the mails about accounts. The statements are the same whether an account has the address or not. Each attempt makes a new link,
 * since its token is stored nowhere but in the mail.
 */
export function createAccountMailHandler(context: MailContext): JobHandler {
  const { db, clock, sendMail, publicUrl, onFailure, onAttempt, startTimer } = context;

  /** Ends the job, or schedules another attempt. */
  const store = async (job: Job, outcome: MailOutcome): Promise<AttemptResult> => {
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
      const result = await retryStoring(() => store(job, outcome), startTimer);
      if (text) onAttempt?.(result);
    },
    async failed(job, cause) {
      onFailure?.(cause);
      onAttempt?.(await store(job, 'failed'));
    },
  };
}

type MailText = Pick<Mail, 'to' | 'subject' | 'text'>;

/** Returns null if there is no recipient, or the mail has waited for a day, such as while no worker ran. @throws Error for an unknown kind */
async function writeMail(tx: Tx, job: Job, publicUrl: string, now: Date): Promise<MailText | null> {
  const mail = JSON.parse(job.payload ?? '{}') as AccountMail;
  if (mail.at < laterThan(now, -DAY_MS)) return null;
  if (mail.kind === 'PASSWORD_CHANGED') {
    const account = await readAccount(tx, { id: mail.accountId });
    return account ? { to: account.email, ...newPasswordText(mail.at, publicUrl) } : null;
  }
  if (!['PASSWORD', 'SIGN_UP'].includes(mail.kind)) throw new Error(`no mail of the kind ${mail.kind} is known`);
  const { kind, email, address, at } = mail;
  const account = await readAccount(tx, { email });
  // Matches no row for an unknown address, so that the same statements run.
  const accountId = account?.id ?? '';
  if (kind === 'SIGN_UP') {
    const { token } = await addLink(tx, { email }, now);
    await recordOncePerHour(tx, { accountId, event: 'sign_up_requested', address, at });
    return { to: email, ...(account ? registeredText(publicUrl) : signUpText(token, publicUrl, mail.site)) };
  }
  await tx.one(selectAccountToAddTo({ id: accountId }));
  const isOverLimit = !mail.isCounted && (await isOverAccountLimit(tx, account?.id ?? email, now));
  if (!isOverLimit) await updateClaimed(tx, job, { payload: JSON.stringify({ ...mail, isCounted: true }) });
  const { token } = await addLink(tx, { account_id: accountId }, now, true);
  await recordOncePerHour(tx, { accountId, event: 'password_link_requested', address, at });
  return account && !isOverLimit ? { to: account.email, ...passwordLinkText(token, publicUrl) } : null;
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
    if (error instanceof RateLimitError) return true;
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

function signUpText(token: string, publicUrl: string, site?: string) {
  const query = site === undefined ? '' : `?site=${encodeURIComponent(site)}`;
  return mailText('Confirm your e-mail address', publicUrl, [
    `Someone, probably you, is creating an account at ${publicUrl} with this address. Confirm it and choose a password here:`,
    `${publicUrl}/sign-up/${token}${query}`,
    '',
    `${LINK_VALIDITY} If it wasn't you, ignore this mail: the account is created only when the link is used.`,
  ]);
}

function registeredText(publicUrl: string) {
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
