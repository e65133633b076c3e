/** `make golden`: rewrites what the fixture sites and the formats of reports are expected to give. Read the difference before you commit it. */
import { writeFileSync } from 'node:fs';
import { goldenReports } from '../cli/golden/report.js';
import { FIXTURE_SITES } from '../fixtures/sites/index.js';
import { expectedPath, formatGolden, formatTexts, scanFixture, TEXTS_PATH } from '../support/golden.js';

for (const { name, site } of FIXTURE_SITES) writeFileSync(expectedPath(name), formatGolden(await scanFixture(site)));
writeFileSync(TEXTS_PATH, formatTexts());
for (const [name, text] of Object.entries(goldenReports())) writeFileSync(`test/cli/golden/${name}.txt`, text);
