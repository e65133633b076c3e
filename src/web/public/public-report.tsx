import type { JSX } from 'preact';
import type { OwnReport } from '../../app/publications/publications.js';
import { ActionButton, AddressFold, Group } from '../html/sections.js';
import { Icon, Snippet } from '../html/text.js';
import { HostName } from '../html/page-header.js';
import { addressOf, PUBLIC_PATHS } from '../server/paths.js';

interface PublicReportProps {
  readonly siteId: string;
  readonly hostname: string;
  readonly isVerified: boolean;
  readonly reports: readonly OwnReport[];
  readonly publicUrl: string;
}

/** Returns the path of the public report that always shows the latest run; null if there is none. */
export function publicReportPath(reports: readonly OwnReport[]): string | null {
  const latest = reports.find(({ number }) => number === null);
  return latest ? PUBLIC_PATHS.report(latest.token) : null;
}

export function PublicReport({ siteId, hostname, isVerified, reports, publicUrl }: PublicReportProps): JSX.Element {
  const path = publicReportPath(reports);
  const ofRuns = reports.filter(({ number }) => number !== null);
  return (
    <Group title="Public report" meaning={path ? 'anyone with the link may read it' : 'not published'} id="sharing">
      <p>
        The score and what every check found, on a page published in your name. It contains no evidence and no text from
        your pages. It disappears when you turn it off, remove the site or lose its verification.
      </p>
      {path !== null && <Published siteId={siteId} path={path} publicUrl={publicUrl} />}
      {path === null && isVerified && (
        <ActionButton action={addressOf.publish(siteId)} kind="quiet">
          Publish the latest report
        </ActionButton>
      )}
      {path === null && !isVerified && (
        <p>
          <a href={addressOf.verify(siteId)}>
            Verify <HostName name={hostname} />
          </a>{' '}
          first: a report says that its owner published it.
        </p>
      )}
      {ofRuns.length > 0 && (
        <ul class="items">
          {ofRuns.map(({ number, token }) => (
            <li key={token}>
              <Icon name="link" />
              <a href={PUBLIC_PATHS.report(token)}>Public report of run {number}</a>
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
      )}
    </Group>
  );
}

type PublishedProps = Pick<PublicReportProps, 'siteId' | 'publicUrl'> & { readonly path: string };

function Published({ siteId, path, publicUrl }: PublishedProps): JSX.Element {
  return (
    <>
      <Snippet text={publicUrl + path} label="Address of the public report" />
      <p class="row">
        <a class="btn quiet" href={path}>
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

export function PublishRun({ siteId, number }: { readonly siteId: string; readonly number: number }): JSX.Element {
  return (
    <ActionButton action={addressOf.publish(siteId)} kind="quiet" isTight fields={{ number: String(number) }}>
      Publish this run
    </ActionButton>
  );
}
