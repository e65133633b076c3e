import t from 'tap';
import { readConfig } from '../../src/config.js';
import { createLogger } from '../../src/platform/logging.js';
import { refuseOverload } from '../../src/wiring/scanner.js';
import { createScanners } from '../../src/wiring/scanners.js';
import { createScanning } from '../../src/package/scanning.js';
import { findAddresses } from '../../src/wiring/services.js';

t.test('a machine that cannot open a connection is overloaded: the site is not judged', async (t) => {
  const scanning = createScanning(readConfig({}), createLogger('silent'));
  const resolver = {
    ...scanning.resolver,
    resolveAddresses: () => Promise.reject(Object.assign(new Error('too many open files'), { code: 'EMFILE' })),
  };
  const scan = refuseOverload(createScanners({ ...scanning, resolver }, '1.2.3').scan);
  const target = { origin: new URL('https://www.example.com'), isOwnershipVerified: false };
  await t.rejects(scan(target), {
    name: 'ServiceError',
    code: 'overloaded',
    cause: { name: 'OutOfResources' },
  });
});

t.test('the evidence behind findings is reported for verified sites alone, and only where it is kept', async (t) => {
  const reportOf = (EVIDENCE_DAYS: string, isOwnershipVerified: boolean) => {
    const scanning = createScanning(readConfig({ EVIDENCE_DAYS }), createLogger('silent'));
    const resolver = { ...scanning.resolver, resolveAddresses: () => Promise.reject(new Error('no such name')) };
    const { scan } = createScanners({ ...scanning, resolver }, '1.2.3');
    return scan({ origin: new URL('https://www.example.com'), isOwnershipVerified }, undefined, ['C-LLMS-01']);
  };
  t.match(await reportOf('90', true), { evidence: { findings: [{ checkId: 'C-LLMS-01' }] } });
  t.match(await reportOf('90', false), { evidence: null });
  t.match(await reportOf('0', true), { evidence: null });
});

t.test('a name stands for every address that a scan may connect to: the first may be dead', async (t) => {
  const find = (resolveAddresses: (name: string) => Promise<readonly string[]>) =>
    findAddresses(new URL('https://www.example.com'), { resolver: { resolveAddresses } });
  t.same(await find(async () => ['35.190.1.1', '2606:4700::1']), ['35.190.1.1', '2606:4700::1']);
  t.same(await find(() => Promise.reject(new Error('no such name'))), ['www.example.com']);
});
