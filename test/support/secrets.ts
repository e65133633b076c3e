/**
 * The search for secrets: whatever the tests leave behind (every database, every line of a log, every error, what the program
 * printed) is looked through for anything that lets somebody in. One search of the process counts and collects; at the process's end
 * it makes the process fail where something was found, and writes its line into the ledger that the whole suite is judged by.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { sqlitePath } from '../../src/store/sqlite.js';
import { WORDS } from './passwords.js';
import { textOfStored } from './stored-runs.js';

/** Names the file into which each process of a suite writes what it searched. */
export const LEDGER_VARIABLE = 'SECRETS_LEDGER';

interface Kind {
  readonly name: string;
  readonly pattern: RegExp;
  /** Columns that hold it by decision. */
  readonly columns?: Readonly<Record<string, string>>;
  /** The pages that show it to whom it belongs, and so again where they refuse. */
  readonly shownAt?: RegExp;
  /** A line of the export of an account, which has it by decision. */
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
  { name: 'password', pattern: new RegExp(WORDS.map(escapePattern).join('|'), 'g') },
];

/** Something that was found, without the secret itself. */
export interface Leak {
  readonly kind: string;
  readonly place: string;
  /** Its first characters. */
  readonly start: string;
}

/** How much was searched. */
export interface Searched {
  sqliteDatabases: number;
  postgresDatabases: number;
  values: number;
  logLines: number;
  errors: number;
  programs: number;
}

export class SecretSearch {
  readonly leaks: Leak[] = [];
  readonly searched: Searched = {
    ...{ sqliteDatabases: 0, postgresDatabases: 0, values: 0, logLines: 0, errors: 0, programs: 0 },
  };

  /** A line of a log. */
  logLine(line: string): void {
    this.searched.logLines += 1;
    this.#search('a log', line);
  }

  /**
   * An answer that refuses.
   * @param path the address that was asked: a form that is shown again says where it is sent, so that a secret of its own address
   * may stand in it
   */
  error(path: string, status: number, text: string): void {
    this.searched.errors += 1;
    this.#search(
      `the body of a ${status}`,
      text,
      ({ kind, secret }) => path.includes(secret) || kind.shownAt?.test(path) === true,
    );
  }

  /**
   * What a program printed, and its log.
   * @param output.isShowing whether the program was asked for a secret, so that it prints one alongside its log
   */
  program(output: { readonly stdout: string; readonly stderr: string; readonly isShowing: boolean }): void {
    const { stdout, stderr, isShowing } = output;
    this.searched.programs += 1;
    for (const line of stdout.split('\n')) {
      if (line.startsWith('{"level":')) this.logLine(line);
      else if (!isShowing) {
        this.#search('the output of a program', line, ({ kind }) => kind.exported?.test(line) === true);
      }
    }
    this.#search('the errors of a program', stderr);
  }

  /** Words that only the operator knows. */
  words(place: string, text: string, words: readonly string[]): void {
    for (const word of words) if (text.includes(word)) this.#add('secret of the environment', place, word);
  }

  /** Every value of every table. */
  async database(url: string): Promise<void> {
    if (url.startsWith('sqlite:')) this.#sqlite(sqlitePath(url));
    else await this.#postgres(url);
  }

  #sqlite(file: string): void {
    if (!existsSync(file)) return;
    const db = new Sqlite(file, { fileMustExist: true });
    try {
      const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all() as string[];
      for (const table of tables) this.#rows(table, db.prepare(`SELECT * FROM "${table}"`).iterate());
    } finally {
      db.close();
    }
    this.searched.sqliteDatabases += 1;
  }

  async #postgres(connectionString: string): Promise<void> {
    const client = new pg.Client({ connectionString });
    await client.connect();
    try {
      const tables = await client.query<{ schema: string; name: string }>(
        `SELECT schemaname AS schema, tablename AS name FROM pg_tables
          WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
      );
      const selections = tables.rows.map(({ schema, name }) => `SELECT * FROM "${schema}"."${name}"`);
      // In one message: a way there and back for each table would cost more than the search.
      const answers = (await client.query(selections.join('; '))) as unknown as pg.QueryResult | pg.QueryResult[];
      for (const [index, { rows }] of [answers].flat().entries()) this.#rows(tables.rows[index]?.name ?? '', rows);
    } finally {
      await client.end();
    }
    this.searched.postgresDatabases += 1;
  }

  #rows(table: string, rows: Iterable<unknown>): void {
    for (const row of rows) {
      for (const [name, value] of Object.entries(row as Record<string, unknown>)) {
        this.searched.values += 1;
        const column = `${table}.${name}`;
        const text = column === 'runs.body' ? textOfStored(value as Uint8Array) : textOf(value);
        this.#search(`the column ${column}`, text, ({ kind }) => kind.columns?.[column] !== undefined);
      }
    }
  }

  #search(
    place: string,
    text: string,
    isAllowed: (found: { readonly kind: Kind; readonly secret: string }) => boolean = () => false,
  ): void {
    if (text.length < SHORTEST) return;
    for (const kind of KINDS) {
      for (const [secret] of text.matchAll(kind.pattern)) {
        if (!isAllowed({ kind, secret })) this.#add(kind.name, place, secret);
      }
    }
  }

  #add(kind: string, place: string, secret: string): void {
    this.leaks.push({ kind, place, start: secret.slice(0, 8) });
  }
}

/** No secret is shorter. */
const SHORTEST = 10;

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : '';
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** The values of an environment that are nobody's business but the operator's. */
export function secretsOf(environment: Readonly<Record<string, string>>): string[] {
  const { METRICS_TOKEN, DATABASE_URL = '', SMTP_URL = '' } = environment;
  const passwords = [DATABASE_URL, SMTP_URL].map((url) => (URL.canParse(url) ? new URL(url).password : ''));
  return [...(METRICS_TOKEN === undefined ? [] : [METRICS_TOKEN]), ...passwords].filter((word) => word !== '');
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

/** What the ledger of a suite tells: how much was searched, and what is wrong, if anything is. */
export function judgeLedger(
  file: string,
  { isWhole }: { readonly isWhole: boolean },
): { text: string; faults: string } {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  const entries = lines.filter(Boolean).map((line) => JSON.parse(line) as Pick<SecretSearch, 'leaks' | 'searched'>);
  const total = { ...new SecretSearch().searched };
  for (const { searched } of entries) {
    for (const name of Object.keys(total) as (keyof Searched)[]) total[name] += searched[name];
  }
  const unsearched = Object.entries(total).filter(([, count]) => count === 0);
  const gaps = isWhole
    ? unsearched.map(([name]) => `Nothing of this was searched for secrets: ${name}.\n`).join('')
    : '';
  const counts = Object.entries(total).map(([name, count]) => `${count} ${name}`);
  return {
    text: `Searched for secrets: ${counts.join(', ')}.`,
    faults: gaps + describeLeaks(entries.flatMap(({ leaks }) => leaks)),
  };
}
