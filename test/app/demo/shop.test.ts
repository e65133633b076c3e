import t from 'tap';
import { SHOP_RUNS, respondAsShop } from '../../../src/app/demo/shop.js';
import { failureOf } from '../../../src/scanner/report/failures.js';
import { FIXTURE_ORIGIN, type FixtureRequest } from '../../support/fixture-site.js';
import { scanFixture } from '../../support/golden.js';

function scanAt(number: number) {
  const answer = ({ url: { pathname: path } }: FixtureRequest) => respondAsShop(number, path, FIXTURE_ORIGIN);
  return scanFixture({ routes: { '*': answer } });
}

t.test('the shop gets better run by run, was away once, and breaks again at the end', async (t) => {
  const scores: (number | null)[] = [];
  for (let number = 1; number <= SHOP_RUNS.length; number += 1) scores.push((await scanAt(number)).score);
  t.same(scores, [33, 63, 62, null, 85, 77]);
});

t.test('its last run has a failure of each severity, and the gravest is fixed from then on', async (t) => {
  const failuresAt = async (number: number) =>
    (await scanAt(number)).findings.flatMap((finding) => failureOf(finding)?.severity ?? []);
  const severities = await failuresAt(SHOP_RUNS.length);
  t.same(new Set(severities), new Set(['SHUT_OUT', 'BROKEN', 'MISSING', 'POLISH']));
  const left = severities.filter((severity) => severity !== 'SHUT_OUT');
  t.same(await failuresAt(SHOP_RUNS.length + 1), left, 'so that the first check after it proves a fix');
  t.same(await failuresAt(SHOP_RUNS.length + 20), left, 'and it stays so');
});
