import type { KeyObject } from 'node:crypto';
import {
  cidrs,
  ConfigError,
  contact,
  databaseUrl,
  hostName,
  integer,
  isOpen,
  LOG_LEVELS,
  type LogLevel,
  logLevel,
  mailFrom,
  matching,
  metricsToken,
  optional,
  type Parse,
  port,
  ports,
  publicUrl,
  runFormat,
  signingKey,
  smtpUrl,
} from './config-values.js';
import type { MailAddress } from './platform/mail-message.js';

export { ConfigError, type LogLevel };

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
  /** The address ranges that scans come from, as they are published; empty: none are. */
  readonly scanFromCidrs: readonly string[];
  /** The Ed25519 key that signs requests where a site asks for it; null: none are signed. */
  readonly signingKey: KeyObject | null;
  /** Overrides the monthly request quota of the plans; null keeps the plans' quotas. */
  readonly monthlyQuota: number | null;
  /** Overrides how many sites an account may have by its plan; null keeps the plans' numbers. */
  readonly sitesMax: number | null;
  /** How many proxies are in front of the service; determines the client's address. */
  readonly trustProxy: number;
  /** How to contact the operator, as a mailto or https URL; null if not configured. */
  readonly contact: string | null;
  /** The mail server with its credentials, and the sender: both or neither. Null: no alerts by e-mail, and no links. */
  readonly smtpUrl: URL | null;
  readonly mailFrom: MailAddress | null;
  /** Whether anybody may make an account. */
  readonly isSignUpOpen: boolean;
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

/** One variable: its default as documented, its meaning, and how its text is parsed. */
interface Variable<T> {
  readonly standard: string;
  readonly meaning: string;
  /** @throws ConfigError */
  readonly parse: Parse<T>;
}

function variable<T>(standard: string, meaning: string, parse: Parse<T>): Variable<T> {
  return { standard, meaning, parse };
}

/** Every variable, in the order of the documentation: docs/configuration.md is made of it. */
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
  SCAN_ALLOW_PORTS: variable('', 'ports that may be scanned besides 80 and 443, with commas between them', ports),
  SCAN_CONCURRENCY: variable(
    '20',
    'concurrent scans in one process, shared fairly between accounts; as many again wait up to 5 seconds, any more get a 503',
    integer(1, 1000),
  ),
  SCAN_FROM_CIDRS: variable(
    '',
    'the address ranges that scans come from, to be published for those who admit the scanner by address',
    cidrs,
  ),
  SIGNING_KEY: variable(
    '',
    'an Ed25519 key that signs requests where a site asks for it (Web Bot Auth): the output of `openssl genpkey -algorithm ed25519 -outform DER` in base64; requires PUBLIC_URL to be https',
    optional(signingKey),
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
    'the mail server for alerts by e-mail and links to new passwords: `smtp://USER:PASSWORD@HOST:587`, or `smtps://…` for TLS from the start',
    optional(smtpUrl),
  ),
  MAIL_FROM: variable(
    '',
    'the sender of these mails, such as `Agent Readiness <alerts@example.com>`; requires SMTP_URL',
    optional(mailFrom),
  ),
  SIGN_UP: variable(
    'closed',
    '`open` lets anybody make an account on plan FREE, once a link by mail has confirmed the address; requires SMTP_URL',
    isOpen,
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
export type ScanConfig = Pick<
  Config,
  'scanAllowCidrs' | 'scanAllowPorts' | 'publicUrl' | 'evidenceDays' | 'signingKey'
>;

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
    scanFromCidrs: read('SCAN_FROM_CIDRS'),
    signingKey: read('SIGNING_KEY'),
    monthlyQuota: read('MONTHLY_QUOTA'),
    sitesMax: read('SITES_MAX'),
    trustProxy: read('TRUST_PROXY'),
    contact: read('CONTACT'),
    smtpUrl: read('SMTP_URL'),
    mailFrom: read('MAIL_FROM'),
    isSignUpOpen: read('SIGN_UP'),
    metricsToken: read('METRICS_TOKEN'),
    metricsPort: read('METRICS_PORT'),
    evidenceDays: read('EVIDENCE_DAYS'),
    runFormat: read('RUN_FORMAT'),
    ownershipControlName: read('OWNERSHIP_CONTROL_NAME'),
    logLevel: read('LOG_LEVEL'),
  };
  if (config.metricsPort === config.port && config.port > 0) faults.push('METRICS_PORT: must differ from PORT');
  if (config.signingKey && !config.publicUrl.startsWith('https:')) {
    faults.push('SIGNING_KEY: requires PUBLIC_URL to be https, where sites look for its public key');
  }
  if (config.smtpUrl === null && config.mailFrom !== null) faults.push('SMTP_URL: must be set together with MAIL_FROM');
  if (config.mailFrom === null && config.smtpUrl !== null) faults.push('MAIL_FROM: must be set together with SMTP_URL');
  if (config.isSignUpOpen && config.smtpUrl === null) {
    faults.push('SIGN_UP: open requires SMTP_URL and MAIL_FROM, since a link by mail confirms each address');
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

/** For `scan --basic`; null: it has to be asked for. */
export function readScanPassword({ SCAN_PASSWORD = '' } = process.env): string | null {
  return SCAN_PASSWORD === '' ? null : SCAN_PASSWORD;
}

/**
 * What its variables say of a terminal: no colour where NO_COLOR is set (no-color.org), ASCII where the locale is not UTF-8 (POSIX.1, 8.2)
 * and it is not Windows Terminal, and how many columns it has (null: they do not say).
 */
export function readTerminalLook({ NO_COLOR, TERM, LC_ALL, LC_CTYPE, LANG, WT_SESSION, COLUMNS = '' } = process.env): {
  readonly hasColour: boolean;
  readonly isUnicode: boolean;
  readonly columns: number | null;
} {
  const locale = [LC_ALL, LC_CTYPE, LANG].find((value) => value !== undefined && value !== '') ?? '';
  return {
    hasColour: (NO_COLOR ?? '') === '' && TERM !== 'dumb',
    isUnicode: TERM !== 'dumb' && (/utf-?8/i.test(locale) || WT_SESSION !== undefined),
    columns: /^[1-9]\d{0,3}$/.test(COLUMNS) ? Number(COLUMNS) : null,
  };
}
