import { format } from 'node:util';
import { pino, type DestinationStream, type LoggerOptions } from 'pino';

type Log = (fields: object, message: string) => void;

/** The logger that all modules use: fields first, then a fixed message. A pino logger fits. */
export interface Logger {
  readonly debug: Log;
  readonly info: Log;
  readonly warn: Log;
  readonly error: Log;
  readonly fatal: Log;
}

/** Matches an API key, or enough of one to help an attacker, anywhere in a text. */
const API_KEY = /ars_[0-9A-Za-z]{4,}/g;

/**
 * Creates a logger that writes JSON lines to stdout or `destination`. Never writes headers with secrets, and redacts anything that
 * looks like an API key from the finished line, including causes and stacks.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { cause: pino.stdSerializers.errWithCause },
    redact: { paths: ['authorization', 'headers.authorization', 'headers.cookie'], censor: '[redacted]' },
    hooks: { streamWrite: (line: string) => line.replace(API_KEY, '[redacted]') },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** Console output is logged at `warn` at most, since real failures are logged where they happen. */
const CONSOLE_LEVELS = {
  ...{ trace: 'debug', debug: 'debug', log: 'debug', info: 'debug' },
  ...{ warn: 'warn', error: 'warn' },
} as const satisfies Partial<Record<keyof Console, keyof Logger>>;

/** Redirects console output of libraries to the logger, so that each line of a serving process is JSON. */
export function logConsole(logger: Logger, target: Console = console): void {
  for (const [method, level] of Object.entries(CONSOLE_LEVELS)) {
    const print = (...values: unknown[]): void =>
      logger[level]({ printed: format(...values) }, 'console output of a library');
    Object.assign(target, { [method]: print });
  }
}
