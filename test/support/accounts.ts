import { type Account, createAccounts } from '../../src/app/accounts/accounts.js';
import { createPasswords, type PasswordCost, type Passwords } from '../../src/app/accounts/passwords.js';
import { createSignIn, type SignIn } from '../../src/app/accounts/sign-in.js';
import { createKeys } from '../../src/app/keys/keys.js';
import { readOwnershipToken } from '../../src/app/sites/proof.js';
import type { Site } from '../../src/app/sites/site.js';
import { createSites } from '../../src/app/sites/sites.js';
import type { Clock } from '../../src/platform/clock.js';
import type { ScanReport } from '../../src/scanner/scan/scan.js';
import type { Database } from '../../src/store/database.js';
import { GOOD_PASSWORD } from './passwords.js';
import { finding } from './reports.js';

/** A clock that the test sets. */
export class TestClock implements Clock {
  constructor(public time = new Date('2026-03-15T12:00:00.000Z')) {}

  now(): Date {
    return new Date(this.time);
  }

  set(iso: string): void {
    this.time = new Date(iso);
  }
}

let accountCount = 0;

export async function addAccount(db: Database, plan = 'MONITOR', clock: Clock = new TestClock()): Promise<Account> {
  accountCount += 1;
  const { account } = await createAccounts({ db, clock }).create({
    email: `person${accountCount}@example.com`,
    plan,
  });
  return account;
}

export async function addKey(db: Database, accountId: string, clock: Clock = new TestClock()): Promise<string> {
  return (await createKeys({ db, clock }).create({ accountId, name: 'test' })).key;
}

export async function addSite(
  db: Database,
  accountId: string,
  { hostname = 'shop.example.com', isVerified = true } = {},
): Promise<Site> {
  const sites = createSites({ db, clock: new TestClock(), vetSite: () => true, sitesMaxOverride: 1_000_000 });
  const site = await sites.add({ accountId, site: hostname });
  return isVerified ? sites.markVerified(site.id, 'operator') : site;
}

export function siteToScan(id: string, accountId = ''): Pick<Site, 'id' | 'accountId' | 'origin' | 'chosenPages'> {
  return { id, accountId, origin: 'https://shop.example.com', chosenPages: null };
}

/** Returns the text that proves ownership of the site. */
export async function tokenOf(
  db: Database,
  { accountId, hostname }: Pick<Site, 'accountId' | 'hostname'>,
): Promise<string> {
  return (await readOwnershipToken(db, accountId, hostname)) ?? '';
}

/** Has letters beyond ASCII. */
const FINDING = finding({ checkId: 'C-LLMS-01', result: 'PASS', title: 'A title – with “letters”' });

export const RELEASE = '9.8.7+abc1234';

/** A scan that ends just before the time of {@link TestClock}. */
export function scanReport(score: number | null = 100): ScanReport {
  const startedAt = new Date('2026-03-15T11:59:30.000Z');
  return {
    score,
    startedAt,
    finishedAt: new Date('2026-03-15T11:59:40.000Z'),
    requestCount: 36,
    siteRequestCount: 30,
    findings: [FINDING],
    notes: [],
    movedTo: null,
    gains: [],
    answer: null,
    pages: null,
    evidence: null,
  };
}

export function textOf(body: Uint8Array): string {
  return Buffer.from(body).toString('utf8');
}

const CHEAP: PasswordCost = { logN: 4, r: 8, p: 1 };

/** Returns passwords with cheap hashes and a long queue. */
export function cheapPasswords(cost: PasswordCost = CHEAP): Passwords {
  return createPasswords({ cost, waitingMax: 1000 });
}

/** Returns a sign-in with cheap password hashes. */
export function cheapSignIn(db: Database, clock: Clock): SignIn {
  return createSignIn({ db, clock, passwords: cheapPasswords() });
}

let personCount = 0;

/** Adds an account, and signs in by its first link with a new password. */
export async function addPerson(
  db: Database,
  clock: Clock,
  { plan = 'MONITOR', signIn = cheapSignIn(db, clock) }: { readonly plan?: string; readonly signIn?: SignIn } = {},
) {
  personCount += 1;
  const email = `holder${personCount}@example.com`;
  const { account, signInLink } = await createAccounts({ db, clock }).create({
    email,
    plan,
  });
  const session = await signIn.useLink({ token: signInLink.token, password: GOOD_PASSWORD });
  return { account, email, password: GOOD_PASSWORD, session };
}
