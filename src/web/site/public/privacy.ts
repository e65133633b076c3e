import type { KeptData, PrivacySection } from '../../../app/feature.js';
import { countOf } from '../../../platform/counts.js';
import { OPERATOR_PATH, PUBLIC_PAGES } from '../../kit/public-pages.js';
import type { Facts } from './facts.js';
import type { PageText } from './page-text.js';
import { formatTable } from './table-prose.js';

const SECTIONS: readonly PrivacySection[] = ['As a visitor', 'Free scans', 'Your account', 'Sites and runs', 'Alerts'];

export function privacyText({ features, evidenceDays }: Facts): PageText {
  const brought = features.map(({ privacy }) => privacy?.({ evidenceDays }) ?? {});
  const kept = (section: PrivacySection): string => formatKept(brought.flatMap((sections) => sections[section] ?? []));
  return {
    heading: 'Privacy',
    lead: 'What the service stores, why, and for how long.',
    body: `
## In short

- No trackers, no advertisements, no third parties.
- No cookie before you sign in. Pages load nothing from anywhere else.
- ${evidenceDays === 0 ? 'No evidence is kept: a run holds nothing of your pages.' : `Evidence behind failures is deleted after ${countOf(evidenceDays, 'day')}. Nothing else of your pages is kept.`}
- Export your data or delete your account at any time.

## What is kept

Where it says hash, only a fingerprint is stored, not the thing itself.

${SECTIONS.map((section) => `### ${section}\n\n${kept(section)}`).join('\n\n')}

## Logs

A line for each request: its id, method, kind of address, status and duration, for the API also the ids of account and key. No network address, password or key. Sites that the scanner refuses to visit are noted by their host, faults of the service by their cause. The operator decides how long logs are kept.

## Who receives data

Only those you name: alerts go to your webhooks. Alerts by e-mail, links that you ask for, and word of a new password go through the operator’s mail server. A scan asks the site itself, and other hosts that the site names (\`sameAs\` links, endpoints, sitemaps), under [the scanner’s own name](${PUBLIC_PAGES.about.path}).

## Your data

You can remove sites, revoke keys, remove webhooks and change your password yourself. On the page of your account you can also

- export your data, as one file of JSON lines without secrets or hashes: the account, its sites with what you set up for them, keys, webhooks, messages, activity, and each run exactly as it was stored;
- delete the account. It is gone at once, with its sites, runs, keys, webhooks, messages and sessions, and your e-mail address is free for a new one. Erasing a large history takes a while; it is not visible in that time. Backups are the operator’s, and end as the operator decides.

If you cannot sign in, have a link mailed to you where the [sign-in page](/sign-in) offers it, or ask [the operator](${OPERATOR_PATH}).
`,
  };
}

function formatKept(rows: readonly KeptData[]): string {
  return formatTable(
    ['What', 'Why', 'Kept for'],
    rows.map(({ what, why, kept }) => [what, why, kept]),
  );
}
