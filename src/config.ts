import { ConfigError, type Parse } from './config-values.js';
import * as parsers from './config-values.js';

export { ConfigError };

/**
 * @param field name of the value in the configuration
 * @param fallback the default as text
 */
function variable<const Field extends string, T>(field: Field, fallback: string, meaning: string, parse: Parse<T>) {
  return { field, fallback, meaning, parse };
}

/** A number that overrides the plans; null if it is not set. */
const override = parsers.optional(parsers.integer(0, 1_000_000_000));

/** Every variable, in the order of docs/configuration.md, which is generated from it. */
export const VARIABLES = {
  PORT: variable('port', '3000', 'the port to listen on', parsers.port),
  HOST: variable('host', '127.0.0.1', 'the address to listen on', parsers.matching(/./, 'must not be empty')),
  PUBLIC_URL: variable(
    'publicUrl',
    'http://localhost:$PORT',
    "the base address in links and in the document's `servers`",
    parsers.publicUrl,
  ),
  DATABASE_URL: variable(
    'databaseUrl',
    'sqlite:data/agent-readiness.db',
    '`sqlite:FILE` or `postgres://…`',
    parsers.databaseUrl,
  ),
  SCAN_ALLOW_CIDRS: variable(
    'scanAllowCidrs',
    '',
    'non-public address ranges that may be scanned, such as `10.0.0.0/8`: by IP address, or by a public name that resolves to one',
    parsers.cidrs,
  ),
  SCAN_ALLOW_PORTS: variable(
    'scanAllowPorts',
    '',
    'ports that may be scanned besides 80 and 443, comma-separated',
    parsers.ports,
  ),
  SCAN_CONCURRENCY: variable(
    'scanConcurrency',
    '20',
    'concurrent scans in one process, shared fairly between accounts; as many more wait up to 5 seconds; the rest get a 503',
    parsers.integer(1, 1000),
  ),
  MONTHLY_QUOTA: variable('monthlyQuota', '', "overrides the plans' monthly request quota", override),
  SITES_MAX: variable('sitesMax', '', "overrides the plans' limit on sites per account", override),
  TRUST_PROXY: variable(
    'trustProxy',
    '0',
    "how many proxies are in front of the service; the client's address comes from the entries that they add to X-Forwarded-For",
    parsers.integer(0, 20),
  ),
  CONTACT: variable(
    'contact',
    '',
    'how to reach the operator: an e-mail address or an https URL; shown publicly',
    parsers.optional(parsers.contact),
  ),
  SMTP_URL: variable(
    'smtpUrl',
    '',
    'the mail server for alerts and password links: `smtp://USER:PASSWORD@HOST:587`, or `smtps://…` for TLS from the start',
    parsers.optional(parsers.smtpUrl),
  ),
  MAIL_FROM: variable(
    'mailFrom',
    '',
    'the sender of all mail, such as `Agent Readiness <alerts@example.com>`; requires SMTP_URL',
    parsers.optional(parsers.mailFrom),
  ),
  SIGN_UP: variable(
    'isSignUpOpen',
    'closed',
    '`open` lets anyone create an account on plan FREE, after a mailed link has confirmed the address; requires SMTP_URL',
    parsers.signUp,
  ),
  METRICS_TOKEN: variable(
    'metricsToken',
    '',
    'enables `/metrics` for requests with `Authorization: Bearer …`; at least 16 characters',
    parsers.optional(parsers.metricsToken),
  ),
  METRICS_PORT: variable(
    'metricsPort',
    '',
    'enables `/metrics` on a separate port, without a token',
    parsers.optional(parsers.port),
  ),
  EVIDENCE_DAYS: variable(
    'evidenceDays',
    '90',
    'how many days a verified owner sees the requests and answers behind findings; 0 stores none',
    parsers.integer(0, 3650),
  ),
  OWNERSHIP_CONTROL_NAME: variable(
    'ownershipControlName',
    'example.com',
    'a host name outside your own domain. A day on which a site and its DNS do not answer counts toward the end of its ownership only if DNS answers for this name',
    parsers.hostName,
  ),
  LOG_LEVEL: variable('logLevel', 'info', parsers.LOG_LEVELS.join(', '), parsers.logLevel),
} as const;

