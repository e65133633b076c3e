/** `make golden`: rewrites what the fixture sites are expected to give; read the difference before you commit it. */
import { writeFileSync } from 'node:fs';
import { FIXTURE_SITES } from '../fixtures/sites/index.js';
import { expectedPath, formatGolden, scanFixture, TEXTS_PATH, formatTexts } from './golden.js';

for (const { name, site } of FIXTURE_SITES) writeFileSync(expectedPath(name), formatGolden(await scanFixture(site)));
writeFileSync(TEXTS_PATH, formatTexts());
