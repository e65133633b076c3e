import t from 'tap';
import { refuseOverload } from '../../src/wiring/scanner.js';
import { scanReport } from '../support/accounts.js';

t.test('a scan is asked for as the caller asks for it', async (t) => {
  const asked: unknown[][] = [];
  const scan = refuseOverload(async (...args) => {
    asked.push(args);
    return scanReport();
  });
  const target = { origin: new URL('https://example.com'), isOwnershipVerified: false };
  const onProgress = (): void => undefined;
  await scan(target, onProgress, ['C-LLMS-01']);
  t.same(asked, [[target, onProgress, ['C-LLMS-01']]]);
});
