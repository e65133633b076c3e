import t from 'tap';
import type { ScanDocument } from '../../src/cli/public-types.js';
import { renderReport, scan } from '../../src/package/index.js';

const REPORT: ScanDocument = {
  site: { hostname: 'example.com' },
  run: { score: null, startedAt: '2026-01-02T03:04:05.000Z', finishedAt: '2026-01-02T03:04:17.250Z' },
  findings: [],
  notes: [],
  gains: [],
};

t.test('a wrong site, report or format is refused with advice', async (t) => {
  const xml = 'xml' as 'junit';
  t.throws(() => renderReport(REPORT, { format: xml }), {
    name: 'InputError',
    message: /^format: xml is unknown\. Give one of table, json,/,
  });
  for (const wrong of [{}, null, undefined, { ...REPORT, gains: 1 }] as unknown[]) {
    t.throws(() => renderReport(wrong as ScanDocument), {
      name: 'InputError',
      message: /^renderReport\(\) takes a report that scan\(\) returned/,
    });
  }
  t.match(renderReport(REPORT), 'example.com: no score');
  const assistant = { name: 'ChatGPT', state: 'blocked', tokens: [{ token: 'OAI-SearchBot', line: 7, status: null }] };
  for (const strange of [
    { name: '<b>' },
    { state: 'x' },
    { reason: 'toString' },
    { tokens: [{ token: '@all' }] },
    null,
  ]) {
    const assistants = [strange && { ...assistant, ...strange }] as unknown as NonNullable<ScanDocument['assistants']>;
    t.match(
      renderReport({ ...REPORT, assistants, training: 'refused' }),
      /^example\.com: no score/,
      'no words of strangers',
    );
  }
  await t.rejects(scan(undefined as unknown as string), {
    name: 'InputError',
    message: /^Give scan\(\) the site as text/,
  });
  await t.rejects(scan('example.com', { only: ['NOPE'] }), {
    name: 'InputError',
    message: 'only: unknown check NOPE. CHECKS lists them.',
  });
});
