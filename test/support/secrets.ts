/**
 * Searches what the tests leave behind (databases, log lines, errors, output of programs) for secrets. A process in which one is found
 * fails. Each process appends what it searched to the ledger of the suite. Scanners such as gitleaks know the forms of other services'
 * secrets, and read files.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { sqlitePath } from '../../src/store/sqlite.js';
import { WORDS } from './passwords.js';
import { connectRaw } from './raw-connection.js';
import { textOfStored } from './stored-runs.js';

/** Names the file into which each process of a suite writes what it searched. */
export const LEDGER_VARIABLE = 'SECRETS_LEDGER';

interface Kind {
  readonly name: string;
  readonly pattern: RegExp;
  /** Columns that contain it on purpose, with the reason. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Pages that show it to its owner, also when they refuse a form. */
  readonly shownAt?: RegExp;
  /** A line of an account's export that contains it on purpose. */
  readonly exported?: RegExp;
}

/**
 * What is looked for, by its form. A token of 256 bits has no prefix: 43 characters of base64url, which words and paths are not, since
 * they lack digits or capitals.
 */
export const KINDS: readonly Kind[] = [
  // Not in the middle of a digest, which can contain these letters by chance.
  { name: 'API key', pattern: /(?<![\w-])ars_[0-9A-Za-z]{8,}/g },
  {
    name: 'token of a link, a session or a deploy hook',
    // The address of a badge or a shared report has a token of this form too, which is published.
    pattern: /(?<![\w-]|\/(?:badges|reports)\/)(?=[\w-]*[0-9])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{43}(?![\w-])/g,
    columns: {
      'accounts.password_hash': 'what scrypt made of a password has this form too',
      'runs.etag': 'a digest of the run has this form too',
      'runs.answer': 'a piece of base64 can have this form too',
      'webhooks.secret': 'a piece of base64 can have this form too',
      'publications.token': 'published wherever its owner puts it',
      'jobs.lease': 'known to the worker alone, for minutes; opens no door',
    },
  },
  {
    name: 'secret of a webhook',
    pattern: /whsec_[\w+/=-]{4,}/g,
    columns: { 'webhooks.secret': 'each message is signed with it' },
  },
  {
    name: 'address of a webhook of Slack or Discord',
    pattern: /hooks\.slack\.com\/services\/T\w+\/B\w+\/\w+|discord\.com\/api\/webhooks\/\d+\/[\w-]+/g,
    columns: { 'webhooks.url': 'each message is posted to it' },
    // What was typed stays in a form that is shown again.
    shownAt: /^\/alerts\/webhooks$/,
  },
  {
    name: 'ownership token',
    pattern: /agent-readiness-[0-9a-f]{48}/g,
    columns: { 'ownership_tokens.token': 'published on the site' },
    shownAt: /^\/sites\/[^/]+\/verify\b/,
    exported: /"token": ?"agent-readiness-/,
  },
  { name: 'password', pattern: new RegExp(WORDS.join('|'), 'g') },
];

export interface Leak {
  readonly kind: string;
  readonly place: string;
  /** Its first characters. */
  readonly start: string;
}

type IsAllowed = (kind: Kind, secret: string) => boolean;

