import { DAY_MS } from '../../platform/clock.js';
import type { NetworkSize } from '../../platform/http/request.js';
import { SCAN_LIMITS } from '../../scanner/artifacts/scanner.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Maximum units per client IP address, and per larger network around it. */
export type NetworkMax = Readonly<Partial<Record<NetworkSize, number>>>;

export interface Cap<Max extends number | NetworkMax = number | NetworkMax> {
  readonly max: Max;
  readonly windowMs: number;
  /** Error message. Placeholders: `{max}`, `{subject}`, `{wait}` (such as 12 minutes) and, for networks, `{who}`. */
  readonly message: string;
  readonly total?: Total | undefined;
}

/** A limit that all networks share. */
interface Total {
  readonly max: number;
  /** By default, the message of the limit per network. */
  readonly message?: string;
  /** True if a network's first request in the window is counted, but never refused. */
  readonly exemptsFirstRequest: boolean;
}

function cap<Max extends number | NetworkMax>(max: Max, windowMs: number, message: string, total?: Total): Cap<Max> {
  return { max, windowMs, message, total };
}

const TOO_MANY_WRONG_PASSWORDS =
  'Too many wrong passwords. Try again in {wait}, or get a one-time link by mail or from the operator, which works right away.';
const MAILS_MAX = { address: 20, '/24': 60, '/56': 30, '/48': 45, '/32': 100 };
const TOO_MANY_MAILS = '{who} has requested too many emails. Try again in {wait}.';

/**
 * Every rate limit of the service, by its name in the database. Limits count per subject: an account, or the client's networks.
 */
export const CAPS = {
  // Free scans and repeated single checks. Cached results do not count.
  'free-scan': cap(
    { address: 10, '/24': 100, '/56': 40, '/48': 60, '/32': 200 },
    HOUR_MS,
    '{who} has used up its {max} free scans for this hour. Try again in {wait}.',
  ),
  // Scans of names that do not exist, mostly typos. They do not count as free scans. Limits our DNS lookups.
  'unknown-hosts': cap(
    { address: 30, '/24': 300, '/56': 120, '/48': 180, '/32': 600 },
    HOUR_MS,
    '{who} has entered {max} names that do not exist this hour. Try again in {wait}.',
  ),
  // Free scans of one host. Excludes the owner's runs and checks.
  'host-scans': cap(
    { '/24': 10, '/48': 10 },
    HOUR_MS,
    '{subject} has been scanned {max} times this hour. Try again in {wait}.',
    { max: 10, exemptsFirstRequest: true },
  ),
  // Requests of free scans to one registrable domain. Its owner did not ask for them.
  'anonymous-requests': cap(
    { '/24': 0.8 * SCAN_LIMITS.anonymousToDomainMax, '/48': 0.8 * SCAN_LIMITS.anonymousToDomainMax },
    HOUR_MS,
    'Free scans have reached the hourly request limit for {subject} and its subdomains. Try again in {wait}.',
    { max: SCAN_LIMITS.anonymousToDomainMax, exemptsFirstRequest: false },
  ),

  // Wrong passwords. The limit allows for an office behind one IP address where everyone mistypes once.
  'sign-in-address': cap(
    { address: 100, '/24': 250, '/56': 150, '/48': 200, '/32': 1000 },
    15 * MINUTE_MS,
    TOO_MANY_WRONG_PASSWORDS,
  ),
  'sign-in-account': cap({ '/24': 10, '/48': 10 }, 15 * MINUTE_MS, TOO_MANY_WRONG_PASSWORDS, {
    max: 100,
    exemptsFirstRequest: false,
  }),
  'current-password': cap(10, 15 * MINUTE_MS, TOO_MANY_WRONG_PASSWORDS),

  // Password reset mails. The message of `password-mail` is never shown: it would reveal that the account exists.
  'password-mail-address': cap(MAILS_MAX, HOUR_MS, TOO_MANY_MAILS),
  // Per email address as typed, with or without an account.
  'password-mail-again': cap(
    { '/24': 5, '/48': 5 },
    HOUR_MS,
    'Your network has requested {max} emails to this address this hour. If the address has an account, use the latest email, or try again in {wait}.',
  ),
  'password-mail': cap(5, HOUR_MS, 'No more emails can be sent to this account for {wait}.'),

  // Sign-up mails, which may go to people who have never heard of the service.
  'sign-up-mail-address': cap(MAILS_MAX, HOUR_MS, TOO_MANY_MAILS, {
    max: 300,
    message: 'Too many people are signing up. Try again in {wait}.',
    exemptsFirstRequest: true,
  }),
  'sign-up-mail-day': cap(5, DAY_MS, '{max} emails to this address were requested today. Try again in {wait}.'),
  'sign-up-mail': cap(
    3,
    HOUR_MS,
    '{max} emails to this address were requested in the last hour. Use the latest one, or try again in {wait}.',
  ),

  // Every ownership check, to limit our DNS lookups. A large account can still check all of its sites.
  'ownership-lookups': cap(3000, HOUR_MS, 'This account has had {max} checks in an hour. Check again in {wait}.'),
  // Checks that visit a site, which may belong to someone else.
  'ownership-check': cap(60, HOUR_MS, 'This account has had {max} checks in an hour. Check again in {wait}.'),
  rechecks: cap(60, DAY_MS, 'You rechecked this site {max} times today. The limit resets at 00:00 UTC.'),
  'site-list': cap(30, HOUR_MS, 'You can import {max} lists an hour. Try again in {wait}.'),
  'webhook-messages': cap(30, HOUR_MS, 'You can send {max} test messages an hour. Try again in {wait}.'),
  // Never refuses: the readiness check uses it to test whether the database accepts writes.
  readyz: cap(Infinity, HOUR_MS, ''),
};
