import type { JSX } from 'preact';
import type { ScanProgress } from '../../scanner/report/progress.js';
import { Group } from '../html/page-header.js';
import { Progress, ProgressFound } from '../html/progress.js';
import { Time } from '../html/text.js';
import type { Page } from '../server/page.js';
import type { OwnSite } from '../../app/sites/own-site.js';
import { addressOf } from '../server/site-paths.js';
import { SiteHeader } from './site-header.js';
import type { SiteNote } from '../../app/sites/site.js';

interface RunningPageProps {
  readonly site: OwnSite;
  readonly progress: ScanProgress;
  readonly note: SiteNote | undefined;
  readonly now: Date;
}

/** A site during its run: what it has found so far. */
export function runningPage({ site, progress, note, now }: RunningPageProps): Page {
  const isFirst = site.latestNumber === 0;
  return {
    title: `Run in progress, ${site.hostname}`,
    isLive: true,
    reloadAt: addressOf.site(site.id),
    header: (
      <SiteHeader site={site} note={note} at={addressOf.site(site.id)}>
        <Progress progress={progress} title={isFirst ? 'First run' : `Run ${site.latestNumber + 1}`}>
          {isFirst && site.verifiedAt !== null && (
            <span>
              The domain is yours, verified <Time at={site.verifiedAt} now={now} />.
            </span>
          )}
          <span>You may leave this page. The run continues, and takes less than a minute.</span>
        </Progress>
      </SiteHeader>
    ),
    main: (
      <div class="w over-text">
        <ProgressFound progress={progress} />
        {isFirst && <NextSteps siteId={site.id} isRunning />}
      </div>
    ),
  };
}

interface NextStepsProps {
  readonly siteId: string;
  readonly isRunning?: boolean;
}

/** What to set up before the first run, or during it. */
export function NextSteps({ siteId, isRunning = false }: NextStepsProps): JSX.Element {
  return (
    <Group title={isRunning ? 'While you wait' : 'Next'} meaning="set up once">
      <ul>
        <li>
          <a href={addressOf.automation(siteId)}>Run it every week, and after each deployment</a>
        </li>
        <li>
          <a href="/alerts">Set up alerts</a>
        </li>
        <li>
          <a href="/sites/new">Add your other sites</a>
        </li>
      </ul>
    </Group>
  );
}
