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
  const openScanning: Parameters<typeof startWholeService>[2] = ({ config, logger, metrics }) => ({
    ...createScanning(config, logger, { endpoints, onRefused: (reason) => metrics.scans.guardRefused(reason) }),
    resolver: createResolver({ servers: [dns.address] }),
  });
  const whole = await startWholeService(t, db, openScanning, environment);
  /** Answers by request. */
  const answers = new Map<string, string>();
  const note = (name: string, { status, headers, text }: HttpAnswer): void =>
    void answers.set(name, `${status} ${JSON.stringify(headers)}\n${text}`);
  const ask = async (name: string, path: string, request: HttpRequest = {}): Promise<HttpAnswer> => {
    const answer = await send(whole.port, path, request);
    note(`${name} ${path}`, answer);
    return answer;
  };
  return { ...whole, mails: mail.received, answers, note, ask };
}

onEachDatabase(async (t, { openDb }) => {
  await t.test('no text of a site leaves the service in any output', async (t) => {
    const site = await startCanaryServer(t);
    const receiver = await startReceiver(t, PUBLIC_ADDRESS);
    receiver.answer = (response) => response.writeHead(500, HEADER_SPEECH, { 'x-speech': HEADER_SPEECH }).end(MARKER);
    const db = await openDb(t);
    const whole = await startHeardService(t, db, site.port, receiver.port);
    const { services, answers, note, ask, log, port } = whole;
    const { accountId, token, key } = await whole.addMember();
    const browser = { accept: 'text/html', 'sec-fetch-site': 'same-origin' };
    const member = { ...browser, cookie: `__Host-session=${token}` };
    const bearer = { authorization: `Bearer ${key}` };
    const open = (path: string, headers: Readonly<Record<string, string>> = member) => ask('page', path, { headers });
    const post = (
      path: string,
      fields: Record<string, string> = {},
      own: Readonly<Record<string, string>> = member,
    ) => {
      const headers = { ...own, 'content-type': 'application/x-www-form-urlencoded' };
      return ask('page', path, { method: 'POST', headers, body: new URLSearchParams(fields).toString() });
    };

    const { id } = await services.sites.add({ accountId, site: site.origin });
    await post(`/sites/${id}/verify`);
    await services.sites.markVerified(id, 'operator');
    const webhooks = webhooksOf({ db, clock: systemClock, hasMail: true, vetWebhook: services.vetWebhook });
    await webhooks.add({ accountId, url: `http://${RECEIVER_HOST}:${receiver.port}/messages` });
    await webhooks.setEmailAlerts(accountId, true);
    await post(`/sites/${id}/automation/badge`);
    await post(`/sites/${id}/sharing`);

    const runs = `/api/v1/sites/${id}/runs`;
    site.choose('sound');
    const first = await ask('API', runs, { method: 'POST', headers: bearer });
    site.choose('hostile');
    const second = await ask('API', runs, { method: 'POST', headers: bearer });
    t.same([first.status, second.status], [201, 201]);
    t.match(first.text, /"score":[1-9]/, 'the site was read');
    t.not(resultsIn(first.text), resultsIn(second.text), 'the two runs differ');
    for (const end of ['latest', '1', '3', 'x']) await ask('API', `${runs}/${end}`, { headers: bearer });

    await post(`/sites/${id}/runs`);
    await whole.performJobs();
    t.not(receiver.messages.length, 0, 'the webhook is told');
    t.not(whole.mails.length, 0, 'and the owner by e-mail');
    receiver.messages.forEach((message, index) => answers.set(`webhook ${index}`, JSON.stringify(message)));
    whole.mails.forEach(({ text }, index) => answers.set(`mail ${index}`, text));

    const started = await post('/scan', { site: site.origin }, browser);
    await (
      await services.freeScans.start({ site: site.origin, clientAddress: '192.0.2.1' })
    ).done;
    for (const end of ['', '/agent', '/markdown']) await open(`${started.headers.location ?? '/scan'}${end}`, browser);
    note('MCP', await callTool(port, 'scan_site', { url: site.origin }));
    const target = { origin: new URL(site.origin), isOwnershipVerified: false };
    const report = await createScanners(whole.scanning).scan(target);
    for (const format of Object.keys(SCAN_FORMATS)) {
      const deps = { scan: () => Promise.resolve(report) };
      const { output } = await runScanCommand([site.origin, '--format', format], deps);
      answers.set(`CLI ${format}`, output.stdout + output.stderr + output.progressLines.join('\n'));
    }

    const paths = new Set(['/', '/sites', '/keys', '/alerts', '/account', '/account/activity', '/about']);
    // The loop also visits what it adds: every linked page.
    for (const path of paths) {
      for (const [, linked = ''] of (await open(path)).text.matchAll(/(?:href|src)="(\/[^"#]*)/g)) {
        if (paths.size < PAGES_MAX && !linked.startsWith('/assets/')) paths.add(linked.replaceAll('&amp;', '&'));
      }
    }
    for (const path of [`/sites/${id}/runs/2.json`, '/sites.csv', `/sites/${id}/compare?from=1&to=2`]) await open(path);
    await post('/account/export');
    const { badge, reports } = await listPublished(db, id);
    t.match((await ask('badge', PUBLIC_PATHS.badge(badge?.token ?? ''))).text, /<svg/);
    for (const end of ['', '/markdown']) {
      t.equal((await ask('shared report', `/reports/${reports[0]?.token ?? ''}${end}`)).status, 200, end);
    }
    await ask('metrics', '/metrics', { headers: { authorization: `Bearer ${whole.metricsToken}` } });

    const isRefused = log.some(({ msg }) => msg === 'target refused');
    t.ok(isRefused, 'a host that the site names was refused');
    let quoted = 0;
    for (const [name, text] of answers) {
      if (IS_QUOTING.test(name)) quoted += findMarkers(text).length;
      t.same(findMarkers(IS_QUOTING.test(name) ? aroundWords(name, text) : text), [], name);
    }
    t.ok(quoted > 0, 'the owner sees the evidence behind findings');
    for (const line of log.filter(({ level }) => level !== 'debug'))
      t.same(findMarkers(JSON.stringify(line)), [], 'a line of the log');
    for (const table of (await tablesOf(db)).filter((name) => name !== 'run_evidence')) {
      for (const row of await rowsOf(db, table)) t.same(findMarkers(readable(row)), [], `a row of ${table}`);
    }
    const pages = [...answers.keys()].filter((name) => /^(?:page|shared)/.test(name));
    t.ok(pages.length > 20, 'the pages were looked at');
    const looked = pages.join();
    const own = ['/runs', '/runs/2', '/runs/2/checks/C-', '/settings', '/automation', '/verify', '/remove'];
    for (const path of [
      ...own.map((below) => `/sites/${id}${below}`),
      ...['/alerts/webhooks/', '/account/activity', '/accuracy', '/about', '/checks/C-', '/reports/', '/scan/'],
    ]) {
      t.ok(looked.includes(` ${path}`), path);
    }

    await services.keys.create({ accountId, name: MARKER });
    const keys = await open('/keys');
    t.not(findMarkers(keys.text).length, 0, 'what the holder of the account types is shown, and the search finds it');
  });
});

const PAGES_MAX = 250;
/** The export, and pages that show evidence to the owner. */
const IS_QUOTING = /^page \/(?:sites\/\w+\/runs\/\d+\/(?:evidence|checks)|account\/export)/;

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
