import { DAY_MS } from '../../platform/clock.js';
import { networksOf, type NetworkSize, sharingNetwork } from '../../platform/client-address.js';
import { SCAN_LIMITS } from '../../scanner/artifacts/scanner.js';
import type { Limit } from './limits.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Counts each subject by itself. */
interface SubjectCap {
  readonly per: 'account' | 'site' | 'mailbox' | 'service';
  readonly max: number;
  readonly windowMs: number;
  /** The refusal, with `{wait}`, such as 12 minutes, `{max}` and `{subject}`. */
  readonly message: string;
}

/** Counts each network that contains the client's address and has a maximum here. */
interface NetworkCap extends Omit<SubjectCap, 'per' | 'max'> {
  readonly per: 'network';
  readonly max: Readonly<Partial<Record<NetworkSize, number>>>;
  /** Counts what all networks do together. */
  readonly total?: {
    readonly max: number;
    /** By default, that of the networks. */
    readonly message?: string;
    /** True if a network that has had nothing in the window is counted, but never refused. */
    readonly exemptsFirstRequest: boolean;
  };
}

const WRONG_PASSWORDS =
  'There were too many wrong passwords. Try again in {wait}, or use a one-time link, by mail or from the operator, which works at once.';
const MAILS = { address: 20, '/24': 60, '/56': 30, '/48': 45, '/32': 100 };
const MAILS_FROM_NETWORK = '{who} has asked for too many mails. Try again in {wait}.';

/**
 * Every rate limit of the service, by its name in the database. Every shared limit also has a limit per subject: an account, or the networks
 * of a client without one.
 */
export const CAPS = {
  // Fresh scans without a key, single checks among them. Results of the last hour cost nothing.
  'free-scan': perNetwork(
    { address: 10, '/24': 100, '/56': 40, '/48': 60, '/32': 200 },
    HOUR_MS,
    '{who} has used up its {max} free scans of this hour. Try again in {wait}.',
  ),
  // Free scans of one host. Excludes the owner's runs and checks.
  'host-scans': perNetwork(
    { '/24': 10, '/48': 10 },
    HOUR_MS,
    '{subject} has been scanned {max} times in this hour. Try again in {wait}.',
    { max: 10, exemptsFirstRequest: true },
  ),
  // Requests of free scans to one registrable domain, whose owner did not ask for them.
  'anonymous-requests': perNetwork(
    { '/24': 0.8 * SCAN_LIMITS.anonymousToDomainMax, '/48': 0.8 * SCAN_LIMITS.anonymousToDomainMax },
    HOUR_MS,
    'Free scans have reached the hourly request limit for {subject} and its subdomains. Try again in {wait}.',
    { max: SCAN_LIMITS.anonymousToDomainMax, exemptsFirstRequest: false },
  ),

  // Wrong passwords from an office behind one address, in which everyone mistypes once.
  'sign-in-address': perNetwork(
    { address: 100, '/24': 250, '/56': 150, '/48': 200, '/32': 1000 },
    15 * MINUTE_MS,
    WRONG_PASSWORDS,
  ),
  'sign-in-account': perNetwork({ '/24': 10, '/48': 10 }, 15 * MINUTE_MS, WRONG_PASSWORDS, {
    max: 100,
    exemptsFirstRequest: false,
  }),
  'current-password': per('account', 10, 15 * MINUTE_MS, WRONG_PASSWORDS),

  // Mails with a link to a new password. The cap of an account is never shown: it would reveal that there is one.
  'password-mail-address': perNetwork(MAILS, HOUR_MS, MAILS_FROM_NETWORK),
  // The address is counted as it was typed, whether it has an account or not.
  'password-mail-again': perNetwork(
    { '/24': 5, '/48': 5 },
    HOUR_MS,
    'Your network has asked for {max} mails to this address this hour. If it has an account, use the latest one, or try again in {wait}.',
  ),
  'password-mail': per('account', 5, HOUR_MS, 'This account gets no more mails for {wait}.'),

  // Mails to a mailbox whose owner may never have heard of the service.
  'sign-up-mail-address': perNetwork(MAILS, HOUR_MS, MAILS_FROM_NETWORK, {
    max: 300,
    message: 'Too many people sign up this hour. Try again in {wait}.',
    exemptsFirstRequest: true,
  }),
  'sign-up-mail-day': per(
    'mailbox',
    5,
    DAY_MS,
    'We were asked for {max} mails to this address today. Try again in {wait}.',
  ),
  'sign-up-mail': per(
    'mailbox',
    3,
    HOUR_MS,
    'We were asked for {max} mails to this address this hour. Use the latest one, or try again in {wait}.',
  ),

  // Ownership checks visit a site that may belong to someone else.
  'ownership-check': per(
    'account',
    60,
    HOUR_MS,
    'This account has had {max} checks in an hour. Check again in {wait}.',
  ),
  // Fewer, so that some are left for single sites.
  'ownership-checks': per('account', 45, HOUR_MS, 'You can check {max} sites an hour. Try again in {wait}.'),
  rechecks: per('site', 60, DAY_MS, 'You rechecked this site {max} times today. The limit resets at 00:00 UTC.'),
  'site-list': per('account', 30, HOUR_MS, 'You can import {max} lists an hour. Try again in {wait}.'),
  'webhook-messages': per('account', 30, HOUR_MS, 'You can send {max} tests and resends an hour. Try again in {wait}.'),
  // Only shows whether the database takes what is written.
  readyz: per('service', Infinity, HOUR_MS, ''),
} satisfies Record<string, SubjectCap | NetworkCap>;

