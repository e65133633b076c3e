import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Test } from 'tap';
import { SCAN_FORMATS } from '../../../src/cli/report/formats.js';
import { createResolver } from '../../../src/net/resolver.js';
import { createScanning } from '../../../src/package/scanning.js';
import { systemClock } from '../../../src/platform/clock.js';
import { createScanners } from '../../../src/scanner/scan/scanner.js';
import type { Database } from '../../../src/store/database.js';
import { PUBLIC_PATHS } from '../../../src/web/server/paths.js';
import { listPublished } from '../../../src/app/publications/publications.js';
import { CANARY, hostile } from '../../fixtures/sites/hostile.js';
import { perfect } from '../../fixtures/sites/perfect.js';
import { onEachDatabase } from '../../support/databases.js';
import { startDnsServer } from '../../support/dns-server.js';
import { readRequest } from '../../support/fixture-server.js';
import { answerOf, type FixtureRoute, type FixtureSite, resolveRoute } from '../../support/fixture-site.js';
import { callTool, type HttpAnswer, type HttpRequest, send } from '../../support/http-client.js';
import { listen, startReceiver } from '../../support/servers.js';
import { startMailServer } from '../../support/mail-server.js';
import { runScanCommand } from '../../support/memory-output.js';
import { PUBLIC_ADDRESS } from '../../support/network-scene.js';
import { textOfStored } from '../../support/stored-runs.js';
import { rowsOf, tablesOf } from '../../support/tables.js';
import { webhooksOf } from '../../support/alerts.js';
import { startWholeService } from '../../support/whole-service.js';
import { findMarkers, FOREIGN_HOST, HEADER_SPEECH, MARKER, MARKER_HOST, PATH } from './marker.js';

/** Of a site, only its host and port may be shown or stored, besides the names that owners give. None of them has a marker. */
const HOSTNAME = 'www.fixture-aviary.com';
const RECEIVER_HOST = 'www.fixture-receiver.com';

/** Two hosts that the site names are private, so the guard refuses them. */
const NAMES = {
  [HOSTNAME]: { A: [PUBLIC_ADDRESS], CNAME: MARKER_HOST },
  [`_agent-readiness.${HOSTNAME}`]: { TXT: [[MARKER], [HEADER_SPEECH, MARKER]] },
  [MARKER_HOST]: { A: ['10.0.0.1'] },
  [FOREIGN_HOST]: { A: ['127.0.0.1'] },
  [RECEIVER_HOST]: { A: [PUBLIC_ADDRESS] },
};

/** The sites to serve: most checks pass on the first and fail on the second. Markers replace their words. */
const SITES = {
  sound: { site: perfect, words: /lantern/gi },
  hostile: { site: hostile, words: new RegExp(CANARY, 'g') },
};

/** Serves a canary site with markers also in the status line and headers. */
async function startCanaryServer(t: Test) {
  let origin = '';
  let site: FixtureSite = perfect;
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = await answerOf(site, await readRequest(request, origin));
    response.writeHead(answer.status, HEADER_SPEECH, [...answer.headers.flat(), 'x-speech', HEADER_SPEECH]);
    response.end(answer.body);
  };
  const server = createServer((request, response) => void respond(request, response));
  const { port, close } = await listen(server, PUBLIC_ADDRESS);
  t.teardown(close);
  origin = `http://${HOSTNAME}:${port}`;
  const choose = (name: keyof typeof SITES): void => void (site = speak(name, origin));
  return { port, origin, choose };
}

function speak(name: keyof typeof SITES, origin: string): FixtureSite {
  const { site, words } = SITES[name];
  const change = (text: string) =>
    text
      .replaceAll(site.origin ?? '', origin)
      .replaceAll(words, MARKER)
      .replace(`"sameAs":["${MARKER}"]`, `"sameAs":["https://${MARKER_HOST}${PATH}","https://${FOREIGN_HOST}/"]`);
  const routes = Object.entries(site.routes).map(([key, route]): [string, FixtureRoute] => [
    change(key),
    async (request) => {
      const answer = await resolveRoute(route, request);
      return typeof answer.body === 'string' ? { ...answer, body: change(answer.body) } : answer;
    },
  ]);
  return { origin, routes: Object.fromEntries(routes) };
}

type HeardService = Awaited<ReturnType<typeof startHeardService>>;

