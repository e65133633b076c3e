/**
 * `make torture TORTURE=timing`: whether the time of a refusal tells what exists, or how much of a secret was right. Prints medians, and the
 * median difference of turns with its 99.9% interval; a difference that is sure and larger than 25 µs and 2% ends the program with 1.
 * Two controls: the same against the same must not differ, a query against none must. TIMING_SAMPLES (2,000) says how often each
 * is asked; the hashing of passwords, a third of a second each, a fiftieth of it.
 */
import { createServer } from 'node:http';
import { Client } from 'undici';
import { digestSecretToken, newApiKey, newSecretToken } from '../../src/platform/ids.js';
import { createMetricsEndpoint } from '../../src/platform/http/app.js';
import { Lifecycle } from '../../src/platform/http/server.js';
import { createLogger } from '../../src/platform/logging.js';
import { createHook, readHookStatus } from '../../src/app/automation/deploy-hooks.js';
import { createPasswords } from '../../src/app/accounts/passwords.js';
import { createSignIn } from '../../src/app/accounts/sign-in.js';
import type { Database } from '../../src/store/database.js';
import { addAccount, addSite, TestClock } from '../support/accounts.js';
import { OTHER_PASSWORD, TEST_PASSWORD } from '../support/passwords.js';
import { openNewDatabase, quantileOf, runInScope } from '../support/script.js';
import { listen } from '../support/servers.js';
import { openServices } from '../support/services.js';
import { insertRow } from '../support/tables.js';

const SAMPLES = Number(process.env.TIMING_SAMPLES ?? 2000);
const HASHINGS = Math.max(10, Math.ceil(SAMPLES / 50));

/** So many keys, links and hooks stand in the tables alongside those that are asked for. */
const CROWD = 500;

/** A difference below this many µs, or this part of the median, is nothing that a network lets through. */
const LIMIT_US = 25;
const LIMIT_PART = 0.02;
/** Standard errors to either side that hold 99.9% of a normal distribution: some twenty pairs are compared. */
const SURE_ERRORS = 3.29;

type Three = [number, number, number];

/** Two ways of asking, and how their times must compare. */
interface Pair {
  readonly about: string;
  readonly a: Side;
  readonly b: Side;
  readonly samples: number;
  readonly expected: 'alike' | 'apart';
}

interface Side {
  readonly name: string;
  /** Rejections count as answers. */
  readonly ask: () => Promise<unknown>;
}

const clock = new TestClock();

/** Each on another day: otherwise the rate limits would end the measurement. */
function askDaily(ask: () => Promise<unknown>): () => Promise<unknown> {
  return () => {
    clock.time = new Date(clock.time.getTime() + 86_400_000);
    return ask();
  };
}

const createdAt = clock.now().toISOString();
let badCount = 0;
for (const engine of ['sqlite', 'postgres'] as const) {
  await runInScope(async (scope) => {
    for (const pair of await pairsOn(await openNewDatabase(scope, engine))) await show(pair, engine);
  });
}
await showMetricsTokens();
process.stdout.write(badCount === 0 ? 'No time tells anything.\n' : `${badCount} times are not as they must be.\n`);
process.exitCode = badCount === 0 ? 0 : 1;

async function show({ about, a, b, expected, samples }: Pair, where: string): Promise<void> {
  const [times, otherTimes] = await askInTurns(a, b, samples);
  const turns = otherTimes.map((us, turn) => us - (times[turn] ?? 0));
  // How many turns lie below their median is a binomial distribution (the sign test).
  const spread = (SURE_ERRORS * 0.5) / Math.sqrt(samples);
  const [from, to] = [quantileOf(turns, 0.5 - spread), quantileOf(turns, 0.5 + spread)];
  const [median, otherMedian, difference] = [times, otherTimes, turns].map((list) => quantileOf(list, 0.5)) as Three;
  const isSure = from > 0 || to < 0;
  const isTelling = isSure && Math.abs(difference) > Math.max(LIMIT_US, LIMIT_PART * Math.min(median, otherMedian));
  const isBad = expected === 'apart' ? !isSure : isTelling;
  if (isBad) badCount += 1;
  process.stdout.write(
    `${isBad ? 'BAD' : 'ok '} ${where}, ${about}: "${a.name}" ${median.toFixed(1)} µs, "${b.name}" ${otherMedian.toFixed(1)} µs; ` +
      `difference ${difference.toFixed(1)} µs [${from.toFixed(1)}, ${to.toFixed(1)}], ${samples} each\n`,
  );
}

