import type { JSX } from 'preact';
import { ActionButton } from '../html/form.js';
import { Icon } from '../html/icons.js';
import { Group, HostName } from '../html/page-header.js';
import { Snippet } from '../html/text.js';
import { addressOf as siteAddressOf } from '../server/site-paths.js';
import type { OwnReport } from '../../app/publications/publications.js';
import { addressOf } from './publications-addresses.js';
import { AddressFold } from '../html/fold.js';

export interface PublicReportProps {
  readonly siteId: string;
  readonly hostname: string;
  readonly isVerified: boolean;
  /** The published reports of the site. */
  readonly reports: readonly OwnReport[];
  readonly publicUrl: string;
}

/** Returns the path of the public report of the latest run, to which the badge links; null if there is none. */
export function publicReportPath(reports: readonly OwnReport[]): string | null {
  const latest = latestOf(reports);
  return latest && addressOf.report(latest.token);
}

/** Finds the report that always shows the latest run. */
function latestOf(reports: readonly OwnReport[]): OwnReport | null {
  return reports.find(({ number }) => number === null) ?? null;
}

/** Publishes the latest report, and withdraws published ones. */
export function PublicReport(props: PublicReportProps): JSX.Element {
  const { siteId, hostname, isVerified, reports } = props;
  const latest = latestOf(reports);
  return (
    <Group title="Public report" meaning={latest ? 'anyone with the link may read it' : 'not published'} id="sharing">
      <p>
        The score and what every check found, on a page published in your name. It contains no evidence and no text from
        your pages. It disappears when you turn it off, remove the site or lose its verification.
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
      <ReportsOfRuns siteId={siteId} reports={reports} />
    </Group>
  );
}

function Published({ siteId, publicUrl, report }: PublicReportProps & { readonly report: OwnReport }) {
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
      <AddressFold
        title="Replace the address, or turn the report off"
        renew={[addressOf.publish(siteId), 'Give it a new address']}
        end={[addressOf.withdraw(siteId), 'Turn the public report off']}
      >
        The current address stops working.
      </AddressFold>
    </>
  );
}

/** Reports of single runs, published on the pages of their runs. */
function ReportsOfRuns({ siteId, reports }: Pick<PublicReportProps, 'siteId' | 'reports'>): JSX.Element | null {
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

/** Part of a run's page that publishes the report of this run. */
export function PublishRun({ siteId, number }: { readonly siteId: string; readonly number: number }): JSX.Element {
  return (
    <ActionButton action={addressOf.publish(siteId)} kind="quiet" isTight fields={{ number: String(number) }}>
      Publish this run
    </ActionButton>
  );
}
