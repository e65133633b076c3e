import { createHash } from 'node:crypto';
import { InputError } from '../../../src/platform/input-error.js';
import { createAccounts } from '../../../src/app/accounts/accounts.js';
import { ABANDONED_MS } from '../../../src/app/free-scan/free-scan.js';
import { FreeScans } from '../../../src/app/free-scan/free-scans.js';
import { createSignIn } from '../../../src/app/accounts/sign-in.js';
import { Slots } from '../../../src/platform/slots.js';
import { addAccount, scanReport } from '../../support/accounts.js';
import { GOOD_PASSWORD as password } from '../../support/passwords.js';
import { cheapPasswords } from '../../support/sign-in.js';
import { type Act, outcomeOf, type Outcome, type Scene } from './sweep.js';
import { askNumber, type FaultWorld } from './world.js';
import { noTrials } from '../../support/no-trials.js';

const PASSWORDS = cheapPasswords();

function signInOver({ db, clock, timers }: FaultWorld) {
  return createSignIn({ db, clock, startTimer: timers.start, passwords: PASSWORDS });
}

function sessionsOf(world: FaultWorld, accountId: string): Promise<number> {
  return askNumber(world, `SELECT count(*) AS n FROM sessions WHERE account_id = '${accountId}'`);
}

function doneOf(outcomes: readonly Outcome[]): number {
  return outcomes.filter((outcome) => outcome === 'done').length;
}

const link: Scene = {
  name: 'first sign-in, by link',
  async prepare(world): Promise<Act> {
    const { watch, clock } = world;
    const { id: accountId } = await addAccount(watch);
    const { token } = await createAccounts({ db: watch, clock }).createSignInLink(accountId);
    const signIn = signInOver(world);
    // A link works once: whoever was signed in by it is told so the second time.
    const isSpent = (error: unknown) =>
      error instanceof InputError && error.message.startsWith('This link has expired');
    let opened = 0;
    const use = async () => {
      try {
        await signIn.useLink({ token, password });
        opened += 1;
      } catch (error) {
        if (opened === 0 || !isSpent(error)) throw error;
      }
    };
    return {
      run: () => outcomeOf(use()),
      async check() {
        const sessions = await sessionsOf(world, accountId);
        const set = await askNumber(
          world,
          `SELECT count(*) AS n FROM accounts WHERE id = '${accountId}' AND password_hash IS NOT NULL`,
        );
        return sessions === opened && set === opened ? [] : [`${sessions} sessions, ${set} passwords, ${opened} told`];
      },
    };
  },
};

const byPassword: Scene = {
  name: 'sign-in by password',
  async prepare(world): Promise<Act> {
    const { watch, clock } = world;
    const account = await addAccount(watch);
    const { token } = await createAccounts({ db: watch, clock }).createSignInLink(account.id);
    await createSignIn({ db: watch, clock, passwords: PASSWORDS }).useLink({ token, password });
    const signIn = signInOver(world);
    const clientAddress = addressOf(account.id);
    return {
      run: () => outcomeOf(signIn.withPassword({ email: account.email, password, clientAddress })),
      async check(outcomes, isFateUnknown) {
        const sessions = (await sessionsOf(world, account.id)) - 1;
        const held = await highestOf(world, ['sign-in-address', clientAddress], ['sign-in-account', account.email]);
        const broken = sessions === doneOf(outcomes) ? [] : [`${sessions} sessions, ${doneOf(outcomes)} told`];
        return held === 0 || (isFateUnknown && held === 1) ? broken : [...broken, `${held} failures held against them`];
      },
    };
  },
};

const HOUR_MS = 3_600_000;

let hostCount = 0;

const freeScan: Scene = {
  name: 'free scan',
  async prepare(world): Promise<Act> {
    const { db, clock, timers } = world;
    hostCount += 1;
    // Its scans are all of one hour: what an earlier one counted may be cleared away.
    clock.time = new Date(Math.ceil((clock.time.getTime() + 1) / HOUR_MS) * HOUR_MS);
    const hostname = `free${hostCount}.example.com`;
    const clientAddress = addressOf(hostname);
    const freeScans = new FreeScans({
      tryFile: noTrials,
      addressesOf: async ({ hostname }) => [hostname],
      ...{ db, clock, slots: new Slots(20), scanConcurrency: 20, vetSite: () => true },
      scan: async () => ({ ...scanReport(), startedAt: clock.now(), finishedAt: clock.now() }),
      startTimer: timers.start,
    });
    const scan = async () => {
      // A host whose scan nobody finishes is free again: so it is where the answer to its claim was lost.
      clock.time = new Date(clock.time.getTime() + ABANDONED_MS + 1000);
      return (await freeScans.start({ site: hostname, clientAddress })).done;
    };
    return {
      run: () => outcomeOf(scan()),
      async check(outcomes, isFateUnknown) {
        const counted = await highestOf(world, ['free-scan', clientAddress]);
        const kept = await askNumber(world, `SELECT count(*) AS n FROM free_scans WHERE hostname = '${hostname}'`);
        const finished = await askNumber(
          world,
          `SELECT count(*) AS n FROM free_scans WHERE hostname = '${hostname}' AND body IS NOT NULL`,
        );
        // Who asked first may have it made again by now: each one counts, and the last is kept.
        const told = doneOf(outcomes);
        const scanned = Math.min(1, told);
        const broken =
          counted === told || (isFateUnknown && counted <= 1 + told) ? [] : [`${counted} counted, ${told} told`];
        // An answer that was lost leaves at worst a result that nobody was told of.
        if (isFateUnknown || (kept === finished && finished === scanned)) return broken;
        return [...broken, `${kept} kept, ${finished} of them finished, ${scanned} told`];
      },
    };
  },
};

/** An address of its own for each. */
function addressOf(text: string): string {
  return `198.18.${[...createHash('sha256').update(text).digest().subarray(0, 2)].join('.')}`;
}

/** Returns the highest count of these windows: one attempt that is not given back counts in each of them. */
async function highestOf(
  world: FaultWorld,
  ...windows: readonly (readonly [scope: string, subject: string])[]
): Promise<number> {
  let highest = 0;
  for (const [scope, subject] of windows) {
    const digest = createHash('sha256').update(subject).digest('hex');
    const used = await askNumber(
      world,
      `SELECT sum(used) AS n FROM rate_windows WHERE scope = '${scope}' AND subject = '${digest}'`,
    );
    highest = Math.max(highest, used);
  }
  return highest;
}

export const VISITOR_SCENES: readonly Scene[] = [link, byPassword, freeScan];
