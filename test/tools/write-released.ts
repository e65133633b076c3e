/** `make release-verdicts`: stores how this release judges, for the next one to be compared with. */
import { readFileSync, writeFileSync } from 'node:fs';
import { packageVersion } from '../support/project.js';
import { judgeCases, listUnrevised, type Released, RELEASED_PATH } from '../support/released.js';

const now = await judgeCases(packageVersion());
const unrevised = listUnrevised(JSON.parse(readFileSync(RELEASED_PATH, 'utf8')) as Released, now);
if (unrevised.length === 0) writeFileSync(RELEASED_PATH, `${JSON.stringify(now, null, 2)}\n`);
else throw new Error(unrevised.join('\n'));
