import type { PrivacySection } from '../../../app/feature.js';
import { headingId } from '../../kit/components/prose.js';
import { PUBLIC_PAGES } from '../../kit/public-pages.js';
import { CONTACT_HEADING } from './about.js';
import type { Facts } from './facts.js';
import type { PageText } from './page-text.js';

export function privacyText({ features, evidenceDays }: Facts): PageText {
  const brought = features.map(({ privacy }) => privacy?.({ evidenceDays }) ?? {});
  const said = (section: PrivacySection): string =>
    brought.flatMap((sections) => sections[section]?.map((sentence) => `- ${sentence}`) ?? []).join('\n');
  return {
    heading: 'Privacy',
    lead: 'The service stores what it needs to do its work. There are no trackers, no advertisements and no third parties.',
    body: `
## Visitors

- No cookie is set before you sign in, and the pages load nothing from anywhere else.
${said('Visitors')}

## Free scans

${said('Free scans')}

## Accounts

${said('Accounts')}

## Sites and runs

${said('Sites and runs')}

## Alerts

${said('Alerts')}

## Logs

The log has a line for each request: a request id, method, kind of address, status and duration, for the API also the ids of account and key. It contains no network address, password or key. Sites that the scanner refuses to visit are noted by their host, and faults of the service by their cause. How long logs are kept is the operator's decision.

## Who receives data

Only those you name: alerts go to your webhooks, and by e-mail through the operator's mail server. A scan asks the site itself, and where the site names other hosts (\`sameAs\` links, endpoints, sitemaps) also these, under [the scanner's own name](${PUBLIC_PAGES.about.path}).

## Your data

You can remove sites, revoke keys, remove webhooks and change your password yourself. On the page of your account you can also

- export your data: the account, its sites with what you set up for them, keys, webhooks, messages, its activity, and each run exactly as it was stored, in one file of JSON lines without secrets or digests;
- delete the account: it is gone at once, with its sites, runs, keys, webhooks, messages and sessions, and your e-mail address is free for a new one. Erasing a large history takes a while; it is not visible in that time. Backups are the operator's, and end as the operator decides.

If you cannot sign in, ask [the operator](${PUBLIC_PAGES.about.path}#${headingId(CONTACT_HEADING)}).
`,
  };
}
