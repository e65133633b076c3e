import type { Test } from 'tap';
import type { StartRequest } from '../../src/app/runs/runs.js';
import { gainsOf } from '../../src/scanner/report/gain.js';
import { scoreOf } from '../../src/scanner/report/score.js';
import type { ScanReport } from '../../src/scanner/scan/scan.js';
import type { Scanner } from '../../src/scanner/scan/scanner.js';
import type { Finding } from '../../src/scanner/verdict/finding.js';
import type { Database } from '../../src/store/database.js';
import { addAccount, addSite, scanReport } from './accounts.js';
import { HeldScan } from './held-scan.js';
import { updateRows } from './tables.js';
import { startWeb, type WebOptions } from './web.js';

interface SiteOptions extends WebOptions {
  readonly plan?: string;
  readonly isVerified?: boolean;
}

/** Starts the pages with a signed-in member, whose site has runs that find what the test says. Rechecks are held. */
export async function openSitePages(t: Test, db: Database, options: SiteOptions = {}) {
  const { plan = 'MONITOR', isVerified = true, ...webOptions } = options;
  let report = scanReport();
  const held = new HeldScan();
  const scan: Scanner = async (target, onProgress, only) => (only ? held.scan(target, onProgress, only) : report);
  const web = await startWeb(t, db, { scan, ...webOptions });
  const account = await addAccount(db, plan, web.clock);
  const member = await web.newMember(account);
  const site = await addSite(db, account.id, { isVerified });
  const at = { accountId: account.id, siteId: site.id };
  const path = `/sites/${site.id}`;
  const run = async (
    findings: readonly Finding[],
    more: Partial<ScanReport> = {},
    asked: Partial<StartRequest> = {},
  ): Promise<void> => {
    report = { ...scanReport(scoreOf(findings)), findings, gains: gainsOf([], findings), ...more };
    await web.runs.start({ ...at, trigger: 'SCHEDULED', ...asked });
  };
  return {
    ...{ ...web, held, account, member, site, at, path, run },
    finish: (...findings: readonly Finding[]) => run(findings),
    /** Returns the HTML of a page below the site's path, which must exist. */
    async page(below = ''): Promise<string> {
      const { status, text } = await member.get(path + below);
      if (status !== 200) throw new Error(`${below} returns ${status}`);
      return text;
    },
    loseOwnership: (lostAt: string | null = null) =>
      updateRows(db, 'sites', { id: site.id }, { verified_at: null, verified_by: null, ownership_lost_at: lostAt }),
  };
}