/** Starts the whole service and records its answers. The site counts as public, so its evidence is stored. */
async function startHeardService(t: Test, db: Database, sitePort: number, receiverPort: number) {
  const mail = await startMailServer(t);
  const dns = await startDnsServer(NAMES);
  t.teardown(() => dns.close());
  const endpoints = [{ host: HOSTNAME, port: sitePort, address: PUBLIC_ADDRESS }];
  const environment = {
    ...{ SCAN_ALLOW_CIDRS: `${PUBLIC_ADDRESS}/32`, SCAN_ALLOW_PORTS: `${sitePort},${receiverPort}` },
    ...{ SMTP_URL: `smtp://127.0.0.1:${mail.port}`, MAIL_FROM: 'alerts@example.com' },
  };
  const whole = await startWholeService(
    t,
    db,
    ({ config, logger, metrics }) => ({
      ...createScanning(config, logger, { endpoints, onRefused: (reason) => metrics.scans.guardRefused(reason) }),
      resolver: createResolver({ servers: [dns.address] }),
    }),
    environment,
  );
  const answers = new Map<string, string>();
  return {
    ...whole,
    /** Answers by request. */
    answers,
    mails: mail.received,
    async ask(name: string, path: string, request: HttpRequest = {}): Promise<HttpAnswer> {
      const answer = await send(whole.port, path, request);
      answers.set(`${name} ${path}`, `${answer.status} ${JSON.stringify(answer.headers)}\n${answer.text}`);
      return answer;
    },
  };
}

onEachDatabase(async (t, { openDb }) => {
  await t.test('nothing of a site leaves the service by any of its doors', async (t) => {
    const site = await startCanaryServer(t);
    const receiver = await startReceiver(t, PUBLIC_ADDRESS);
    receiver.answer = (response) => response.writeHead(500, HEADER_SPEECH, { 'x-speech': HEADER_SPEECH }).end(MARKER);
    const db = await openDb(t);
    const whole = await startHeardService(t, db, site.port, receiver.port);
    const { services, answers, log } = whole;
    const address = site.origin;
    const { accountId, token, key: secret } = await whole.addMember();
    const member = { cookie: `__Host-session=${token}`, accept: 'text/html', 'sec-fetch-site': 'same-origin' };

    const added = await services.sites.add({ accountId, site: address });
    await post(whole, member, `/sites/${added.id}/verify`);
    await services.sites.markVerified(added.id, 'operator');
    const webhooks = webhooksOf({ db, clock: systemClock, hasMail: true, vetWebhook: services.vetWebhook });
    await webhooks.add({ accountId, url: `http://${RECEIVER_HOST}:${receiver.port}/messages` });
    await webhooks.setEmailAlerts(accountId, true);
    await post(whole, member, `/sites/${added.id}/automation/badge`);
    await post(whole, member, `/sites/${added.id}/sharing`);

    site.choose('sound');
    const key = { authorization: `Bearer ${secret}` };
    const runs = `/api/v1/sites/${added.id}/runs`;
    const first = await whole.ask('API', runs, { method: 'POST', headers: key });
    site.choose('hostile');
    const second = await whole.ask('API', runs, { method: 'POST', headers: key });
    t.same([first.status, second.status], [201, 201]);
    t.match(first.text, /"score":[1-9]/, 'the site was read');
    t.not(resultsIn(first.text), resultsIn(second.text), 'the two runs differ');
    for (const path of [`${runs}/latest`, `${runs}/1`, `${runs}/3`, `${runs}/x`])
      await whole.ask('API', path, { headers: key });

    await post(whole, member, `/sites/${added.id}/runs`);
    await whole.performJobs();
    t.not(receiver.messages.length, 0, 'the webhook is told');
    t.not(whole.mails.length, 0, 'and the owner by e-mail');
    receiver.messages.forEach((message, index) => answers.set(`webhook ${index}`, JSON.stringify(message)));
    whole.mails.forEach(({ text }, index) => answers.set(`mail ${index}`, text));

    await askFree(whole, address);
    await scanFromTerminal(whole, address);
    await crawl(whole, member, ['/', '/sites', '/keys', '/alerts', '/account', '/account/activity', '/about']);
    await whole.ask('page', `/sites/${added.id}/runs/2.json`, { headers: member });
    await whole.ask('page', '/sites.csv', { headers: member });
    await post(whole, member, '/account/export');
    await whole.ask('page', `/sites/${added.id}/compare?from=1&to=2`, { headers: member });
    const { badge, reports } = await listPublished(db, added.id);
    t.match((await whole.ask('badge', PUBLIC_PATHS.badge(badge?.token ?? ''))).text, /<svg/);
    const [report] = reports;
    for (const end of ['', '/markdown']) {
      t.equal((await whole.ask('shared report', `/reports/${report?.token ?? ''}${end}`)).status, 200, end);
    }
    await whole.ask('metrics', '/metrics', { headers: { authorization: `Bearer ${whole.metricsToken}` } });

    t.ok(
      log.some(({ msg }) => msg === 'target refused'),
      'a host that the site names was refused',
    );
    const [quoting, others] = [[...answers].filter(isQuoting), [...answers].filter((answer) => !isQuoting(answer))];
    for (const [name, text] of others) t.same(findMarkers(text), [], name);
    t.ok(
      quoting.some(([, text]) => findMarkers(text).length > 0),
      'the owner sees the evidence behind findings',
    );
    for (const [name, text] of quoting)
      t.same(findMarkers(aroundWords(name, text)), [], `what is around the words in ${name}`);
    for (const line of log.filter(({ level }) => level !== 'debug'))
      t.same(findMarkers(JSON.stringify(line)), [], 'a line of the log');
    for (const table of (await tablesOf(db)).filter((name) => name !== 'run_evidence')) {
      for (const row of await rowsOf(db, table)) t.same(findMarkers(readable(row)), [], `a row of ${table}`);
    }
    const looked = [...answers.keys()].filter((name) => /^(?:page|shared)/.test(name));
    t.ok(looked.length > 20, 'the pages were looked at');
    const own = ['/runs', '/runs/2', '/runs/2/checks/C-', '/settings', '/automation', '/verify', '/remove'];
    for (const path of [
      ...own.map((below) => `/sites/${added.id}${below}`),
      ...['/alerts/webhooks/', '/account/activity', '/accuracy', '/about', '/checks/C-'],
      ...['/reports/', '/scan/'],
    ]) {
      t.ok(
        looked.some((name) => name.includes(` ${path}`)),
        path,
      );
    }

    await services.keys.create({ accountId, name: MARKER });
    const keys = await whole.ask('page', '/keys', { headers: member });
    t.not(findMarkers(keys.text).length, 0, 'what the holder of the account types is shown, and the search finds it');
  });
});