type Caps = typeof CAPS;
type Names<Cap> = { [Name in keyof Caps]: Caps[Name] extends Cap ? Name : never }[keyof Caps];

/** Returns the limit of one subject. */
export function limitOf(name: Names<SubjectCap>, subject: string): Limit {
  const { max, windowMs, message } = CAPS[name];
  return { name, subject, max, windowMs, message: (wait) => fill(message, { wait, max, subject }) };
}

/**
 * Returns the limits of a client's networks, the narrowest first, then the limit of what all networks do together, if there is one.
 * @param of what is counted, such as a host; by default everything
 */
export function networkLimits(name: Names<NetworkCap>, address: string, of?: string): readonly Limit[] {
  const { max: maxBySize, windowMs, message, total }: NetworkCap = CAPS[name];
  const limits = networksOf(address).flatMap(({ size, prefix }) => {
    const max = maxBySize[size];
    if (max === undefined) return [];
    const who = size === 'address' ? 'Your network address' : 'Your network';
    const subject = of === undefined ? prefix : `${of} ${prefix}`;
    const limit: Limit = {
      name: size === 'address' ? name : `${name}-network`,
      subject,
      max,
      windowMs,
      message: (wait) => fill(message, { wait, max, who, subject: of ?? prefix }),
    };
    return [{ size, limit }];
  });
  const ofNetworks = limits.map(({ limit }) => limit);
  if (!total) return ofNetworks;
  const { size: sharingSize } = sharingNetwork(address);
  const share = limits.find(({ size }) => size === sharingSize)?.limit;
  const ofAll: Limit = {
    name,
    subject: of ?? 'all',
    max: total.max,
    windowMs,
    message: (wait) => fill(total.message ?? message, { wait, max: total.max, subject: of ?? 'all' }),
    ...(total.exemptsFirstRequest && share && { exemptIfFirstOf: share }),
  };
  return [...ofNetworks, ofAll];
}

function fill(message: string, values: Readonly<Record<string, string | number>>): string {
  return message.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}

function per(kind: SubjectCap['per'], max: number, windowMs: number, message: string): SubjectCap {
  return { per: kind, max, windowMs, message };
}

function perNetwork(
  max: NetworkCap['max'],
  windowMs: number,
  message: string,
  total?: NetworkCap['total'],
): NetworkCap {
  return { per: 'network', max, windowMs, message, ...(total && { total }) };
}
