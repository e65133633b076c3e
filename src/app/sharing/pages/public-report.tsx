import type { JSX } from 'preact';
import { ActionButton } from '../../../web/kit/components/form.js';
import { Icon } from '../../../web/kit/components/icons.js';
import { Group, HostName } from '../../../web/kit/components/mast.js';
import { Snippet } from '../../../web/kit/components/text.js';
import { PREVIEW_SIZE } from '../../../web/kit/page-meta.js';
import { addressOf as siteAddressOf } from '../../sites/pages/addresses.js';
import type { OwnSharedReport } from '../shared-reports.js';
import { addressOf, picturePath } from './addresses.js';
import { AddressFold } from '../../../web/kit/components/fold.js';

export interface PublicReportProps {
  readonly siteId: string;
  readonly hostname: string;
  readonly isVerified: boolean;
  /** Those of the site that are published. */
  readonly reports: readonly OwnSharedReport[];
  readonly publicUrl: string;
}

/** Where the latest report of a site is public: the badge leads there. */
export function publicReportPath(reports: readonly OwnSharedReport[]): string | null {
  const latest = latestOf(reports);
  return latest && addressOf.report(latest.token);
}

/** The one that always shows the latest run, rather than a certain one. */
function latestOf(reports: readonly OwnSharedReport[]): OwnSharedReport | null {
  return reports.find(({ number }) => number === null) ?? null;
}

/** Publishes the latest report, and withdraws what is published. */
export function PublicReport(props: PublicReportProps): JSX.Element {
  const { siteId, hostname, isVerified, reports } = props;
  const latest = latestOf(reports);
  return (
    <Group title="Public report" meaning={latest ? 'anyone with the link may read it' : 'not published'} id="sharing">
      <p>
        The score and what every check found, on a page published in your name. Never evidence, never a word of your
        pages. It is gone once you turn it off, remove the site or lose its verification.
      </p>
      {latest && <Published {...props} report={latest} />}
      {!latest && isVerified && (
        <ActionButton action={addressOf.publish(siteId)} kind="quiet">
          Publish the latest report
        </ActionButton>
      )}
      {!latest && !isVerified && (
        <p>
          <a href={siteAddressOf.verify(siteId)}>
            Verify <HostName name={hostname} />
          </a>{' '}
          first: a report says that its owner published it.
        </p>
      )}
      <OfRuns siteId={siteId} reports={reports} />
    </Group>
  );
}

function Published({ siteId, hostname, publicUrl, report }: PublicReportProps & { readonly report: OwnSharedReport }) {
  const path = addressOf.report(report.token);
  return (
    <>
      <Snippet text={publicUrl + path} label="Address of the public report" isLine />
      <p class="row">
        <a class="btn quiet" href={path}>
          <Icon name="out" />
          Open report
        </a>
        <span class="soft small">It always shows the last run that has a score.</span>
      </p>
      <Preview hostname={hostname} report={report} />
      <AddressFold
        title="Replace the address, or turn the report off"
        renew={[addressOf.publish(siteId), 'Give it a new address']}
        end={[addressOf.withdraw(siteId), 'Turn the public report off']}
      >
        The address that is in use leads nowhere from then on; caches may show the preview for 5 minutes.
      </AddressFold>
    </>
  );
}

/** How chats and networks show the link. */
function Preview({ hostname, report }: Pick<PublicReportProps, 'hostname'> & { readonly report: OwnSharedReport }) {
  const path = addressOf.report(report.token);
  if (report.pictureTag === null) {
    return (
      <p class="small soft">
        Its preview is not drawn yet: until it is, chats show the link with its title and score in words.
      </p>
    );
  }
  return (
    <figure class="sample">
      <figcaption class="soft small">Preview when shared</figcaption>
      <a href={path}>
        <img
          class="frame"
          src={picturePath(path, report.pictureTag)}
          width={PREVIEW_SIZE.width / 3}
          height={PREVIEW_SIZE.height / 3}
          alt={`The report of ${hostname}, as chats and networks preview it`}
        />
      </a>
    </figure>
  );
}

/** The reports of single runs: each is published on the page of its run. */
function OfRuns({ siteId, reports }: Pick<PublicReportProps, 'siteId' | 'reports'>): JSX.Element | null {
  const ofRuns = reports.filter(({ number }) => number !== null);
  if (ofRuns.length === 0) return null;
  return (
    <ul class="items">
      {ofRuns.map(({ number, token }) => (
        <li key={token}>
          <Icon name="link" />
          <a href={addressOf.report(token)}>Public report of run {number}</a>
          <ActionButton
            action={addressOf.withdraw(siteId)}
            kind="quiet"
            isTight
            label={`Turn it off, run ${number}`}
            fields={{ number: String(number) }}
          >
            Turn it off
          </ActionButton>
        </li>
      ))}
    </ul>
  );
}

/** Part of the page of a run: publishes the report of that run alone. */
export function PublishRun({ siteId, number }: { readonly siteId: string; readonly number: number }): JSX.Element {
  return (
    <ActionButton action={addressOf.publish(siteId)} kind="quiet" isTight fields={{ number: String(number) }}>
      Publish this run
    </ActionButton>
  );
}
