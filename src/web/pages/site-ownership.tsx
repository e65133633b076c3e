import type { ComponentChildren } from 'preact';
import type { OwnershipInstructions, ProofMethod } from '../../app/sites/proof.js';
import type { Site } from '../../app/sites/site.js';
import { HOSTED, type Platform } from '../../scanner/verdict/fix-parts.js';
import { Form } from '../html/form.js';
import { platformField } from '../html/platform-fix.js';
import type { FieldErrors } from '../server/page.js';
import { addressOf } from '../server/paths.js';

export const PLATFORM_NOTICE = { platform: 'Platform saved.' };

interface PlatformFormProps {
  readonly site: Pick<Site, 'id' | 'platform'>;
  readonly errors?: FieldErrors | null;
}

export function PlatformForm({ site: { id, platform }, errors = null }: PlatformFormProps) {
  return (
    <Form
      action={addressOf.platform(id)}
      errors={errors}
      fields={[{ ...platformField(platform), hint: 'We then show only the fixes and proofs that work there.' }]}
      button="Save"
      isQuiet
    />
  );
}

/** A proof of ownership that the owner can publish. */
export interface ProofOption {
  readonly method: ProofMethod;
  readonly name: string;
  readonly instructions: ComponentChildren;
  /** Texts to copy. */
  readonly texts: readonly (readonly [label: string, text: string])[];
}

/** Returns the proofs that a platform supports, easiest first. */
export function listProofOptions(
  { dns, domain, file, meta }: OwnershipInstructions,
  platform: Platform | null,
): ProofOption[] {
  const isHosted = HOSTED.some((name) => name === platform);
  const options: readonly (ProofOption | false | null)[] = [
    !isHosted && {
      method: 'file',
      name: 'Text file',
      instructions: 'Publish a text file that contains only one line. Address and line:',
      texts: [
        ['address of the file', file.url],
        ['text of the file', file.body],
      ],
    },
    {
      method: 'meta',
      name: 'Meta tag',
      instructions: <MetaTagInstructions url={meta.url} platform={platform} />,
      texts: [['meta tag', meta.tag]],
    },
    dns && {
      method: 'dns',
      name: 'DNS record',
      instructions:
        'Add a TXT record where the DNS of the domain is managed. New records can take some minutes to appear. Name and value:',
      texts: [
        ['name of the TXT record', dns.name],
        ['value of the TXT record', dns.value],
      ],
    },
    domain && {
      method: 'domain',
      name: `All of ${domain.domain}`,
      instructions: `Add a TXT record where the DNS of ${domain.domain} is managed. It verifies every subdomain too. If you remove it, sites verified by it alone lose their verification. Name and value:`,
      texts: [
        ['name of the TXT record for the domain', domain.name],
        ['value of the TXT record for the domain', domain.value],
      ],
    },
  ];
  const easiest = platform === 'WordPress' ? 'meta' : platform === 'Cloudflare' ? 'dns' : null;
  return options
    .filter((option) => option !== false && option !== null)
    .toSorted((one, other) => Number(other.method === easiest) - Number(one.method === easiest));
}

/** Where each platform accepts a meta tag. */
const META_TAG_SETTINGS: readonly (readonly [name: Platform, path: string])[] = [
  ['Shopify', 'Online Store, Themes, Edit code, theme.liquid: right after <head>'],
  ['Wix', 'Settings, Custom Code: in the head of the home page, as type Essential'],
  ['Squarespace', 'Settings, Developer tools, Code Injection: header'],
  ['WordPress', 'a plugin that adds code to the header, such as WPCode'],
];

function MetaTagInstructions({ url, platform }: { readonly url: string; readonly platform: Platform | null }) {
  const settings = META_TAG_SETTINGS.filter(([name]) => platform === null || name === platform);
  return (
    <>
      Add this to the <code>&lt;head&gt;</code> of <code>{url}</code>
      {settings.map(([name, path]) => (
        <span key={name} class="small soft">
          <br />
          <b>{name}:</b> {path}
        </span>
      ))}
    </>
  );
}
