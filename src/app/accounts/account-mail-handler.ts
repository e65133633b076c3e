import { type Clock, timeAfter } from '../../platform/clock.js';
import type { Mail, MailOutcome, SendMail } from '../../platform/mail-message.js';
import { digestSecretToken } from '../../platform/secret-token.js';
import type { StartTimer } from '../../platform/timer.js';
import type { ClaimedJob, JobHandler } from '../../queue/job.js';
import { finishJob, retryJob } from '../../queue/jobs.js';
import { noteAgain } from '../../queue/note-again.js';
import type { Database } from '../../store/database.js';
import { execute, one, type Transaction } from '../../store/transaction.js';
import { countStrangersEvent, type StrangersEvent } from '../audit/audit.js';
import { accountMail } from './account-mail.js';
import {
  type AccountMailRow,
  deleteAccountMail,
  noteAccountMail,
  selectAccountMail,
} from './account-mail-statements.js';
import { selectAccount, selectAccountByEmail, selectAccountToAddTo } from './account-statements.js';
import { newSignInLink } from './accounts.js';
import { insertSignInLink } from './sign-in-link-statements.js';
import { insertSignUp } from './sign-up-statements.js';

type AttemptResult = 'delivered' | 'retried' | 'failed';

export interface AccountMailDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** Null where no mail server is configured. */
  readonly sendMail: SendMail | null;
  /** The origin of links. */
  readonly publicUrl: string;
  /** Hears of a fault of ours: for the log. */
  readonly onFailure?: (cause: unknown) => void;
  /** Hears what became of a mail: for the metrics. */
  readonly onAttempt?: (result: AttemptResult) => void;
  /** For tests. */
  readonly startTimer?: StartTimer;
}

const MINUTE_MS = 60_000;

/** A person who waits for a mail looks for it now: half an hour later they have asked again. */
const PAUSES_MS = [5000, MINUTE_MS, 5 * MINUTE_MS, 25 * MINUTE_MS];

/** No account has it: what is done for the account of an unknown address is done to no row. */
const NO_ACCOUNT = '';

/**
 * Sends the mails about accounts. The statements are the same whether an account has the address or not. A link is made for each attempt,
 * so that its token is in the mail alone.
 */
export class AccountMailHandler implements JobHandler {
  readonly attemptsMax = PAUSES_MS.length + 1;

  constructor(private readonly deps: AccountMailDeps) {}

  async perform(job: ClaimedJob): Promise<void> {
    const { db, clock, sendMail, publicUrl, startTimer } = this.deps;
    const mail = await db.transaction(() => prepare(job.key, { clock, publicUrl }));
    if (mail && !sendMail) this.deps.onFailure?.(new Error('SMTP_URL is not set in this process'));
    const outcome = mail && sendMail ? await sendMail(mail) : 'refused';
    await noteAgain(() => this.#settle(job, outcome), startTimer);
    if (mail) this.deps.onAttempt?.(this.#resultOf(job, outcome));
  }

  async failed(job: ClaimedJob, cause: unknown): Promise<void> {
    this.deps.onFailure?.(cause);
    await this.#settle(job, 'failed');
    this.deps.onAttempt?.(this.#resultOf(job, 'failed'));
  }

  #resultOf({ attempts }: ClaimedJob, outcome: MailOutcome): AttemptResult {
    if (outcome === 'sent') return 'delivered';
    return outcome === 'refused' || attempts >= this.attemptsMax ? 'failed' : 'retried';
  }

  async #settle(job: ClaimedJob, outcome: MailOutcome): Promise<void> {
    const { db, clock } = this.deps;
    const pauseMs = outcome === 'failed' ? PAUSES_MS[job.attempts - 1] : undefined;
    await db.transaction(function* () {
      const now = clock.now();
      if (pauseMs !== undefined) {
        yield* retryJob(job, { runAfter: timeAfter(now, pauseMs) });
        return;
      }
      yield* finishJob(job, now);
      yield* execute(deleteAccountMail({ id: job.key }));
    });
  }
}

interface Preparing {
  readonly clock: Clock;
  readonly publicUrl: string;
}

/** Null for a mail that nobody is to get. @throws Error for a kind that a later version has added: its process may take the next attempt */
function* prepare(id: string, { clock, publicUrl }: Preparing): Transaction<Mail | null> {
  const row = yield* one(selectAccountMail({ id }));
  if (!row) return null;
  const asked = { id, row, publicUrl, now: clock.now() };
  switch (row.kind) {
    case 'PASSWORD':
      return yield* passwordLink(asked);
    case 'SIGN_UP':
      return yield* signUpLink(asked);
    case 'PASSWORD_CHANGED': {
      const account = yield* one(selectAccount({ id: row.account_id ?? NO_ACCOUNT }));
      return account ? accountMail(id, account.email, { kind: row.kind, at: row.created_at }, publicUrl) : null;
    }
    default:
      throw new Error(`no mail of the kind ${row.kind} is known`);
  }
}

interface Asked {
  readonly id: string;
  readonly row: AccountMailRow;
  readonly publicUrl: string;
  readonly now: Date;
}

function* passwordLink({ id, row, publicUrl, now }: Asked): Transaction<Mail | null> {
  const account = yield* one(selectAccountByEmail({ email: row.email ?? '' }));
  const accountId = account?.id ?? NO_ACCOUNT;
  yield* one(selectAccountToAddTo({ id: accountId }));
  const { token, expiresAt } = newSignInLink(now);
  const link = { digest: digestSecretToken(token), account_id: accountId, expires_at: expiresAt };
  yield* execute(insertSignInLink({ ...link, is_for_password: 1 }));
  yield* tell('password_link_asked', accountId, { id, row, now });
  return account ? accountMail(id, account.email, { kind: 'PASSWORD_LINK', token }, publicUrl) : null;
}

function* signUpLink({ id, row, publicUrl, now }: Asked): Transaction<Mail | null> {
  const email = row.email ?? '';
  const account = yield* one(selectAccountByEmail({ email }));
  const { token, expiresAt } = newSignInLink(now);
  yield* execute(insertSignUp({ digest: digestSecretToken(token), email, expires_at: expiresAt }));
  yield* tell('sign_up_asked', account?.id ?? NO_ACCOUNT, { id, row, now });
  return accountMail(id, email, account ? { kind: 'HAS_ACCOUNT' } : { kind: 'SIGN_UP_LINK', token }, publicUrl);
}

/** Once for a mail, however often it is tried: in the transaction that makes its first link. */
function* tell(
  event: StrangersEvent['event'],
  accountId: string,
  { id, row, now }: Pick<Asked, 'id' | 'row' | 'now'>,
): Transaction<void> {
  if (row.noted_at !== null) return;
  yield* execute(noteAccountMail({ id, now: now.toISOString() }));
  yield* execute(countStrangersEvent({ accountId, event, address: row.address, at: row.created_at }));
}
