/** `make release-verdicts`: keeps how this release judges, for the next one to be compared with. Refuses at any other time. */
import { readFileSync, writeFileSync } from 'node:fs';
import { CHECKS } from '../../src/scanner/checks/index.js';
import { packageVersion, readNewestRelease } from './changelog.js';
import { explainUnready, formatReleased, judgeCases, listUnrevised, type Released, RELEASED_PATH } from './released.js';

const released = JSON.parse(readFileSync(RELEASED_PATH, 'utf8')) as Released;
const version = packageVersion();
const judged = await judgeCases();
const unready =
  explainUnready({ newest: readNewestRelease(), version, last: released.release }) ??
  listUnrevised(released, CHECKS, judged).join('\n');
if (unready === '') {
  writeFileSync(RELEASED_PATH, formatReleased(version, CHECKS, judged));
} else {
  process.stderr.write(`${unready}\n`);
  process.exitCode = 1;
}
