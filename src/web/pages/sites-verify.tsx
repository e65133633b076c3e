import { domainOfSite, domainRecords } from '../../app/sites/proof.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { HostName, PageHeader } from '../html/page-header.js';
import { ActionButton, Group, LinkButton } from '../html/sections.js';
import { Table } from '../html/table.js';
import { Snippet } from '../html/text.js';
import type { AddRoutes, RouteDeps } from '../server/page.js';
import { addressOf } from '../server/paths.js';
import { sendPage, sessionOf } from '../server/routes.js';
import { BY_NAME } from './sites-view.js';

/** Shows the TXT record of each domain with unverified sites. */
export const addVerifyManyPage: AddRoutes = (router, deps) => {
  router.get(addressOf.verifyMany, async (ctx) => {
    const unverified = await readDnsRecords(deps, sessionOf(ctx).account.id);
    const { siteCount } = unverified;
    sendPage(ctx, {
      title: 'Verify sites',
      header: (
        <PageHeader
          crumbs={[['/sites', 'Sites']]}
          here="Verify"
          title={siteCount === 0 ? 'No sites to verify' : `${countOf(siteCount, 'site')} to verify`}
        />
      ),
      main: (
        <div class="w over-text">
          {siteCount > 0 ? (
            <VerifyMany {...unverified} />
          ) : (
            <LinkButton kind="quiet" href="/sites" label="Back to the sites" />
          )}
        </div>
      ),
    });
  });
};

/** Reads a TXT record for each domain with unverified sites, the newest site's first, and counts these sites. */
export async function readDnsRecords({ sites, db }: Pick<RouteDeps, 'sites' | 'db'>, accountId: string) {
  const unverified = (await sites.list(accountId)).filter(({ verifiedAt }) => verifiedAt === null).reverse();
  const byDomain = Map.groupBy(unverified, domainOfSite);
  const domains = [...byDomain.keys()].filter((domain) => domain !== null);
  const records = await domainRecords(db, accountId, domains);
  return {
    siteCount: unverified.length,
    records: records.map((record) => ({ ...record, sites: byDomain.get(record.domain)?.length ?? 0 })),
  };
}

const RECORDS_MAX = 50;

/** The records, and the button that verifies all unverified sites. */
export function VerifyMany({ records, siteCount }: Awaited<ReturnType<typeof readDnsRecords>>) {
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
          groups={[{ rows: records.slice(0, RECORDS_MAX).sort((a, b) => BY_NAME.compare(a.domain, b.domain)) }]}
          columns={[
            { title: 'Domain', isName: true, cell: ({ domain }) => <HostName name={domain} /> },
            { title: 'Sites', cell: ({ sites }) => sites },
            {
              title: 'Name',
              cell: ({ domain, name }) => <Snippet text={name} label={`name of the TXT record of ${domain}`} />,
            },
            {
              title: 'Value',
              cell: ({ domain, value }) => <Snippet text={value} label={`value of the TXT record of ${domain}`} />,
            },
          ]}
        />
      )}
      {more > 0 && <p>Not listed: {countOf(more, 'more domain')}. Each site’s page has its record.</p>}
      <ActionButton
        action="/sites/bulk?show=unverified"
        fields={{ act: 'verify', all: 'all' }}
        label={siteCount === 1 ? 'Verify the site' : `Verify all ${siteCount} unverified sites`}
      />
    </Group>
  );
}
