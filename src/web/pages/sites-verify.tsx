import { domainOfSite, domainRecords } from '../../app/sites/proof.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { HostName, PageHeader } from '../html/page-header.js';
import { ActionButton, Group } from '../html/sections.js';
import { Table } from '../html/table.js';
import { Snippet } from '../html/text.js';
import type { AddRoutes, RouteDeps } from '../server/page.js';
import { addressOf } from '../server/paths.js';
import { sendPage, sessionOf } from '../server/routes.js';

/** Shows the TXT record of each domain with unverified sites. */
export const addVerifyManyPage: AddRoutes = (router, deps) => {
  router.get(addressOf.verifyMany, async (ctx) => {
    const unverified = await readUnverified(deps, sessionOf(ctx).account.id);
    sendPage(ctx, {
      title: 'Verify sites',
      header: (
        <PageHeader
          crumbs={[['/sites', 'Sites']]}
          here="Verify"
          title={unverified.count === 0 ? 'No site to verify' : `${countOf(unverified.count, 'site')} to verify`}
        />
      ),
      main: <div class="w over-text">{unverified.count > 0 && <VerifyMany {...unverified} />}</div>,
    });
  });
};

/** Counts the account's unverified sites, and reads the records of their domains, those of the newest site first. */
export async function readUnverified({ sites, db }: Pick<RouteDeps, 'sites' | 'db'>, accountId: string) {
  const unverified = (await sites.list(accountId)).filter(({ verifiedAt }) => verifiedAt === null).reverse();
  const domains = new Set(unverified.flatMap((site) => domainOfSite(site) ?? []));
  return { count: unverified.length, records: await domainRecords(db, accountId, [...domains]) };
}

const RECORDS_MAX = 50;

/** The records, and the button that verifies all unverified sites. */
export function VerifyMany({ records, count }: Awaited<ReturnType<typeof readUnverified>>) {
  const more = records.length - RECORDS_MAX;
  return (
    <Group
      title="DNS records"
      meaning="Add each record to the DNS of its domain, then verify. One record covers all sites of the domain."
    >
      {records.length > 0 && (
        <Table
          kind="stack"
          caption="TXT records"
          groups={[{ rows: records.slice(0, RECORDS_MAX) }]}
          columns={[
            { title: 'Domain', isName: true, cell: ({ domain }) => <HostName name={domain} /> },
            {
              title: 'Name of the TXT record',
              cell: ({ domain, name }) => <Snippet text={name} label={`name of the TXT record of ${domain}`} />,
            },
            {
              title: 'Value',
              cell: ({ domain, value }) => <Snippet text={value} label={`value of the TXT record of ${domain}`} />,
            },
          ]}
        />
      )}
      {more > 0 && <p>And {countOf(more, 'domain')} more: the page of each site has its record.</p>}
      <ActionButton
        action="/sites/bulk?show=unverified"
        fields={{ act: 'verify', all: 'all' }}
        label={count === 1 ? 'Verify the site' : `Verify all ${count} unverified sites`}
      />
    </Group>
  );
}
