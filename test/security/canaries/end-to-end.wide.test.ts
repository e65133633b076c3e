import { SCAN_FORMATS } from '../../../src/cli/report/formats.js';
import { systemClock } from '../../../src/platform/clock.js';
import { createScanners } from '../../../src/scanner/scan/scanner.js';
import { PUBLIC_PATHS } from '../../../src/web/server/paths.js';
import { listPublished } from '../../../src/app/publications/publications.js';
import { webhooksOf } from '../../support/webhooks.js';
import { onEachDatabase } from '../../support/databases.js';
import { callTool } from '../../support/http-client.js';
import { runScanCommand } from '../../support/memory-output.js';
import { PUBLIC_ADDRESS } from '../../support/network-scene.js';
import { startReceiver } from '../../support/receiver.js';
import { textOfStored } from '../../support/stored-runs.js';
import { rowsOf, tablesOf } from '../../support/tables.js';
import { startCanaryServer } from './canary-server.js';
import { findMarkers, FOREIGN_HOST, HEADER_SPEECH, MARKER, MARKER_HOST } from './marker.js';
import { type HeardService, startHeardService } from './heard-service.js';

/**
 * What of a site may be seen: its host name and port, which whoever asked for the scan has typed, and which stand in the addresses of
 * its ownership proofs; and the names that the holder of an account gives (keys, webhooks, the account). None of them has a marker here, so
 * that nothing has to be left out of the search: neither where a redirect led, nor any other host, is shown or stored.
 */
const HOSTNAME = 'www.fixture-aviary.com';
const RECEIVER_HOST = 'www.fixture-receiver.com';

/** Hosts that the site names: one is private, so that the guard refuses it, and one does not exist. */
const NAMES = {
  [HOSTNAME]: { A: [PUBLIC_ADDRESS], CNAME: MARKER_HOST },
  [`_agent-readiness.${HOSTNAME}`]: { TXT: [[MARKER], [HEADER_SPEECH, MARKER]] },
  [MARKER_HOST]: { A: ['10.0.0.1'] },
  [FOREIGN_HOST]: { A: ['127.0.0.1'] },
  [RECEIVER_HOST]: { A: [PUBLIC_ADDRESS] },
};

onEachDatabase(async (t, { openDb }) => {
  await t.test('nothing of a site leaves the service by any of its doors', async (t) => {
    const site = await startCanaryServer(t, PUBLIC_ADDRESS, HOSTNAME);
    const receiver = await startReceiver(t, PUBLIC_ADDRESS);
    receiver.answer = (response) => response.writeHead(500, HEADER_SPEECH, { 'x-speech': HEADER_SPEECH }).end(MARKER);
    const db = await openDb(t);
    const endpoint = { host: HOSTNAME, port: site.port, address: PUBLIC_ADDRESS };
    const whole = await startHeardService(t, db, {
      ...{ names: NAMES, ports: [site.port, receiver.port], endpoints: [endpoint] },
    });
    const { services, answers, log } = whole;
    const address = `http://${HOSTNAME}:${site.port}`;
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

/** The pages that show the owner the site's own words, and the export. */
function isQuoting([name]: readonly [name: string, text: string]): boolean {
  return /^page \/(?:sites\/\w+\/runs\/\d+\/(?:evidence|checks)|account\/export)/.test(name);
}

/**
 * What stands within the tags of a page, its title, and the header fields of the answer; of an export all but the evidence; of a
 * download all but the addresses, header fields and bodies of its entries.
 */
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

/** The scan without a key: the form, its page, and the MCP tool. */
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

/** `agent-readiness-scan scan`, in each of its formats. */
async function scanFromTerminal({ scanning, answers }: HeardService, address: string): Promise<void> {
  const { scan: scanner } = createScanners(scanning);
  const report = await scanner({ origin: new URL(address), isOwnershipVerified: false });
  for (const format of Object.keys(SCAN_FORMATS)) {
    const { output } = await runScanCommand([address, '--format', format], { scan: () => Promise.resolve(report) });
    answers.set(`CLI ${format}`, output.stdout + output.stderr + output.progressLines.join('\n'));
  }
}

const PAGES_MAX = 250;

/** Every page that the pages lead to, in turn. To GET a page changes nothing. */
async function crawl(whole: HeardService, headers: Headers, starts: readonly string[]): Promise<void> {
  const paths = new Set(starts);
  // A Set's iteration also visits what is added on the way.
  for (const path of paths) {
    const { text } = await whole.ask('page', path, { headers });
    for (const [, target = ''] of text.matchAll(/(?:href|src)="(\/[^"#]*)/g)) {
      if (paths.size < PAGES_MAX && !target.startsWith('/assets/')) paths.add(target.replaceAll('&amp;', '&'));
    }
  }
}
