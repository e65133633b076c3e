import { ACCOUNT_MAIL, createAccountMailHandler } from '../../src/app/accounts/mails.js';
import type { Mail, MailOutcome } from '../../src/platform/mail.js';
import type { Database } from '../../src/store/database.js';
import { TestClock } from './accounts.js';
import { TestWorker } from './queue.js';
import { openServices, PUBLIC_URL } from './services.js';

/**
 * Account mails with a real database. The test sets the time and the answers of the mail server.
 * @param hasServer false if the sending process has no mail server
 */
export function openAccountMails(db: Database, clock = new TestClock(), hasServer = true) {
  const { signIn, mailedLinks } = openServices(db, { clock });
  const mails: Mail[] = [];
  const failures: unknown[] = [];
  /** Attempts that the handler reported to the metrics. */
  const results: string[] = [];
  const server = {
    /** `fault`: sending throws. */
    outcome: 'sent' as MailOutcome | 'fault',
    /** Called for each mail. */
    onMail: (): unknown => undefined,
  };
  const sendMail = async (mail: Mail): Promise<MailOutcome> => {
    mails.push(mail);
    server.onMail();
    if (server.outcome === 'fault') throw new Error('a fault of ours');
    return server.outcome;
  };
  const handler = createAccountMailHandler({
    ...{ db, clock, publicUrl: PUBLIC_URL },
    sendMail: hasServer ? sendMail : null,
    onFailure: (cause) => failures.push(cause),
    onAttempt: (result) => results.push(result),
    startTimer: (action) => {
      action();
      return () => undefined;
    },
  });
  const handlers = { [ACCOUNT_MAIL]: handler };
  const worker = new TestWorker([{ name: 'account-mails', concurrency: 10, handlers }], { db, clock });
  const pass = (ms: number): void => clock.set(new Date(clock.now().getTime() + ms).toISOString());
  return {
    ...{ clock, worker, server, failures, results, pass },
    ...{ signIn, mailedLinks },
    /** Advances the clock by a second, sends due mails and returns them. */
    send: async (): Promise<readonly Mail[]> => {
      const before = mails.length;
      pass(1000);
      await worker.performAll();
      return mails.slice(before);
    },
  };
}

/** Returns the token of the link in a mail; empty if there is none. */
export function tokenIn(mail: Pick<Mail, 'text'> | undefined): string {
  return /\/(?:sign-in|sign-up)\/([\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? '';
}