/** Times in µs. What else the machine does falls on both of a turn alike, so that turns are compared. */
async function askInTurns(a: Side, b: Side, samples: number): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []];
  // The first ones pay for what is compiled and opened once.
  for (let round = -Math.ceil(samples / 10); round < samples; round += 1) {
    for (const side of Math.random() < 0.5 ? ([0, 1] as const) : ([1, 0] as const)) {
      const startedNs = process.hrtime.bigint();
      await (side === 0 ? a : b).ask().catch(() => undefined);
      if (round >= 0) times[side].push(Number(process.hrtime.bigint() - startedNs) / 1000);
    }
  }
  return times;
}

function pairOf(about: string, a: Side, b: Side, expected: Pair['expected'] = 'alike', samples = SAMPLES): Pair {
  return { about, a, b, expected, samples };
}

async function pairsOn(db: Database): Promise<Pair[]> {
  const { id } = await addAccount(db, 'MONITOR', clock);
  await addCrowd(db, (await addAccount(db, 'MONITOR', clock)).id);
  return [
    ...(await keyPairs(db, id)),
    ...(await tokenPairs(db, id)),
    ...(await signInPairs(db)),
    ...(await mailedLinkPairs(db)),
  ];
}

async function addCrowd(db: Database, account_id: string): Promise<void> {
  for (let count = 0; count < CROWD; count += 1) {
    const key = { id: `key_crowd${count}`, account_id, name: 'x', hint: 'x', created_at: createdAt };
    await insertRow(db, 'api_keys', { ...key, digest: digestSecretToken(newApiKey()) });
    const link = { digest: digestSecretToken(newSecretToken()), account_id, expires_at: createdAt };
    await insertRow(db, 'sign_in_links', link);
  }
}

/** A digest that differs from the given one in its last digit alone. */
function besideOf(digest: string): string {
  return digest.slice(0, -1) + (digest.endsWith('0') ? '1' : '0');
}

async function keyPairs(db: Database, accountId: string): Promise<Pair[]> {
  const { access, keys } = openServices(db, { clock });
  const revoked = await keys.create({ accountId, name: 'revoked' });
  await keys.revoke(revoked.apiKey.id);
  const [near, far, other] = [newApiKey(), newApiKey(), newApiKey()];
  const row = { id: `key_${'n'.repeat(20)}`, account_id: accountId, name: 'near', hint: 'near', created_at: createdAt };
  await insertRow(db, 'api_keys', { ...row, digest: besideOf(digestSecretToken(near)) });
  const asking = (name: string, key: string): Side => ({ name, ask: () => access.admit(`Bearer ${key}`) });
  return [
    pairOf('control, the same', asking('unknown', far), asking('unknown', other)),
    pairOf('control, a query', asking('malformed', far.slice(0, -1)), asking('unknown', far), 'apart'),
    pairOf('API key', asking('unknown', far), asking('revoked', revoked.key)),
    pairOf('API key', asking('digest unlike any', far), asking('63 of 64 digits of one', near)),
  ];
}