type Variables = typeof VARIABLES;
type Values = {
  readonly [Name in keyof Variables as Variables[Name]['field']]: ReturnType<Variables[Name]['parse']>;
};

/** The configuration from the environment, validated and with defaults. Only this module reads `process.env`. */
export interface Config extends Values {
  /** Set variables that no longer exist. */
  readonly retiredVariables: readonly string[];
}

/** Variables of earlier versions. `serve` ignores them with a warning. */
const RETIRED = ['RUN_FORMAT', 'SCAN_FROM_CIDRS', 'SIGNING_KEY'];

/** The configuration of a scan on the command line. */
export type ScanConfig = Pick<Config, 'scanAllowCidrs' | 'scanAllowPorts' | 'publicUrl' | 'evidenceDays'>;

/** Reads only the guard's exceptions, since a DATABASE_URL or PORT for another program must not stop `scan`. @throws ConfigError */
export function readScanConfig(environment: Readonly<Record<string, string | undefined>> = process.env): ScanConfig {
  const { SCAN_ALLOW_CIDRS, SCAN_ALLOW_PORTS } = environment;
  return readConfig({ SCAN_ALLOW_CIDRS, SCAN_ALLOW_PORTS });
}

/**
 * Reads the configuration from the environment. An empty variable counts as not set.
 * @throws ConfigError naming every fault
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const faults: string[] = [];
  const values = Object.entries(VARIABLES).map(([name, { field, fallback, parse }]) => {
    const text = environment[name] || fallback.replace('$PORT', environment.PORT || VARIABLES.PORT.fallback);
    try {
      return [field, parse(text)];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      // A default is invalid only when it derives from an invalid variable (PUBLIC_URL from PORT), which is then reported.
      if (environment[name]) faults.push(...error.faults.map((fault) => `${name}: ${fault}`));
      return [field, undefined];
    }
  });
  const retiredVariables = RETIRED.filter((name) => environment[name]);
  const config: Config = { ...(Object.fromEntries(values) as Values), retiredVariables };
  if (config.metricsPort === config.port && config.port > 0) faults.push('METRICS_PORT: must differ from PORT');
  if (config.smtpUrl === null && config.mailFrom !== null) faults.push('SMTP_URL: must be set together with MAIL_FROM');
  if (config.mailFrom === null && config.smtpUrl !== null) faults.push('MAIL_FROM: must be set together with SMTP_URL');
  if (config.isSignUpOpen && config.smtpUrl === null) {
    faults.push('SIGN_UP: open requires SMTP_URL and MAIL_FROM, since a mailed link confirms each address');
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

/** The password for `scan --basic`; null if it is not set. */
export function readScanPassword({ SCAN_PASSWORD = '' } = process.env): string | null {
  return SCAN_PASSWORD === '' ? null : SCAN_PASSWORD;
}

/**
 * Reads the variables of a terminal: no colour if NO_COLOR is set (no-color.org), ASCII if the locale is not UTF-8 (POSIX.1, 8.2) and it
 * is not Windows Terminal, and the number of columns (null if unknown).
 */
export function readTerminalLook({ NO_COLOR, TERM, LC_ALL, LC_CTYPE, LANG, WT_SESSION, COLUMNS = '' } = process.env) {
  const locale = [LC_ALL, LC_CTYPE, LANG].find((value) => value !== undefined && value !== '') ?? '';
  return {
    hasColour: (NO_COLOR ?? '') === '' && TERM !== 'dumb',
    isUnicode: TERM !== 'dumb' && (/utf-?8/i.test(locale) || WT_SESSION !== undefined),
    columns: /^[1-9]\d{0,3}$/.test(COLUMNS) ? Number(COLUMNS) : null,
  };
}
