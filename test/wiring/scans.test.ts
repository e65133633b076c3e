import t from 'tap';
import { FREE_SCANS } from '../../src/app/free-scan/free-scan-slots.js';
import { readConfig } from '../../src/config.js';
import { createScanning } from '../../src/package/scanning.js';
import { ROLES } from '../../src/cli/service.js';
import { createLogger } from '../../src/platform/logging.js';
import { createMetrics } from '../../src/wiring/metrics.js';
import { createScanSlots, findAddresses, observeRuns } from '../../src/wiring/services.js';
import { scanReport } from '../support/accounts.js';
import { createTestLogger } from '../support/test-logger.js';

t.test('a finished run is one log line', async (t) => {
  const metrics = createMetrics({ version: '1', role: 'all', isExposed: false });
  const { logger, log } = createTestLogger();
  const observer = observeRuns(metrics.scans, logger, '1.2.3+abc1234');
  const times = { startedAt: '2026-03-15T12:00:00.000Z', finishedAt: '2026-03-15T12:00:02.000Z' };
  const run = { number: 7, reference: 'CR-000007', score: 80, trigger: 'SCHEDULED' as const, ...times };
  const response = { site: { id: 'site_a', hostname: 'a.example' }, run, findings: scanReport().findings };
  const ended = { accountId: 'acc_a', response, report: scanReport(), label: null, isEmailOn: false };
  observer.finished(ended, 1234.5);
  const { siteId, number, release, ms, msg } = log[0] ?? {};
  const expected = { siteId: 'site_a', number: 7, release: '1.2.3+abc1234', ms: 1235, msg: 'run finished' };
  t.same({ siteId, number, release, ms, msg }, expected);
  t.equal(log.length, 1);
});

t.test('slots are reserved for free scans in processes that perform them', async (t) => {
  const accounts = Array.from({ length: 16 }, (_, index) => `account ${index}`);
  for (const role of ROLES) {
    const slots = createScanSlots(role, 16);
    let end: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (end = resolve));
    const work = accounts.map((account) => slots.run(account, () => held));
    t.equal(slots.occupancy().running, role === 'worker' ? 16 : 14, role);
    if (role !== 'worker') {
      work.push(slots.run(FREE_SCANS, () => held));
      t.equal(slots.occupancy().running, 15, `${role}: a free scan finds room`);
    }
    end();
    await Promise.all(work);
  }
});

t.test('evidence is collected only where it is stored', async (t) => {
  for (const EVIDENCE_DAYS of ['0', '90']) {
    const { includesEvidence } = createScanning(readConfig({ EVIDENCE_DAYS }), createLogger('silent'));
    t.equal(includesEvidence, EVIDENCE_DAYS === '90');
  }
});

t.test('a name counts for each of its addresses', async (t) => {
  const find = (resolveAddresses: (name: string) => Promise<readonly string[]>) =>
    findAddresses(new URL('https://www.example.com'), { resolver: { resolveAddresses } });
  t.same(await find(async () => ['35.190.1.1', '2606:4700::1']), ['35.190.1.1', '2606:4700::1']);
  t.same(await find(() => Promise.reject(new Error('no such name'))), ['www.example.com']);
});
