import { connect, createServer, type Socket } from 'node:net';
import Sqlite from 'better-sqlite3';
import { openDatabase } from '../../../src/store/open.js';
import { defineQuery } from '../../../src/store/query.js';
import { sqlitePath } from '../../../src/store/sqlite.js';
import { scanReport, TestClock } from '../../support/accounts.js';
import { HeldTimers } from '../../support/held-timers.js';
import { listen } from '../../support/servers.js';
import type { Scope } from '../../support/service.js';
import { openServices } from '../../support/services.js';
import { startApi } from '../../support/api.js';

/** `cut before` or `cut after` the statement runs, or the code of the engine's error. */
export type Fault = string;

/** Decides which statement fails. BEGIN and COMMIT count. */
class FaultPlan {
  #left = Infinity;
  #fault: Fault = '';
  #isLasting = false;
  hasFailed = false;
  isDown = false;

  /** Makes the n-th statement fail, and all after it if `isLasting`. */
  arm(n: number, fault: Fault, isLasting: boolean): void {
    this.#left = n;
    this.#fault = fault;
    this.#isLasting = isLasting;
    this.hasFailed = false;
  }

  disarm(): void {
    this.#left = Infinity;
    this.isDown = false;
  }

  /** Returns how the current statement fails, or null. */
  next(): Fault | null {
    if (!this.isDown && (this.#left -= 1) !== 0) return null;
    this.hasFailed = true;
    this.isDown = this.#isLasting;
    return this.#fault;
  }
}

export type FaultWorld = Awaited<ReturnType<typeof openFaultWorld>>;

/** Opens the services over a database that fails as planned, and the same database without failures as `watch`. */
export async function openFaultWorld(scope: Pick<Scope, 'teardown'>, url: string) {
  const plan = new FaultPlan();
  const watch = await openDatabase(url);
  scope.teardown(() => watch.close());
  const faulty = url.startsWith('sqlite:') ? makeSqliteFaulty(url, plan) : await openFaultyWire(url, plan);
  scope.teardown(faulty.close);
  const db = await openDatabase(faulty.url);
  scope.teardown(() => db.close());
  const clock = new TestClock();
  const timers = new HeldTimers();
  const scanFree = async () => ({ ...scanReport(), startedAt: clock.now(), finishedAt: clock.now() });
  const services = openServices(db, { clock, hasMail: false, startTimer: timers.start, scanFree });
  const { access, runs } = services;
  const { send } = await startApi(scope, { access, runs });
  /** Prepares scenes and reads results. */
  const safe = openServices(watch, { clock, hasMail: false });
  return { ...services, safe, watch, plan, timers, send };
}

export async function ask<Row>({ watch }: FaultWorld, sql: string): Promise<readonly Row[]> {
  return watch.run(defineQuery<Row>((builder) => builder.raw(sql))({}));
}

/** Returns the column `n` of the first row. */
export async function askNumber(world: FaultWorld, sql: string): Promise<number> {
  return (await ask<{ n: number | null }>(world, sql))[0]?.n ?? 0;
}

/** @param from such as `runs WHERE site_id = 'x'` */
export function countRows(world: FaultWorld, from: string): Promise<number> {
  return askNumber(world, `SELECT count(*) AS n FROM ${from}`);
}

/** Makes statements of connections with another spelling of the path fail, before they do anything. */
function makeSqliteFaulty(url: string, plan: FaultPlan) {
  const path = sqlitePath(url).replace(/\/([^/]+)$/, '/./$1');
  const { prototype } = Sqlite as unknown as { prototype: { prepare: (sql: string) => object } };
  const { prepare } = prototype;
  const get = (target: object, name: string | symbol): unknown => {
    const value: unknown = Reflect.get(target, name, target);
    if (typeof value !== 'function') return value;
    return (...args: readonly unknown[]): unknown => {
      const fault = name === 'run' || name === 'all' ? plan.next() : null;
      if (fault !== null) throw new Sqlite.SqliteError('injected: secret detail of the file', fault);
      return Reflect.apply(value, target, args);
    };
  };
  prototype.prepare = function (this: Sqlite.Database, sql) {
    const statement = prepare.call(this, sql);
    return this.name === path ? new Proxy(statement, { get }) : statement;
  };
  return { url: `sqlite:${path}`, close: () => void (prototype.prepare = prepare) };
}

const codeOf = (type: string): number => type.charCodeAt(0);
const READY = codeOf('Z');
/** The server answers after a simple query (Q) and after the end of an extended one (S). */
const ENDS_STATEMENT = new Set(['Q', 'S'].map(codeOf));

/** Opens a proxy of PostgreSQL that makes statements fail as planned. */
async function openFaultyWire(serverUrl: string, plan: FaultPlan) {
  const url = new URL(serverUrl);
  const { hostname } = url;
  const target = Number(url.port);
  const { port, close } = await listen(
    createServer((client) => {
      if (plan.isDown) client.destroy();
      else relay(client, connect(target, hostname), plan);
    }),
  );
  url.host = `127.0.0.1:${port}`;
  return { url: url.href, close };
}

function relay(client: Socket, upstream: Socket, plan: FaultPlan): void {
  const cut = (): void => {
    client.destroy();
    upstream.destroy();
  };
  let isAnswerLost = false;
  let statement: Buffer[] = [];
  const fail = (fault: Fault): void => {
    if (fault === 'cut before') cut();
    else if (fault === 'cut after') {
      isAnswerLost = true;
      upstream.write(Buffer.concat(statement));
    } else {
      client.write(errorResponse(fault));
      // With these codes the server ends the connection.
      if (fault.startsWith('57P')) cut();
    }
  };
  const fromClient = splitMessages(true, (message, type) => {
    statement.push(message);
    const isSetUp = type === null || type === codeOf('p');
    if (!isSetUp && !ENDS_STATEMENT.has(type)) return;
    const fault = isSetUp ? null : plan.next();
    if (fault === null) upstream.write(Buffer.concat(statement));
    else fail(fault);
    statement = [];
  });
  const fromServer = splitMessages(false, (message, type) => {
    if (!isAnswerLost) client.write(message);
    else if (type === READY) cut();
  });
  // Nagle's algorithm would delay each message.
  client
    .setNoDelay(true)
    .on('data', fromClient)
    .on('close', () => upstream.destroy());
  upstream
    .setNoDelay(true)
    .on('data', fromServer)
    .on('close', () => client.destroy());
  upstream.on('error', () => upstream.destroy());
}

/** Splits the stream into messages. A client's first message has no type byte. */
function splitMessages(isFirstBare: boolean, hear: (message: Buffer, type: number | null) => void) {
  let rest: Buffer = Buffer.alloc(0);
  let isBare = isFirstBare;
  return (chunk: Buffer): void => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const head = isBare ? 0 : 1;
      if (rest.length < head + 4) return;
      const size = head + rest.readUInt32BE(head);
      if (rest.length < size) return;
      const message = rest.subarray(0, size);
      rest = rest.subarray(size);
      const type = isBare ? null : (message[0] ?? null);
      isBare = false;
      hear(message, type);
    }
  };
}

/** Returns an error response, followed by ReadyForQuery. */
function errorResponse(code: string): Buffer {
  const fields = Buffer.from(`SERROR\0VERROR\0C${code}\0Minjected: secret detail of the server\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeUInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields, Buffer.from([READY, 0, 0, 0, 5, codeOf('E')])]);
}
