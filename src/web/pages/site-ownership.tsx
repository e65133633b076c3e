import type { JSX } from 'preact';
import { ActionButton, Form } from '../html/form.js';
import { Tabs } from '../html/tabs.js';
import { Snippet, Time } from '../html/text.js';
import type { OwnershipAttempt, OwnershipInstructions, ProofMethod } from '../../app/sites/proof.js';
import { describeDeadlines, describeMissing } from '../../app/sites/ownership-recheck.js';
import { HOSTED, type Platform, PLATFORMS, type Site } from '../../app/sites/site.js';
import type { FieldErrors } from '../server/form.js';
import { addressOf } from '../server/site-paths.js';
import { Mark } from '../html/icons.js';

export const PLATFORM_FIELD = 'platform';

/** Names the page to return to, if it is not the settings. */
export const FROM_FIELD = 'from';
export const FROM_VERIFY = 'verify';

export const PLATFORM_NOTICE = { platform: 'Where the site runs is saved.' };

interface PlatformFormProps {
  readonly site: Pick<Site, 'id' | 'platform'>;
  readonly errors?: FieldErrors | null;
  readonly from?: typeof FROM_VERIFY | '';
}

/** Asks once where a site runs. */
export function PlatformForm({ site: { id, platform }, errors = null, from = '' }: PlatformFormProps): JSX.Element {
  return (
    <Form
      action={addressOf.platform(id)}
      hidden={{ [FROM_FIELD]: from }}
      errors={errors}
      fields={[
        {
          name: PLATFORM_FIELD,
          label: 'Where it runs',
          hint: 'Fixes and ways to verify then show only what applies there.',
          value: platform ?? '',
          options: [['', 'Not set'], ...PLATFORMS.map((name) => [name, name] as const)],
        },
      ]}
      button="Save"
      isQuiet
    />
  );
}

interface OwnershipWaysProps {
  readonly site: Pick<Site, 'id' | 'platform'>;
  readonly ways: OwnershipInstructions;
  /** What the last check saw in each place. */
  readonly attempts?: readonly OwnershipAttempt[];
}

/** The ways to verify a domain. */
export function OwnershipWays({ site, ways, attempts = [] }: OwnershipWaysProps): JSX.Element {
  const panels = panelsOf(ways, site.platform);
  const names = new Map(panels.map(([way, name]) => [way, name]));
  return (
    <>
      <PlatformForm site={site} from={FROM_VERIFY} />
      {attempts.length > 0 ? (
        <Seen attempts={attempts.filter(({ method }) => names.has(method))} names={names} />
      ) : (
        <p>Any one of these is enough. The token isn’t secret.</p>
      )}
      <Tabs label="Way" name="way" panels={panels.map(([, name, panel]) => [name, panel])} />
      {attempts.length === 0 && (
        <p class="more">
          <ActionButton action={addressOf.verify(site.id)} icon="again">
            Check ownership now
          </ActionButton>
        </p>
      )}
    </>
  );
}

type Panel = readonly [way: ProofMethod, name: string, content: JSX.Element];

/** Returns the ways that are possible on a platform, the easiest first. */
function panelsOf(ways: OwnershipInstructions, platform: Platform | null): readonly Panel[] {
  const { dns, domain, file, meta } = ways;
  const isHosted = HOSTED.some((name) => name === platform);
  const panels: readonly Panel[] = [
    ...(isHosted ? [] : [['file', 'Text file', <TextFile {...file} />] as const]),
    ['meta', 'Meta tag', <MetaTag {...meta} platform={platform} />],
    ...(dns ? [['dns', 'DNS record', <DnsRecord {...dns} />] as const] : []),
    ...(domain ? [['domain', `All of ${domain.domain}`, <DomainRecord {...domain} />] as const] : []),
  ];
  const easiest = platform === 'WordPress' ? 'meta' : platform === 'Cloudflare' ? 'dns' : null;
  return panels.toSorted(([one], [other]) => Number(other === easiest) - Number(one === easiest));
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

/** Where shops and site builders take a meta tag. */
const PLACES: readonly (readonly [name: Platform, where: string])[] = [
  ['Shopify', 'Online Store, Themes, Edit code, theme.liquid: right after <head>'],
  ['Wix', 'Settings, Custom Code: in the head of the home page, as type Essential'],
  ['Squarespace', 'Settings, Developer tools, Code Injection: header'],
  ['WordPress', 'a plugin that adds code to the header, such as WPCode'],
];

interface MetaTagProps extends Readonly<OwnershipInstructions['meta']> {
  readonly platform: Platform | null;
}

function MetaTag({ url, tag, platform }: MetaTagProps): JSX.Element {
  const places = PLACES.filter(([name]) => platform === null || name === platform);
  return (
    <>
      <p>
        Put this into the <code>&lt;head&gt;</code> of <code>{url}</code>
      </p>
      <Snippet text={tag} label="meta tag" />
      {places.length > 0 && (
        <ul class="small soft">
          {places.map(([name, where]) => (
            <li key={name}>
              <b>{name}:</b> {where}
            </li>
          ))}
        </ul>
      )}
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