/** The export, and pages that show evidence to the owner. */
function isQuoting([name]: readonly [name: string, text: string]): boolean {
  return /^page \/(?:sites\/\w+\/runs\/\d+\/(?:evidence|checks)|account\/export)/.test(name);
}

/** Returns the answer without the evidence: the headers, tags and title of a page, and the other fields of an export or HAR. */
function aroundWords(name: string, text: string): string {
  const [head = '', ...lines] = text.split('\n');
  if (name.endsWith('.har')) {
    const words = new Set(['url', 'redirectURL', 'value', 'text', 'mimeType']);
    const har: unknown = JSON.parse(lines.join('\n'), (key, value: unknown) => (words.has(key) ? null : value));
    return head + JSON.stringify(har);
  }
  if (!name.endsWith('/export')) return [head, ...(text.match(/<title>[^<]*|<[a-z][^>]*>/gi) ?? [])].join('\n');
  return [head, ...lines.map((line) => line.replace(/,"evidence":.*/, ''))].join('\n');
}

function resultsIn(text: string): string {
  const { findings } = JSON.parse(text) as { findings: { checkId: string; result: string }[] };
  return findings.map(({ checkId, result }) => `${checkId} ${result}`).join();
}

/** Bodies of runs are stored as compressed bytes. */
function readable(row: object): string {
  return JSON.stringify(row, (_, value: unknown) => {
    const bytes = value as { readonly type?: unknown; readonly data?: unknown } | null;
    if (typeof bytes !== 'object' || bytes?.type !== 'Buffer') return value;
    return textOfStored(Buffer.from(bytes.data as number[]));
  });
}

type Headers = Readonly<Record<string, string>>;

function post(whole: HeardService, headers: Headers, path: string, fields: Record<string, string> = {}) {
  return whole.ask('page', path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
}

/** Scans by the form and by MCP. */
async function askFree(whole: HeardService, address: string): Promise<void> {
  const headers = { accept: 'text/html', 'sec-fetch-site': 'same-origin' };
  const started = await post(whole, headers, '/scan', { site: address });
  const { done } = await whole.services.freeScans.start({ site: address, clientAddress: '192.0.2.1' });
  await done;
  const result = started.headers.location ?? '/scan';
  await whole.ask('page', result, { headers });
  await whole.ask('page', `${result}/agent`, { headers });
  await whole.ask('page', `${result}/markdown`, { headers });
  const answer = await callTool(whole.port, 'scan_site', { url: address });
  whole.answers.set('MCP', `${JSON.stringify(answer.headers)}\n${answer.text}`);
}

/** Runs `agent-readiness-scan scan` in each format. */
async function scanFromTerminal({ scanning, answers }: HeardService, address: string): Promise<void> {
  const { scan: scanner } = createScanners(scanning);
  const report = await scanner({ origin: new URL(address), isOwnershipVerified: false });
  for (const format of Object.keys(SCAN_FORMATS)) {
    const { output } = await runScanCommand([address, '--format', format], { scan: () => Promise.resolve(report) });
    answers.set(`CLI ${format}`, output.stdout + output.stderr + output.progressLines.join('\n'));
  }
}

const PAGES_MAX = 250;

/** Visits every linked page. */
async function crawl(whole: HeardService, headers: Headers, starts: readonly string[]): Promise<void> {
  const paths = new Set(starts);
  // The loop also visits what it adds.
  for (const path of paths) {
    const { text } = await whole.ask('page', path, { headers });
    for (const [, target = ''] of text.matchAll(/(?:href|src)="(\/[^"#]*)/g)) {
      if (paths.size < PAGES_MAX && !target.startsWith('/assets/')) paths.add(target.replaceAll('&amp;', '&'));
    }
  }
}
