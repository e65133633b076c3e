import type { Check } from '../verdict/check.js';
import type { OwnedNote } from '../verdict/note-rule.js';
import { cBot01 } from './c-bot-01.js';
import { cBot02 } from './c-bot-02.js';
import { cBot03 } from './c-bot-03.js';
import { cFwd01 } from './c-fwd-01.js';
import { cLlms01 } from './c-llms-01.js';
import { cLlms02 } from './c-llms-02.js';
import { cLlms03 } from './c-llms-03.js';
import { cLlms04 } from './c-llms-04.js';
import { cMd01 } from './c-md-01.js';
import { cSd01 } from './c-sd-01.js';
import { cSd02 } from './c-sd-02.js';
import { cSd03 } from './c-sd-03.js';
import { cSd04 } from './c-sd-04.js';
import { cSite01 } from './c-site-01.js';
import { cSite02 } from './c-site-02.js';
import { cWk01 } from './c-wk-01.js';
import { cWk02 } from './c-wk-02.js';
import { cWk03 } from './c-wk-03.js';
import { SITE_NOTES } from './site-notes.js';

export { findAnswer } from './answer.js';

/**
 * The check registry: all checks in the order of the contract. The OpenAPI document, the commands, the pages and the scans use this list.
 */
export const CHECKS = [
  cLlms01,
  cLlms02,
  cLlms03,
  cLlms04,
  cSite01,
  cSite02,
  cBot01,
  cBot02,
  cBot03,
  cSd01,
  cSd02,
  cSd03,
  cSd04,
  cWk01,
  cWk02,
  cWk03,
  cMd01,
  cFwd01,
] as const satisfies readonly Check[];

/** Notes about the whole report, then those of the checks in their order. */
export const NOTES: readonly OwnedNote[] = [
  ...SITE_NOTES.map((rule) => ({ ...rule, checkId: null })),
  ...CHECKS.flatMap(({ id, notes }) => notes.map((rule) => ({ ...rule, checkId: id }))),
];
