import type { ComponentChildren, JSX } from 'preact';
import { describeDeadlines, describeMissing } from '../../app/sites/ownership-recheck.js';
import type { OwnershipInstructions, ProofMethod } from '../../app/sites/proof.js';
import { HOSTED, type Platform, PLATFORMS, type Site } from '../../app/sites/site.js';
import { Form } from '../html/form.js';
import { Callout, Time } from '../html/text.js';
import type { FieldErrors } from '../server/form.js';
import { addressOf } from '../server/paths.js';

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

/** A way to verify a domain: what to publish. */
export interface Way {
  readonly method: ProofMethod;
  readonly name: string;
  readonly words: ComponentChildren;
  /** Each with what it is. */
  readonly texts: readonly (readonly [what: string, text: string])[];
}

/** Returns the ways that are possible on a platform, the easiest first. */
export function waysToVerify({ dns, domain, file, meta }: OwnershipInstructions, platform: Platform | null): Way[] {
  const isHosted = HOSTED.some((name) => name === platform);
  const ways: readonly (Way | false | null)[] = [
    !isHosted && {
      method: 'file',
      name: 'Text file',
      words: 'Publish a text file that contains only this line, at this address:',
      texts: [
        ['text of the file', file.body],
        ['address of the file', file.url],
      ],
    },
    {
      method: 'meta',
      name: 'Meta tag',
      words: <MetaTagWords url={meta.url} platform={platform} />,
      texts: [['meta tag', meta.tag]],
    },
    dns && {
      method: 'dns',
      name: 'DNS record',
      words:
        'Add a TXT record where the DNS of the domain is managed. New records can take some minutes to appear. Its name, and its value:',
      texts: [
        ['name of the TXT record', dns.name],
        ['value of the TXT record', dns.value],
      ],
    },
    domain && {
      method: 'domain',
      name: `All of ${domain.domain}`,
      words: `Add a TXT record where the DNS of ${domain.domain} is managed. It verifies every subdomain too. If you remove it, sites verified by it alone lose their verification. Its name, and its value:`,
      texts: [
        ['name of the TXT record for the domain', domain.name],
        ['value of the TXT record for the domain', domain.value],
      ],
    },
  ];
  const easiest = platform === 'WordPress' ? 'meta' : platform === 'Cloudflare' ? 'dns' : null;
  return ways
    .filter((way) => way !== false && way !== null)
    .toSorted((one, other) => Number(other.method === easiest) - Number(one.method === easiest));
}

/** Where shops and site builders take a meta tag. */
const PLACES: readonly (readonly [name: Platform, where: string])[] = [
  ['Shopify', 'Online Store, Themes, Edit code, theme.liquid: right after <head>'],
  ['Wix', 'Settings, Custom Code: in the head of the home page, as type Essential'],
  ['Squarespace', 'Settings, Developer tools, Code Injection: header'],
  ['WordPress', 'a plugin that adds code to the header, such as WPCode'],
];

function MetaTagWords({ url, platform }: { readonly url: string; readonly platform: Platform | null }): JSX.Element {
  const places = PLACES.filter(([name]) => platform === null || name === platform);
  return (
    <>
      Put this into the <code>&lt;head&gt;</code> of <code>{url}</code>
      {places.map(([name, where]) => (
        <span key={name} class="small soft">
          <br />
          <b>{name}:</b> {where}
        </span>
      ))}
    </>
  );
}

/** Says that the proof of a site is missing, and until when it has to be back. */
export function MissingProofNotice({ site, now }: { readonly site: Site; readonly now: Date }): JSX.Element | null {
  const { id, missingProof } = site;
  if (!missingProof) return null;
  return (
    <Callout result="UNDETERMINED" role="status">
      <b>{describeMissing(missingProof)}.</b> We first missed it <Time at={missingProof.since} now={now} />.{' '}
      {describeDeadlines(missingProof)} <a href={addressOf.verify(id)}>See what to publish, and check it</a>
    </Callout>
  );
}
