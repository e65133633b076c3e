import type { Clock } from '../../src/platform/clock.js';
import { Slots } from '../../src/platform/slots.js';
import { createRunPerformer } from '../../src/app/runs/run-performer.js';
import type { SiteOfAccount } from '../../src/app/sites/site.js';
import type { Finding } from '../../src/scanner/verdict/finding.js';
import { scoreOf } from '../../src/scanner/report/score.js';
import type { Database } from '../../src/store/database.js';
import { RELEASE, scanReport, siteToScan } from './accounts.js';

/** Stores a run of the site that finds this. */
export async function finishRun(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  { accountId, siteId }: SiteOfAccount,
  findings: readonly Finding[],
): Promise<void> {
  const scan = () => Promise.resolve({ ...scanReport(scoreOf(findings)), findings });
  const performRun = createRunPerformer({ db, clock, scan, slots: new Slots(1), release: RELEASE });
  await performRun({ site: siteToScan(siteId, accountId), trigger: 'SCHEDULED' });
}
