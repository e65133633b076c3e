import type { ScanProgress } from '../../../scanner/report/progress.js';
import { HostName, isLongName, Mast } from '../../../web/kit/components/mast.js';
import { ProgressBar, ProgressChecks, ProgressFound } from '../../../web/kit/components/progress.js';
import type { Page } from '../../../web/kit/page.js';
import { addressOf } from './addresses.js';

/** A running scan: what it has found so far. */
export function runningPage(hostname: string, progress: ScanProgress): Page {
  return {
    title: `Scan in progress, ${hostname}`,
    styles: ['progress.css'],
    reload: { href: addressOf.result(hostname) },
    mast: (
      <Mast
        tags={<span class="small soft">Free scan, running</span>}
        title={<HostName name={hostname} />}
        isLong={isLongName(hostname)}
      >
        <ProgressBar progress={progress} href={addressOf.progress(hostname)}>
          You may leave this page. The scan continues, and this address keeps its result for an hour.
        </ProgressBar>
      </Mast>
    ),
    main: (
      <div class="w">
        <ProgressChecks progress={progress} />
        <div class="sec">
          <ProgressFound progress={progress} />
        </div>
      </div>
    ),
  };
}
