import ipaddr from 'ipaddr.js';
import type { MailAddress } from './platform/mail.js';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Invalid configuration. Reports all faults at once, one per line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly faults: readonly string[]) {
    super(`The configuration is wrong:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}

/** Reads the text of a variable. @throws ConfigError */
export type Parse<T> = (text: string) => T;

function refuse(...faults: readonly string[]): never {
  throw new ConfigError(faults);
}

export function integer(min: number, max: number): Parse<number> {
  return (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
    return value >= min && value <= max ? value : refuse(`must be a whole number from ${min} to ${max}`);
  };
}

export function matching(pattern: RegExp, message: string): Parse<string> {
  return (text) => (pattern.test(text) ? text : refuse(message));
}

/** Returns null if the variable is not set. */
export function optional<T>(parse: Parse<T>): Parse<T | null> {
  return (text) => (text === '' ? null : parse(text));
}

/** Parses each entry; an error names the positions of all invalid ones. */
function list<T>(what: string, parseEntry: (entry: string) => T | null): Parse<readonly T[]> {
  return (text) => {
    const entries = text.split(',').map((part) => part.trim());
    const parsed = entries.filter((entry) => entry !== '').map(parseEntry);
    const faults = parsed.flatMap((value, index) => (value === null ? [`entry ${index + 1} must be ${what}`] : []));
    return faults.length > 0 ? refuse(...faults) : parsed.filter((value) => value !== null);
  };
}

const EMAIL = /^([\w'+.-]*[\w+-])@([A-Za-z0-9.-]+)\.[A-Za-z]{2,}$/;

/** Requires non-empty parts, and domain labels that begin with a letter or digit. */
function isEmail(text: string): boolean {
  const [, local = '', domain = ''] = EMAIL.exec(text) ?? [];
  return /^[^.]/.test(local) && !local.includes('..') && domain.split('.').every((label) => /^[A-Za-z0-9]/.test(label));
}

export const port = integer(0, 65_535);

export function signUp(text: string): boolean {
  return /^(open|closed)$/.test(text) ? text === 'open' : refuse('must be open or closed');
}

export function publicUrl(text: string): string {
  const url = URL.parse(text);
  return url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
    ? url.origin
    : refuse('must be an http or https address without a path, such as https://readiness.example.com');
}

export function contact(text: string): string {
  if (isEmail(text)) return `mailto:${text}`;
  const page = URL.parse(text);
  return page && /^(https|mailto):$/.test(page.protocol)
    ? page.href
    : refuse('must be an e-mail address, or the https URL of a page that says how to reach you');
}

export function smtpUrl(text: string): URL {
  const url = URL.parse(text);
  return url &&
    /^smtps?:$/.test(url.protocol) &&
    url.hostname !== '' &&
    /^\/?$/.test(url.pathname + url.search + url.hash) &&
    [url.username, url.password].every(isPercentEncoded)
    ? url
    : refuse(
        'must be smtp://USER:PASSWORD@HOST:PORT, or smtps for TLS from the start; percent-encode : / @ % in the password',
      );
}

function isPercentEncoded(text: string): boolean {
  return !/%(?![0-9A-Fa-f]{2})/.test(text);
}

export function mailFrom(text: string): MailAddress {
  const [, name = '', inBrackets] = /^([^<>\p{Cc}]{0,100})<([^<>\s]+)>$/u.exec(text) ?? [];
  const address = inBrackets ?? text;
  return isEmail(address)
    ? { name: name.trim(), address }
    : refuse('must be an e-mail address, such as alerts@example.com or Agent Readiness <alerts@example.com>');
}

/** Requires a token that cannot be guessed and is valid in a header. */
export const metricsToken = matching(
  /^[\x21-\x7e]{16,}$/,
  'must have at least 16 characters, all of them printable ASCII but no spaces',
);

export function hostName(text: string): string {
  return URL.parse(`https://${text}`)?.hostname === text
    ? text
    : refuse('must be only a host name, such as example.com');
}

export const databaseUrl = matching(
  /^(sqlite:.+|postgres(ql)?:\/\/.+)$/,
  'must be sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE, such as sqlite:data/agent-readiness.db',
);

export const cidrs = list('an address range such as 127.0.0.1/32 or fd00::/8', (entry) =>
  ipaddr.isValidCIDR(entry) ? entry : null,
);

export const ports = list('a port from 1 to 65535', (entry) => {
  const value = /^\d{1,5}$/.test(entry) ? Number(entry) : 0;
  return value >= 1 && value <= 65_535 ? value : null;
});

export function logLevel(text: string): LogLevel {
  return LOG_LEVELS.find((level) => level === text) ?? refuse(`must be one of ${LOG_LEVELS.join(', ')}`);
}
