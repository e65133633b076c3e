import t from 'tap';
import { cBot01 } from '../../../src/scanner/checks/c-bot-01.js';
import { cFwd01 } from '../../../src/scanner/checks/c-fwd-01.js';
import { failuresSoFar } from '../../../src/scanner/report/progress.js';

t.test('failures so far, the most severe first, without retired ones', (t) => {
  const judged = [
    { checkId: 'C-FWD-01', result: 'FAIL', errorType: 'MISSING' },
    { checkId: 'C-BOT-01', result: 'FAIL', errorType: 'BLOCKED' },
    { checkId: 'C-GONE-01', result: 'FAIL', errorType: 'MISSING' },
    { checkId: 'C-LLMS-01', result: 'PASS' },
  ] as const;
  t.same(
    failuresSoFar({ judged }).map(({ severity, headline }) => [severity, headline]),
    [
      ['SHUT_OUT', cBot01.failures.BLOCKED?.headline],
      ['POLISH', cFwd01.failures.MISSING?.headline],
    ],
  );
  t.end();
});
