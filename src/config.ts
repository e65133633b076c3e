import ipaddr from 'ipaddr.js';
import type { MailAddress } from './platform/mail-message.js';

/** The configuration from the environment, validated and with defaults. Only this module reads `process.env`. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** The origin in links and in the served document: no path, no trailing slash. */
  readonly publicUrl: string;
  readonly databaseUrl: string;
  /** The operator's exceptions to the guard: address ranges, and ports other than 80 and 443. */
  readonly scanAllowCidrs: readonly string[];
  readonly scanAllowPorts: readonly number[];
  readonly scanConcurrency: number;
  /** Overrides the monthly request quota of the plans; null keeps the plans' quotas. */
  readonly monthlyQuota: number | null;
  /** Overrides how many sites an account may have by its plan; null keeps the plans' numbers. */
  readonly sitesMax: number | null;
  /** How many proxies are in front of the service; determines the client's address. */
  readonly trustProxy: number;
  /** How to contact the operator, as a mailto or https URL; null if not configured. */
  readonly contact: string | null;
  /** The mail server with its credentials, and the sender: both or neither. Null: no alerts by e-mail. */
  readonly smtpUrl: URL | null;
  readonly mailFrom: MailAddress | null;
  /** The token that clients must send to read the metrics on {@link port}; null: no metrics there. */
  readonly metricsToken: string | null;
  /** A separate port where the metrics need no token; null: there is none. */
  readonly metricsPort: number | null;
  /** How many days the exchanges behind findings are kept for the owner of a site; 0: none are. */
  readonly evidenceDays: number;
  /** In which form new runs are stored. */
  readonly runFormat: 1 | 2;
  /** A name whose address resolves whenever our DNS works; see OWNERSHIP_CONTROL_NAME. */
  readonly ownershipControlName: string;
  readonly logLevel: LogLevel;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Invalid configuration: reports every fault at once, one line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly faults: readonly string[]) {
    super(`The configuration is wrong:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}

/** One variable: its default as documented, its meaning, and how its text is parsed. */
interface Variable<T> {
  readonly standard: string;
  readonly meaning: string;
  /** @throws ConfigError */
  readonly parse: Parse<T>;
}

type Parse<T> = (text: string) => T;

function variable<T>(standard: string, meaning: string, parse: Parse<T>): Variable<T> {
  return { standard, meaning, parse };
}

function refuse(...faults: readonly string[]): never {
  throw new ConfigError(faults);
}

function integer(min: number, max: number): Parse<number> {
  return (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
    return value >= min && value <= max ? value : refuse(`must be a whole number from ${min} to ${max}`);
  };
}

/** The text itself, where it has this form. */
function matching(form: RegExp, message: string): Parse<string> {
  return (text) => (form.test(text) ? text : refuse(message));
}

/** Null when the variable is not set. */
function optional<T>(parse: Parse<T>): Parse<T | null> {
  return (text) => (text === '' ? null : parse(text));
}

/** Each entry by `parseEntry`; all that are wrong are named by their place. */
function list<T>(what: string, parseEntry: (entry: string) => T | null): Parse<T[]> {
  return (text) => {
    const entries = text.split(',').map((part) => part.trim());
    const parsed = entries.filter((entry) => entry !== '').map(parseEntry);
    const faults = parsed.flatMap((value, index) => (value === null ? [`entry ${index + 1} must be ${what}`] : []));
    return faults.length > 0 ? refuse(...faults) : parsed.filter((value) => value !== null);
  };
}

const EMAIL = /^([\w'+.-]*[\w+-])@([A-Za-z0-9.-]+)\.[A-Za-z]{2,}$/;

/** No part of either side is empty, and each label of the domain begins with a letter or digit. */
function isEmail(text: string): boolean {
  const [, local = '', domain = ''] = EMAIL.exec(text) ?? [];
  return /^[^.]/.test(local) && !local.includes('..') && domain.split('.').every((label) => /^[A-Za-z0-9]/.test(label));
}

const port = integer(0, 65_535);

function publicUrl(text: string): string {
  const url = URL.parse(text);
  return url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
    ? url.origin
    : refuse('must be an http or https address without a path, such as https://readiness.example.com');
}

function contact(text: string): string {
  if (isEmail(text)) return `mailto:${text}`;
  const page = URL.parse(text);
  return page && /^(https|mailto):$/.test(page.protocol)
    ? page.href
    : refuse('must be an e-mail address, or the https URL of a page that says how to reach you');
}

function smtpUrl(text: string): URL {
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

function mailFrom(text: string): MailAddress {
  const [, name = '', inBrackets] = /^([^<>\p{Cc}]{0,100})<([^<>\s]+)>$/u.exec(text) ?? [];
  const address = inBrackets ?? text;
  return isEmail(address)
    ? { name: name.trim(), address }
    : refuse('must be an e-mail address, such as alerts@example.com or Agent Readiness <alerts@example.com>');
}

/** Long enough not to be guessed, and valid in a header. */
const metricsToken = matching(
  /^[\x21-\x7e]{16,}$/,
  'must have at least 16 characters, all of them printable ASCII but no spaces',
);

function hostName(text: string): string {
  return URL.parse(`https://${text}`)?.hostname === text
    ? text
    : refuse('must be a host name alone, such as example.com');
}

const databaseUrl = matching(
  /^(sqlite:.+|postgres(ql)?:\/\/.+)$/,
  'must be sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE, such as sqlite:data/agent-readiness.db',
);

const cidrs = list('an address range such as 127.0.0.1/32 or fd00::/8', (entry) =>
  ipaddr.isValidCIDR(entry) ? entry : null,
);

const ports = list('a port from 1 to 65535', (entry) => {
  const value = /^\d{1,5}$/.test(entry) ? Number(entry) : 0;
  return value >= 1 && value <= 65_535 ? value : null;
});

function runFormat(text: string): 1 | 2 {
  return text === '1' ? 1 : text === '2' ? 2 : refuse('must be 1 or 2');
}

function logLevel(text: string): LogLevel {
  return LOG_LEVELS.find((level) => level === text) ?? refuse(`must be one of ${LOG_LEVELS.join(', ')}`);
}

/** Every variable, in the order of the documentation: README's table is compared with it. */
export const VARIABLES = {
  PORT: variable('3000', 'the port to listen on', port),
  HOST: variable('127.0.0.1', 'the address to listen on', matching(/./, 'must not be empty')),
  PUBLIC_URL: variable(
    'http://localhost:$PORT',
    "the base address in links and in the document's `servers`",
    publicUrl,
  ),
  DATABASE_URL: variable('sqlite:data/agent-readiness.db', '`sqlite:FILE` or `postgres://…`', databaseUrl),
  SCAN_ALLOW_CIDRS: variable('', 'non-public address ranges that may be scanned', cidrs),
  SCAN_ALLOW_PORTS: variable('', 'ports that may be scanned besides 80 and 443', ports),
  SCAN_CONCURRENCY: variable(
    '20',
    'concurrent scans in one process, shared fairly between accounts; as many again wait up to 5 seconds, any more get a 503',
    integer(1, 1000),
  ),
  MONTHLY_QUOTA: variable('', 'overrides the monthly request quota of the plans', optional(integer(0, 1_000_000_000))),
  SITES_MAX: variable(
    '',
    'overrides how many sites an account may have by its plan',
    optional(integer(0, 1_000_000_000)),
  ),
  TRUST_PROXY: variable(
    '0',
    "how many proxies are in front of the service; the client's address comes from the entries that they add to X-Forwarded-For",
    integer(0, 20),
  ),
  CONTACT: variable(
    '',
    'how to reach the operator: an e-mail address or an https URL; shown publicly',
    optional(contact),
  ),
  SMTP_URL: variable(
    '',
    'the mail server for alerts by e-mail: `smtp://USER:PASSWORD@HOST:587`, or `smtps://…` for TLS from the start',
    optional(smtpUrl),
  ),
  MAIL_FROM: variable(
    '',
    'the sender of alerts, such as `Agent Readiness <alerts@example.com>`; requires SMTP_URL',
    optional(mailFrom),
  ),
  METRICS_TOKEN: variable(
    '',
    'enables `/metrics` for requests with `Authorization: Bearer …`; at least 16 characters',
    optional(metricsToken),
  ),
  METRICS_PORT: variable('', 'enables `/metrics` on a separate port, without a token', optional(port)),
  EVIDENCE_DAYS: variable(
    '90',
    'how many days a verified owner sees the requests and answers behind findings; 0 keeps none',
    integer(0, 3650),
  ),
  RUN_FORMAT: variable(
    '1',
    '2 stores new runs in a third of the space; versions up to 0.4.0 cannot read them: see "Going back" in deploy/README.md',
    runFormat,
  ),
  OWNERSHIP_CONTROL_NAME: variable(
    'example.com',
    'a host name outside your own domain that always resolves. Where all sites belong to one domain, a day on which a proof of ownership is not found counts only if this name resolved',
    hostName,
  ),
  LOG_LEVEL: variable('info', LOG_LEVELS.join(', '), logLevel),
} as const;

/** What a scan from a terminal goes by. */
export type ScanConfig = Pick<Config, 'scanAllowCidrs' | 'scanAllowPorts' | 'publicUrl' | 'evidenceDays'>;

/**
 * The same for `scan`, which heeds the exceptions to the guard alone: a DATABASE_URL or PORT that is meant for another program must not stop
 * it.
 * @throws ConfigError naming every fault
 */
export function readScanConfig(environment: Readonly<Record<string, string | undefined>> = process.env): ScanConfig {
  const { SCAN_ALLOW_CIDRS, SCAN_ALLOW_PORTS } = environment;
  return readConfig({ SCAN_ALLOW_CIDRS, SCAN_ALLOW_PORTS });
}

/**
 * Reads the configuration from the environment; an empty variable counts as not set.
 * @throws ConfigError naming every fault
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const faults: string[] = [];
  const read = <N extends keyof typeof VARIABLES>(name: N): ReturnType<(typeof VARIABLES)[N]['parse']> => {
    const { standard, parse } = VARIABLES[name];
    const text = environment[name] || standard.replace('$PORT', environment.PORT || VARIABLES.PORT.standard);
    try {
      return parse(text) as ReturnType<(typeof VARIABLES)[N]['parse']>;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      // A default is invalid only when it derives from an invalid variable (PUBLIC_URL from PORT), which is then reported.
      if (environment[name]) faults.push(...error.faults.map((fault) => `${name}: ${fault}`));
      return undefined as never;
    }
  };
  const config: Config = {
    port: read('PORT'),
    host: read('HOST'),
    publicUrl: read('PUBLIC_URL'),
    databaseUrl: read('DATABASE_URL'),
    scanAllowCidrs: read('SCAN_ALLOW_CIDRS'),
    scanAllowPorts: read('SCAN_ALLOW_PORTS'),
    scanConcurrency: read('SCAN_CONCURRENCY'),
    monthlyQuota: read('MONTHLY_QUOTA'),
    sitesMax: read('SITES_MAX'),
    trustProxy: read('TRUST_PROXY'),
    contact: read('CONTACT'),
    smtpUrl: read('SMTP_URL'),
    mailFrom: read('MAIL_FROM'),
    metricsToken: read('METRICS_TOKEN'),
    metricsPort: read('METRICS_PORT'),
    evidenceDays: read('EVIDENCE_DAYS'),
    runFormat: read('RUN_FORMAT'),
    ownershipControlName: read('OWNERSHIP_CONTROL_NAME'),
    logLevel: read('LOG_LEVEL'),
  };
  if (config.metricsPort === config.port && config.port > 0) faults.push('METRICS_PORT: must differ from PORT');
  if (config.smtpUrl === null && config.mailFrom !== null) faults.push('SMTP_URL: must be set together with MAIL_FROM');
  if (config.mailFrom === null && config.smtpUrl !== null) faults.push('MAIL_FROM: must be set together with SMTP_URL');
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

/** What its variables say of a terminal: no colour where NO_COLOR is set (no-color.org), ASCII where the locale is not UTF-8 (POSIX.1, 8.2). */
export function readTerminalLook({ NO_COLOR, TERM, LC_ALL, LC_CTYPE, LANG } = process.env): {
  readonly hasColour: boolean;
  readonly isUnicode: boolean;
} {
  const locale = [LC_ALL, LC_CTYPE, LANG].find((value) => value !== undefined && value !== '') ?? '';
  return { hasColour: (NO_COLOR ?? '') === '' && TERM !== 'dumb', isUnicode: /utf-?8/i.test(locale) };
}
