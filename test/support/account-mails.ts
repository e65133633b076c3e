import { ACCOUNT_MAIL, createAccountMailHandler, createMailedLinks } from '../../src/app/accounts/mails.js';
import { createSignIn, type SignIn } from '../../src/app/accounts/sign-in.js';
import type { Mail, MailOutcome } from '../../src/platform/mail.js';
import type { Database } from '../../src/store/database.js';
import { TestClock } from './accounts.js';
import { TestWorker } from './queue.js';
import { cheapPasswords } from './sign-in.js';

export const MAILS_URL = 'https://readiness.test';

/** Account mails with a real database. The test sets the time and the answers of the mail server. */
export interface AccountMailScene {
  readonly clock: TestClock;
  readonly signIn: SignIn;
  readonly mailedLinks: ReturnType<typeof createMailedLinks>;
  readonly worker: TestWorker;
  /** Mails that reached the mail server. */
  readonly mails: Mail[];
  readonly failures: unknown[];
  /** Attempts that the handler reported to the metrics. */
  readonly results: string[];
  /** Called for each mail. */
  onMail?: () => void;
  /** `fault`: sending throws. */
  mailOutcome: MailOutcome | 'fault';
  /** Advances the clock by a second, sends due mails and returns them. */
  send(): Promise<readonly Mail[]>;
  pass(ms: number): void;
}

/** @param hasServer false if the sending process has no mail server */
export function openAccountMails(db: Database, clock = new TestClock(), hasServer = true): AccountMailScene {
  const mails: Mail[] = [];
  const failures: unknown[] = [];
  const results: string[] = [];
  const sendMail = async (mail: Mail): Promise<MailOutcome> => {
    mails.push(mail);
    scene.onMail?.();
    if (scene.mailOutcome === 'fault') throw new Error('a fault of ours');
    return scene.mailOutcome;
  };
  const handler = createAccountMailHandler({
    ...{ db, clock, publicUrl: MAILS_URL },
    sendMail: hasServer ? sendMail : null,
    onFailure: (cause) => failures.push(cause),
    onAttempt: (result) => results.push(result),
    startTimer: (action) => {
      action();
      return () => undefined;
    },
  });
  const worker = new TestWorker([{ name: 'account-mails', concurrency: 10, handlers: { [ACCOUNT_MAIL]: handler } }], {
    db,
    clock,
  });
  const pass = (ms: number): void => clock.set(new Date(clock.now().getTime() + ms).toISOString());
  const scene: AccountMailScene = {
    ...{ clock, worker, mails, failures, results, pass },
    signIn: createSignIn({ db, clock, passwords: cheapPasswords(), hasMail: true }),
    mailedLinks: createMailedLinks({ db, clock }),
    mailOutcome: 'sent',
    send: async () => {
      const before = mails.length;
      pass(1000);
      await worker.performAll();
      return mails.slice(before);
    },
  };
  return scene;
}

/** Returns the token of the link in a mail; empty if there is none. */
export function tokenIn(mail: Pick<Mail, 'text'> | undefined): string {
  return /\/(?:sign-in|sign-up)\/([\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? '';
}
