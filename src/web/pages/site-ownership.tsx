import type { JSX } from 'preact';
import { ActionButton } from '../html/form.js';
import { Tabs } from '../html/tabs.js';
import { Snippet, Time } from '../html/text.js';
import type { OwnershipAttempt, OwnershipInstructions, ProofMethod } from '../../app/sites/proof.js';
import { describeDeadlines, describeMissing } from '../../app/sites/ownership-recheck.js';
import type { Site } from '../../app/sites/site.js';
import { addressOf } from '../server/site-paths.js';
import { Mark } from '../html/icons.js';

interface OwnershipWaysProps {
  readonly siteId: string;
  readonly ways: OwnershipInstructions;
  /** What the last check saw in each place. */
  readonly attempts?: readonly OwnershipAttempt[];
}

/** The ways to verify a domain. */
export function OwnershipWays({ siteId, ways, attempts = [] }: OwnershipWaysProps): JSX.Element {
  const panels = panelsOf(ways);
  return (
    <>
      {attempts.length > 0 ? (
        <Seen attempts={attempts} names={new Map(panels.map(([way, name]) => [way, name]))} />
      ) : (
        <p>Any one of these is enough. The token isn’t secret.</p>
      )}
      <Tabs label="Way" name="way" panels={panels.map(([, name, panel]) => [name, panel])} />
      {attempts.length === 0 && (
        <p class="more">
          <ActionButton action={addressOf.verify(siteId)} icon="again">
            Check ownership now
          </ActionButton>
        </p>
      )}
    </>
  );
}

type Panel = readonly [way: ProofMethod, name: string, content: JSX.Element];

function panelsOf({ dns, domain, file, meta }: OwnershipInstructions): readonly Panel[] {
  const always: readonly Panel[] = [
    ['file', 'Text file', <TextFile {...file} />],
    ['meta', 'Meta tag', <MetaTag {...meta} />],
  ];
  return [
    ...always,
    ...(dns ? [['dns', 'DNS record', <DnsRecord {...dns} />] as const] : []),
    ...(domain ? [['domain', `All of ${domain.domain}`, <DomainRecord {...domain} />] as const] : []),
  ];
}

function TextFile({ body, url }: OwnershipInstructions['file']): JSX.Element {
  return (
    <>
      <p>Publish a text file that contains only this line:</p>
      <Snippet text={body} label="text of the file" />
      <p>At this address:</p>
      <Snippet text={url} label="address of the file" />
    </>
  );
}

function MetaTag({ url, tag }: OwnershipInstructions['meta']): JSX.Element {
  return (
    <>
      <p>
        Put this into the <code>&lt;head&gt;</code> of <code>{url}</code>
      </p>
      <Snippet text={tag} label="meta tag" />
      <HostedSites />
    </>
  );
}

function DnsRecord(record: NonNullable<OwnershipInstructions['dns']>): JSX.Element {
  return (
    <>
      <p>Add a TXT record where the DNS of the domain is managed. New records can take some minutes to appear.</p>
      <TxtRecord {...record} label="the TXT record" />
    </>
  );
}

function DomainRecord({ domain, ...record }: NonNullable<OwnershipInstructions['domain']>): JSX.Element {
  return (
    <>
      <p>
        This record covers every subdomain of {domain}. Remove it, and sites verified only by it lose their
        verification.
      </p>
      <TxtRecord {...record} label="the TXT record for the domain" />
    </>
  );
}

interface TxtRecordProps {
  readonly name: string;
  readonly value: string;
  readonly label: string;
}

function TxtRecord({ name, value, label }: TxtRecordProps): JSX.Element {
  return (
    <>
      <p>Name</p>
      <Snippet text={name} label={`name of ${label}`} />
      <p>Value</p>
      <Snippet text={value} label={`value of ${label}`} />
    </>
  );
}

/** Where hosted shops and site builders take a meta tag. */
const HOSTED: readonly (readonly [name: string, where: string])[] = [
  ['Shopify', 'Online Store, Themes, Edit code, theme.liquid: right after <head>'],
  ['Wix', 'Settings, Custom code: in the head of the home page'],
  ['Squarespace', 'Settings, Developer tools, Code injection: header'],
  ['WordPress', 'a plugin that adds code to the header, such as WPCode'],
];

function HostedSites(): JSX.Element {
  return (
    <ul class="small soft">
      {HOSTED.map(([name, where]) => (
        <li key={name}>
          <b>{name}:</b> {where}
        </li>
      ))}
    </ul>
  );
}

interface SeenProps {
  readonly attempts: readonly OwnershipAttempt[];
  readonly names: ReadonlyMap<ProofMethod, string>;
}

/** What the last check found instead of the proof. */
function Seen({ attempts, names }: SeenProps): JSX.Element {
  return (
    <ul class="items">
      {attempts.map(({ method, seen }) => (
        <li key={method}>
          <Mark result="FAIL" isDecorative />
          <span>
            <b>{names.get(method)}:</b> {seen}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface MissingProofNoticeProps {
  readonly site: Site;
  readonly ways: OwnershipInstructions;
  readonly now: Date;
}

/** Notice that the proof of a site is missing, with instructions. */
export function MissingProofNotice({ site, ways, now }: MissingProofNoticeProps): JSX.Element | null {
  const { id, missingProof } = site;
  if (!missingProof) return null;
  const { file } = ways;
  const record = site.verifiedBy === 'domain' ? ways.domain : null;
  const dns = record ?? ways.dns;
  return (
    <div class="note is-u" role="status">
      <p>
        <b>{describeMissing(missingProof)}.</b> We first missed it <Time at={missingProof.since} now={now} />.{' '}
        {describeDeadlines(missingProof)}
      </p>
      {dns ? (
        <>
          <p>
            {record
              ? `Publish this TXT record again, which verified your sites of ${record.domain}:`
              : `Publish this TXT record, which no firewall hides, or let us read ${file.url}:`}
          </p>
          <Snippet text={dns.name} label="name of the TXT record" />
          <Snippet text={dns.value} label="value of the TXT record" />
        </>
      ) : (
        <p>Let us read {file.url}.</p>
      )}
      <p>
        <a href={addressOf.verify(id)}>Check the proof now</a>
      </p>
    </div>
  );
}