async function tokenPairs(db: Database, accountId: string): Promise<Pair[]> {
  const { accounts, signIn } = openServices(db, { clock, hasMail: false });
  const link = await accounts.createSignInLink(accountId);
  const session = await signIn.useLink({ token: link.token, password: TEST_PASSWORD });
  await signIn.signOut(session.token);
  const [site, next] = [await addSite(db, accountId), await addSite(db, accountId, { hostname: 'near.example.com' })];
  const replaced = await createHook({ db, clock }, { accountId, siteId: site.id });
  await createHook({ db, clock }, { accountId, siteId: site.id });
  const [unknown, near] = [newSecretToken(), newSecretToken()];
  const digest = besideOf(digestSecretToken(near));
  await insertRow(db, 'deploy_hooks', { site_id: next.id, digest, created_at: createdAt });
  const reading = (name: string, token: string): Side => ({ name, ask: () => signIn.readLink(token) });
  const entering = (name: string, token: string): Side => ({ name, ask: () => signIn.authenticate(token) });
  const calling = (name: string, token: string): Side => ({ name, ask: () => readHookStatus(db, token) });
  return [
    pairOf('one-time link', reading('unknown', unknown), reading('used', link.token)),
    pairOf('session', entering('unknown', unknown), entering('ended', session.token)),
    pairOf('deploy hook', calling('unknown', unknown), calling('replaced', replaced)),
    pairOf('deploy hook', calling('digest unlike any', unknown), calling('63 of 64 digits of one', near)),
  ];
}

async function signInPairs(db: Database): Promise<Pair[]> {
  const { accounts } = openServices(db, { clock });
  const { account, signInLink } = await accounts.create({ email: 'holder@example.com', plan: 'FREE' });
  const invited = await accounts.create({ email: 'invited@example.com', plan: 'FREE' });
  const signIn = createSignIn({ db, clock, passwords: createPasswords() });
  await signIn.useLink({ token: signInLink.token, password: TEST_PASSWORD });
  const entering = (name: string, email: string): Side => {
    const guess = { email, password: OTHER_PASSWORD, clientAddress: '192.0.2.1' };
    return { name, ask: askDaily(() => signIn.withPassword(guess)) };
  };
  return [entering('known', account.email), entering('without a password', invited.account.email)].map((side) =>
    pairOf('sign-in', entering('unknown', 'nobody@example.com'), side, 'alike', HASHINGS),
  );
}

/** What is asked without a password; what is in the mail is found out after the answer. */
async function mailedLinkPairs(db: Database): Promise<Pair[]> {
  const { email } = await addAccount(db, 'FREE', clock);
  const { mailedLinks } = openServices(db, { clock });
  const given = { clientAddress: '192.0.2.1' };
  const sides = { unknown: { ...given, email: 'nobody@example.com' }, known: { ...given, email } };
  const pairFor = (about: string, askFor: (from: typeof sides.known) => Promise<unknown>): Pair => {
    const side = (name: keyof typeof sides): Side => ({ name, ask: askDaily(() => askFor(sides[name])) });
    return pairOf(about, side('unknown'), side('known'));
  };
  return [
    pairFor('link to a new password', (from) => mailedLinks.requestPasswordLink(from)),
    pairFor('link to an account', (from) => mailedLinks.requestSignUpLink(from)),
  ];
}

/** Through the endpoint itself, on a connection that stays open. */
async function showMetricsTokens(): Promise<void> {
  const token = 'a-metrics-token-of-the-operator-0123456789';
  const http = { logger: createLogger('silent'), lifecycle: new Lifecycle() };
  const endpoint = createMetricsEndpoint(http, { contentType: 'text/plain', text: async () => '' }, token);
  const callback = endpoint.callback();
  const { port, close } = await listen(createServer((incoming, outgoing) => void callback(incoming, outgoing)));
  const client = new Client(`http://127.0.0.1:${port}`);
  const asking = (name: string, given: string): Side => ({
    name,
    ask: async () => {
      const headers = { authorization: `Bearer ${given}` };
      const { body } = await client.request({ method: 'GET', path: '/metrics', headers });
      await body.dump();
    },
  });
  const wrong = `x${token.slice(1)}`;
  await show(
    pairOf('metrics token', asking('first wrong', wrong), asking('last wrong', `${token.slice(0, -1)}x`)),
    'http',
  );
  await show(pairOf('metrics token', asking('as long', wrong), asking('shorter', wrong.slice(0, 10))), 'http');
  await client.close();
  await close();
}
