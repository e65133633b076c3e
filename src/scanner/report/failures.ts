import type { Failure, Failures } from '../findings/failure.js';
import type { Finding } from '../findings/finding.js';
import { cBot01Failures } from '../checks/c-bot-01/failures.js';
import { cBot02Failures } from '../checks/c-bot-02/failures.js';
import { cBot03Failures } from '../checks/c-bot-03/failures.js';
import { cFwd01Failures } from '../checks/c-fwd-01/failures.js';
import { cLlms01Failures } from '../checks/c-llms-01/failures.js';
import { cLlms02Failures } from '../checks/c-llms-02/failures.js';
import { cLlms03Failures } from '../checks/c-llms-03/failures.js';
import { cLlms04Failures } from '../checks/c-llms-04/failures.js';
import { cMd01Failures } from '../checks/c-md-01/failures.js';
import { cSd01Failures } from '../checks/c-sd-01/failures.js';
import { cSd02Failures } from '../checks/c-sd-02/failures.js';
import { cSd03Failures } from '../checks/c-sd-03/failures.js';
import { cSd04Failures } from '../checks/c-sd-04/failures.js';
import { cSite01Failures } from '../checks/c-site-01/failures.js';
import { cSite02Failures } from '../checks/c-site-02/failures.js';
import { cWk01Failures } from '../checks/c-wk-01/failures.js';
import { cWk02Failures } from '../checks/c-wk-02/failures.js';
import { cWk03Failures } from '../checks/c-wk-03/failures.js';

/** What is said of each failure that a check proves, by check. */
export const FAILURES: Readonly<Record<string, Failures>> = {
  'C-LLMS-01': cLlms01Failures,
  'C-LLMS-02': cLlms02Failures,
  'C-LLMS-03': cLlms03Failures,
  'C-LLMS-04': cLlms04Failures,
  'C-SITE-01': cSite01Failures,
  'C-SITE-02': cSite02Failures,
  'C-BOT-01': cBot01Failures,
  'C-BOT-02': cBot02Failures,
  'C-BOT-03': cBot03Failures,
  'C-SD-01': cSd01Failures,
  'C-SD-02': cSd02Failures,
  'C-SD-03': cSd03Failures,
  'C-SD-04': cSd04Failures,
  'C-WK-01': cWk01Failures,
  'C-WK-02': cWk02Failures,
  'C-WK-03': cWk03Failures,
  'C-MD-01': cMd01Failures,
  'C-FWD-01': cFwd01Failures,
};

/** What today's texts say of a failure; null of anything else, and of one whose check or kind was retired. */
export function failureOf({ checkId, errorType }: Pick<Finding, 'checkId' | 'errorType'>): Failure | null {
  return errorType === null ? null : (FAILURES[checkId]?.[errorType] ?? null);
}

/** What is wrong, where a finding failed; else the name of its check. */
export function headlineOf(finding: Pick<Finding, 'checkId' | 'errorType' | 'title'>): string {
  return failureOf(finding)?.headline ?? finding.title ?? finding.checkId;
}
