import t from 'tap';
import { createGuard } from '../../../src/net/guard.js';
import { createRecordingScanner, createScanner } from '../../../src/scanner/scan/scanner.js';
import { startFixtureServer } from '../../support/fixture-server.js';

t.test('what failures are based on is kept for verified owners, whether or not the scan is recorded', async (t) => {
  const server = await startFixtureServer({ routes: { '/': '<!doctype html><title>Kiosk</title><p>Tickets</p>' } });
  t.teardown(() => server.close());
  const origin = new URL(server.origin);
  const deps = {
    guard: createGuard({ allowEndpoints: [{ address: origin.hostname, port: server.port }] }),
    resolver: { resolveAddresses: () => Promise.reject(new Error('only one site exists')) },
    clock: { now: () => new Date() },
  };
  for (const isOwnershipVerified of [true, false]) {
    for (const keepsEvidence of [true, false]) {
      const target = { origin, isOwnershipVerified };
      const scanned = await createScanner({ ...deps, keepsEvidence })(target);
      const { report, recording } = await createRecordingScanner({ ...deps, keepsEvidence }, '1.2.3')(target);
      t.ok(recording.exchanges.length > 0);
      for (const { evidence } of [scanned, report])
        t.equal(evidence !== null, isOwnershipVerified && keepsEvidence, `${isOwnershipVerified} ${keepsEvidence}`);
    }
  }
});
