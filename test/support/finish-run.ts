import type { Clock } from '../../src/platform/clock.js';
import type { SiteOfAccount } from '../../src/app/sites/site.js';
import type { Finding } from '../../src/scanner/verdict/finding.js';
import { scoreOf } from '../../src/scanner/report/score.js';
import type { Database } from '../../src/store/database.js';
import { scanReport, siteToScan } from './accounts.js';
import { openServices } from './services.js';

/** Stores a run of the site that finds this. */
export async function finishRun(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  { accountId, siteId }: SiteOfAccount,
  findings: readonly Finding[],
): Promise<void> {
  const scan = () => Promise.resolve({ ...scanReport(scoreOf(findings)), findings });
  const { performRun } = openServices(db, { clock, scan });
  await performRun({ site: siteToScan(siteId, accountId), trigger: 'SCHEDULED' });
}
