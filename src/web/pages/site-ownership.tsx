import type { JSX } from 'preact';
import { describeDeadlines, describeMissing } from '../../app/sites/ownership-recheck.js';
import type { OwnershipInstructions, ProofMethod } from '../../app/sites/proof.js';
import { HOSTED, type Platform, PLATFORMS, type Site } from '../../app/sites/site.js';
import { Form } from '../html/form.js';
import { Snippet, Time } from '../html/text.js';
import type { FieldErrors } from '../server/form.js';
import { addressOf } from '../server/site-paths.js';

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

/** The form that sets where a site runs. */
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

/** A way to verify a domain. */
export type Panel = readonly [way: ProofMethod, name: string, content: JSX.Element];

/** Returns the ways that are possible on a platform, the easiest first. */
export function panelsOf({ dns, domain, file, meta }: OwnershipInstructions, platform: Platform | null): Panel[] {
  const panels: Panel[] = [['meta', 'Meta tag', <MetaTag {...meta} platform={platform} />]];
  if (!HOSTED.some((name) => name === platform)) {
    panels.unshift([
      'file',
      'Text file',
      <>
        <p>Publish a text file that contains only this line:</p>
        <Snippet text={file.body} label="text of the file" />
        <p>At this address:</p>
        <Snippet text={file.url} label="address of the file" />
      </>,
    ]);
  }
  if (dns) {
    const words =
      'Add a TXT record where the DNS of the domain is managed. New records can take some minutes to appear.';
    panels.push(['dns', 'DNS record', <TxtRecord {...dns} words={words} label="the TXT record" />]);
  }
  if (domain) {
    const words = `Add a TXT record where the DNS of ${domain.domain} is managed. It verifies every subdomain too. If you remove it, sites verified by it alone lose their verification.`;
    const label = 'the TXT record for the domain';
    panels.push(['domain', `All of ${domain.domain}`, <TxtRecord {...domain} words={words} label={label} />]);
  }
  const easiest = platform === 'WordPress' ? 'meta' : platform === 'Cloudflare' ? 'dns' : null;
  return panels.toSorted(([one], [other]) => Number(other === easiest) - Number(one === easiest));
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

interface TxtRecordProps {
  readonly name: string;
  readonly value: string;
  readonly words: string;
  readonly label: string;
}

function TxtRecord({ name, value, words, label }: TxtRecordProps): JSX.Element {
  return (
    <>
      <p>{words} Its name:</p>
      <Snippet text={name} label={`name of ${label}`} />
      <p>Its value:</p>
      <Snippet text={value} label={`value of ${label}`} />
    </>
  );
}

interface MissingProofNoticeProps {
  readonly site: Site;
  readonly ways: OwnershipInstructions;
  readonly now: Date;
}

/** Notice that the proof of a site is missing, with a record that restores it. */
export function MissingProofNotice({ site, ways, now }: MissingProofNoticeProps): JSX.Element | null {
  const { id, missingProof, verifiedBy } = site;
  if (!missingProof) return null;
  const record = (verifiedBy === 'domain' ? ways.domain : null) ?? ways.dns;
  return (
    <div class="note is-u" role="status">
      <p>
        <b>{describeMissing(missingProof)}.</b> We first missed it <Time at={missingProof.since} now={now} />.{' '}
        {describeDeadlines(missingProof)}
      </p>
      <p>
        {record ? 'Publish this TXT record, or let us read' : 'Let us read'} {ways.file.url}
      </p>
      {record && (
        <>
          <Snippet text={record.name} label="name of the TXT record" />
          <Snippet text={record.value} label="value of the TXT record" />
        </>
      )}
      <p>
        <a href={addressOf.verify(id)}>Check the proof now</a>
      </p>
    </div>
  );
}
