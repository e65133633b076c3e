import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../../src/platform/clock.js';
import type { Role } from '../../../src/platform/lifecycle.js';
import { type Database, openDatabase } from '../../../src/store/database.js';
import { type FixtureServer, startFixtureServer } from '../../support/fixture-server.js';
import { runBuilt } from '../../support/program.js';
import { pick } from '../../support/random.js';
import { type Scope, serve, type ServingProgram } from '../../support/service.js';
import type { Node } from './clients.js';
import { readStored } from './stored.js';
import { type Office, openOffice, World } from './world.js';

export const CLOCK: Clock = { now: () => new Date() };

export interface ProgramWorldOptions {
  readonly databaseUrl: string;
  /** The database's address for this process, where the program has another. */
  readonly ownUrl?: string;
  /** Number of sites for which there are servers. */
  readonly sites: number;
  readonly quota: number;
  readonly customers: number;
  readonly sitesEach: number;
  /** What each page takes to answer. */
  readonly answerMs?: number;
}

type Environment = Readonly<Record<string, string>>;

const HOME = '<!doctype html><html lang="en"><title>Home</title><p>Hello</p></html>';

/** Customers, the sites that they have, and the settings of processes that scan these. All of it is closed with the scope. */
export async function openProgramWorld(scope: Pick<Scope, 'teardown'>, options: ProgramWorldOptions) {
  const { databaseUrl, ownUrl = databaseUrl, sites, quota, customers, sitesEach, answerMs = 0 } = options;
  const page = async (): Promise<string> => {
    if (answerMs > 0) await pause(answerMs);
    return HOME;
  };
  const servers: FixtureServer[] = [];
  for (let index = 0; index < sites; index += 1) servers.push(await startFixtureServer({ routes: { '/': page } }));
  scope.teardown(() => Promise.all(servers.map((server) => server.close())));
  const environment: Environment = {
    ...{ DATABASE_URL: databaseUrl, MONTHLY_QUOTA: String(quota), SCAN_CONCURRENCY: '8', LOG_LEVEL: 'warn' },
    ...{ SCAN_ALLOW_CIDRS: '127.0.0.1/32', SCAN_ALLOW_PORTS: servers.map(({ port }) => port).join(',') },
  };
  const { exitCode, stderr } = await runBuilt(['migrate'], environment);
  if (exitCode !== 0) throw new Error(stderr);
  const db = await openDatabase(ownUrl);
  scope.teardown(() => db.close());
  const siteOf = (index: number): string => {
    const server = servers[index];
    if (!server) throw new Error('There are no more sites.');
    return server.origin;
  };
  const world = new World({ db, clock: CLOCK, customers, sitesEach, siteOf, quota });
  await world.fill();
  return { environment, db, world };
}

/** A process of the built program that answers the API. */
export interface ProgramNode extends Node, ServingProgram {
  readonly role: Role;
}

/** Starts a process, at the port of one that has ended if one is given. */
export async function startNode(environment: Environment, role: Role, given?: number): Promise<ProgramNode> {
  const options = { role, ...(given !== undefined && { port: given }) };
  return { ...(await serve({ ...environment, LOG_LEVEL: 'info' }, options)), role };
}

/** Starts one of each role; resolves once all are ready. */
export async function startNodes(environment: Environment, roles: readonly Role[]): Promise<ProgramNode[]> {
  const nodes = await Promise.all(roles.map((role) => startNode(environment, role)));
  await Promise.all(nodes.map(({ port }) => untilReady(port)));
  return nodes;
}

/** Waits for the workers to empty the queue, then ends every process. @returns their exit codes, and what is stored then */
export async function endNodes(nodes: readonly ProgramNode[], db: Database, drainMsMax: number) {
  const untilMs = performance.now() + drainMsMax;
  while ((await readStored(db)).queued > 0 && performance.now() < untilMs) await pause(500);
  const codes = await Promise.all(nodes.map((node) => node.stop('SIGTERM')));
  return { codes, stored: await readStored(db) };
}

/** Calls the deploy hooks of the sites that are there now, each at any of the processes. */
export async function createHookCaller(world: World, nodes: readonly Node[], random: () => number) {
  const tokens = await world.addHooks();
  // A process may be stopped at this moment.
  return (siteId: string): Promise<unknown> =>
    fetch(`http://127.0.0.1:${pick(nodes, random)?.port ?? 0}/hooks/deploy/${tokens.get(siteId) ?? 'x'}?wait=0`, {
      method: 'POST',
    }).catch(() => null);
}

export async function untilReady(port: number): Promise<void> {
  const ask = () => fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
  while ((await ask())?.status !== 200) await pause(20);
}

/** Commands of processes of their own, and the same by a connection of this process: one after the other. */
export function openMixedOffice(db: Database, environment: Environment): Office {
  const office = openOffice(db, CLOCK);
  let count = 0;
  const run = async (...args: string[]): Promise<void> => {
    const { exitCode, stderr } = await runBuilt([...args, '--json'], environment);
    if (exitCode !== 0) throw new Error(`agent-readiness ${args.join(' ')} ended with ${exitCode}: ${stderr}`);
  };
  const isCommandsTurn = (): boolean => (count += 1) % 2 === 0;
  return {
    revoke: (id) => (isCommandsTurn() ? run('key', 'revoke', id) : office.revoke(id)),
    setPlan: (id, plan) => (isCommandsTurn() ? run('account', 'set-plan', id, plan) : office.setPlan(id, plan)),
    removeSite: (id) => (isCommandsTurn() ? run('site', 'remove', id) : office.removeSite(id)),
  };
}

/** How often each answer came. */
export function countAnswers(calls: readonly { status: number; code: string | null; broken: string | null }[]): string {
  const counts = new Map<string, number>();
  for (const { status, code, broken } of calls) {
    const name = broken ?? (code === null ? String(status) : `${status} ${code}`);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} × ${count}`)
    .join(', ');
}
