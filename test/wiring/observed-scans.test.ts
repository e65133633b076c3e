import t from 'tap';
import { observeChains, observeFreeScans, observeRuns } from '../../src/wiring/observed-scans.js';
import { createMetrics } from '../../src/wiring/process-metrics.js';
import { scanReport } from '../support/accounts.js';
import { readSamples } from '../support/metrics.js';
import { createTestLogger } from '../support/test-logger.js';

t.test('the line of a run has its digest, and a broken chain is an error of its own', async (t) => {
  const metrics = createMetrics({ version: '1', role: 'all', isShown: false });
  const { logger, log } = createTestLogger();
  const observer = observeRuns(metrics.scans, logger, observeChains(metrics.scans, logger));
  const times = { startedAt: '2026-03-15T12:00:00.000Z', finishedAt: '2026-03-15T12:00:02.000Z' };
  const run = { number: 7, reference: 'CR-000007', score: 80, trigger: 'SCHEDULED' as const, ...times };
  const response = { site: { id: 'site_a', hostname: 'a.example' }, run, findings: scanReport().findings };
  const ended = {
    release: '1.2.3+abc1234',
    label: null,
    pages: null,
    accountId: 'acc_a',
    response,
    durationMs: 1234.5,
    requestCount: 36,
    digest: '5f0c',
    supplementDigest: 'a1b2',
  };
  const count = async () => readSamples(await metrics.text()).get('agent_readiness_broken_chain_links_total');

  observer.finished({ ...ended, chainBrokenAt: null });
  const { siteId, number, release, digest, supplementDigest, ms, msg } = log[0] ?? {};
  t.same(
    { siteId, number, release, digest, supplementDigest, ms, msg },
    {
      ...{ siteId: 'site_a', number: 7, release: '1.2.3+abc1234', digest: '5f0c', supplementDigest: 'a1b2' },
      ...{ ms: 1235, msg: 'run finished' },
    },
  );
  t.same({ lines: log.length, count: await count() }, { lines: 1, count: 0 });

  observer.finished({ ...ended, chainBrokenAt: 6 });
  t.match(log[2], { level: 'error', siteId: 'site_a', number: 6, msg: /^site chain broken/ });
  t.equal(await count(), 1);
});

t.test('free scans are counted, and make the checks that they were asked for', async (t) => {
  const metrics = createMetrics({ version: '1', role: 'all', isShown: false });
  const asked: unknown[] = [];
  const scan = observeFreeScans(
    async (_target, _onProgress, only) => (asked.push(only), scanReport()),
    metrics.scans,
    (report) => report,
  );
  const target = { origin: new URL('https://a.example'), isOwnershipVerified: false };
  await scan(target, undefined, ['C-MD-01']);
  await scan(target, undefined, undefined);
  t.same(asked, [['C-MD-01'], undefined]);
});
