import { ServiceError } from '../../platform/errors.js';
import { seeOther } from '../../platform/http/answer.js';
import { fieldOf, paramOf, parseNumber, requestedSite, sendPage } from '../server/routes.js';
import type { AddRoutes, WebContext } from '../server/page.js';
import { noIndex, sendDocument, sendReportAsMarkdown } from '../server/send-text.js';
import { addressOf, PUBLIC_PATHS } from '../server/paths.js';
import {
  findBadge,
  findReport,
  type OwnReport,
  type Publication,
  publish,
  withdraw,
} from '../../app/publications/publications.js';
import { drawBadge } from './badge.js';
import { reportPage } from './report-pages.js';
import { ActionButton, AddressFold, Group, LinkButton } from '../html/sections.js';
import { Icon, Snippet } from '../html/text.js';
import { HostName } from '../html/page-header.js';

/** Stops a badge that is opened directly from loading or running anything. */
const BADGE_POLICY = "default-src 'none'; sandbox";

/** Serves published badges and reports to anyone with the address. Lets owners publish and withdraw them. */
export const addPublications: AddRoutes = (router, deps) => {
  const { db } = deps;
  router.get(PUBLIC_PATHS.badge(':token'), async (ctx) => {
    const badge = assertFound(await findBadge(db, paramOf(ctx, 'token')));
    ctx.set('Content-Security-Policy', BADGE_POLICY);
    ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
    sendDocument(ctx, {
      type: 'image/svg+xml; charset=utf-8',
      text: drawBadge(badge),
      // A score in a shared cache may be five minutes old.
      cacheControl: 'public, max-age=300',
    });
  });

  router.get(PUBLIC_PATHS.report(':token'), async (ctx) => {
    const token = paramOf(ctx, 'token');
    const published = assertFound(await findReport(db, token));
    noIndex(ctx);
    sendPage(ctx, reportPage(published, token));
  });

  router.get(PUBLIC_PATHS.reportMarkdown(':token'), async (ctx) => {
    const { report } = assertFound(await findReport(db, paramOf(ctx, 'token')));
    sendReportAsMarkdown(ctx, assertFound(report), 'Published by the owner of the site. Run of');
  });

  router.post(addressOf.publish(':siteId'), async (ctx) => {
    const report = requestedReport(ctx);
    const token = await publish(deps, requestedSite(ctx), report);
    const automation = addressOf.automation(requestedSite(ctx).siteId);
    // The page of a run does not show its report's address, so this opens the report.
    seeOther(ctx, report.number === null ? `${automation}?notice=report-on#sharing` : PUBLIC_PATHS.report(token));
  });

  router.post(addressOf.withdraw(':siteId'), async (ctx) => {
    await withdraw(deps, requestedSite(ctx), requestedReport(ctx));
    seeOther(ctx, `${addressOf.automation(requestedSite(ctx).siteId)}?notice=report-off#sharing`);
  });
};

/** @throws ServiceError run_not_found */
function requestedReport(ctx: WebContext): Publication {
  const text = fieldOf(ctx, 'number');
  const number = text === '' ? null : parseNumber(text);
  if (number === null && text !== '') throw new ServiceError('run_not_found');
  return { kind: 'report', number };
}

function assertFound<T>(value: T | null): T {
  if (value === null) throw new ServiceError('not_found');
  return value;
}

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

export function PublicReport({ siteId, hostname, isVerified, reports, publicUrl }: PublicReportProps) {
  const path = publicReportPath(reports);
  const runReports = reports.filter(({ number }) => number !== null);
  return (
    <Group title="Public report" meaning={path ? 'anyone with the link may read it' : 'not published'} id="sharing">
      <p>
        The score and what every check found, on a page published in your name. It contains no evidence and no text from
        your pages. It disappears when you turn it off, remove the site or lose its verification.
      </p>
      {path !== null && <Published siteId={siteId} path={path} publicUrl={publicUrl} />}
      {path === null && isVerified && (
        <ActionButton action={addressOf.publish(siteId)} kind="quiet" label="Publish the latest report" />
      )}
      {path === null && !isVerified && (
        <p>
          <a href={addressOf.verify(siteId)}>
            Verify <HostName name={hostname} />
          </a>{' '}
          first: a report says that its owner published it.
        </p>
      )}
      {runReports.length > 0 && (
        <ul class="items">
          {runReports.map(({ number, token }) => (
            <li key={token}>
              <Icon name="link" />
              <a href={PUBLIC_PATHS.report(token)}>Public report of run {number}</a>
              <ActionButton
                action={addressOf.withdraw(siteId)}
                kind="quiet"
                isTight
                spoken={`Turn it off, run ${number}`}
                fields={{ number: String(number) }}
                label="Turn it off"
              />
            </li>
          ))}
        </ul>
      )}
    </Group>
  );
}

type PublishedProps = Pick<PublicReportProps, 'siteId' | 'publicUrl'> & { readonly path: string };

function Published({ siteId, path, publicUrl }: PublishedProps) {
  return (
    <>
      <Snippet text={publicUrl + path} label="Address of the public report" />
      <p class="row">
        <LinkButton kind="quiet" href={path} label="Open report" />
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

export function PublishRun({ siteId, number }: { readonly siteId: string; readonly number: number }) {
  return (
    <ActionButton
      action={addressOf.publish(siteId)}
      kind="quiet"
      isTight
      fields={{ number: String(number) }}
      label="Publish this run"
    />
  );
}
