/** `make dev SITE=shop`: prints what the scanner finds on one of the sites in test/fixtures/sites. */
import { createReport, toDocument } from '../../src/cli/report/document.js';
import { formatAsText } from '../../src/cli/report/text.js';
import { FIXTURE_SITES } from '../fixtures/sites/index.js';
import { FIXTURE_ORIGIN } from '../support/fixture-site.js';
import { scanFixture } from '../support/golden.js';

const [, , wanted] = process.argv;
const found = FIXTURE_SITES.find(({ name }) => name === wanted);
if (!found) throw new Error(`SITE is one of ${FIXTURE_SITES.map(({ name }) => name).join(', ')}.`);
const origin = found.site.origin ?? FIXTURE_ORIGIN;
const document = toDocument({ hostname: new URL(origin).hostname }, await scanFixture(found.site));
console.log(formatAsText(createReport(origin, document)));