const TABLES = {
  sqlite: `SELECT '"' || name || '"' AS name FROM sqlite_master WHERE type = 'table'`,
  postgres: `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables
    WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
};

export class SecretSearch {
  readonly leaks: Leak[] = [];
  readonly searched = { sqliteDatabases: 0, postgresDatabases: 0, values: 0, logLines: 0, errors: 0, programs: 0 };

  logLine(line: string): void {
    this.searched.logLines += 1;
    this.#search('a log', line);
  }

  /** Searches an answer that refuses. @param path of the request: a form that is shown again contains its own address */
  error(path: string, status: number, text: string): void {
    this.searched.errors += 1;
    this.#search(
      `the body of a ${status}`,
      text,
      ({ shownAt }, secret) => path.includes(secret) || shownAt?.test(path) === true,
    );
  }

  /** Searches what a program printed. @param output.isShowing whether its command prints a secret */
  program(output: { readonly stdout: string; readonly stderr: string; readonly isShowing: boolean }): void {
    const { stdout, stderr, isShowing } = output;
    this.searched.programs += 1;
    for (const line of stdout.split('\n')) {
      if (line.startsWith('{"level":')) this.logLine(line);
      else if (!isShowing)
        this.#search('the output of a program', line, ({ exported }) => exported?.test(line) === true);
    }
    this.#search('the errors of a program', stderr);
  }

  /** Searches for words that only the operator knows. */
  words(place: string, text: string, words: readonly string[]): void {
    for (const word of words) if (text.includes(word)) this.#add('secret of the environment', place, word);
  }

  async database(url: string): Promise<void> {
    const isSqlite = url.startsWith('sqlite:');
    if (isSqlite && !existsSync(sqlitePath(url))) return;
    const raw = await connectRaw(url);
    try {
      for (const { name } of await raw.read(TABLES[isSqlite ? 'sqlite' : 'postgres'])) {
        const table = String(name).replaceAll('"', '').replace(/^.*\./, '');
        for (const row of await raw.read(`SELECT * FROM ${String(name)}`)) this.#row(table, row);
      }
    } finally {
      await raw.close();
    }
    this.searched[isSqlite ? 'sqliteDatabases' : 'postgresDatabases'] += 1;
  }

  #row(table: string, row: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(row)) {
      this.searched.values += 1;
      const column = `${table}.${name}`;
      const text = column === 'runs.body' ? textOfStored(value as Uint8Array) : textOf(value);
      this.#search(`the column ${column}`, text, ({ columns }) => columns?.[column] !== undefined);
    }
  }

  #search(place: string, text: string, isAllowed: IsAllowed = () => false): void {
    if (text.length < SHORTEST) return;
    for (const kind of KINDS) {
      for (const [secret] of text.matchAll(kind.pattern)) {
        if (!isAllowed(kind, secret)) this.#add(kind.name, place, secret);
      }
    }
  }

  #add(kind: string, place: string, secret: string): void {
    this.leaks.push({ kind, place, start: secret.slice(0, 8) });
  }
}

const SHORTEST = 10;

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : '';
}

export function secretsOf(environment: Readonly<Record<string, string>>): string[] {
  const { METRICS_TOKEN = '', DATABASE_URL = '', SMTP_URL = '' } = environment;
  const passwords = [DATABASE_URL, SMTP_URL].map((url) => URL.parse(url)?.password ?? '');
  return [METRICS_TOKEN, ...passwords].filter((word) => word !== '');
}

/** The search of this process. */
export const SEARCH = new SecretSearch();

process.once('exit', () => {
  const { leaks, searched } = SEARCH;
  const ledger = process.env[LEDGER_VARIABLE];
  if (ledger !== undefined) appendFileSync(ledger, `${JSON.stringify({ leaks, searched })}\n`);
  if (leaks.length === 0) return;
  process.stderr.write(describeLeaks(leaks));
  process.exitCode ||= 1;
});

function describeLeaks(leaks: readonly Leak[]): string {
  return leaks.map(({ kind, place, start }) => `A secret was found in ${place}: ${kind}, "${start}…".\n`).join('');
}

/** Returns how much a suite searched, and what is wrong. @param isWhole whether each kind of thing must have been searched */
export function judgeLedger(
  file: string,
  { isWhole }: { readonly isWhole: boolean },
): { text: string; faults: string } {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  const entries = lines.map((line) => JSON.parse(line) as Pick<SecretSearch, 'leaks' | 'searched'>);
  const names = Object.keys(SEARCH.searched) as (keyof SecretSearch['searched'])[];
  const totals = names.map((name) => ({ name, count: entries.reduce((sum, entry) => sum + entry.searched[name], 0) }));
  const unsearched = isWhole ? totals.filter(({ count }) => count === 0) : [];
  return {
    text: `Searched for secrets: ${totals.map(({ name, count }) => `${count} ${name}`).join(', ')}.`,
    faults:
      unsearched.map(({ name }) => `Nothing of this was searched for secrets: ${name}.\n`).join('') +
      describeLeaks(entries.flatMap(({ leaks }) => leaks)),
  };
}
