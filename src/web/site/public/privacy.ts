import { LINK_LIFE_MS } from '../../../app/accounts/accounts.js';
import { SESSION_IDLE_MS } from '../../../app/accounts/session-statements.js';
import { SESSION_LIFE_MS } from '../../../app/accounts/sessions.js';
import { DEVICE_KNOWN_MS } from '../../../app/accounts/device-statements.js';
import { DELIVERIES_KEPT_DAYS } from '../../../app/alerts/delivery-statements.js';
import { EVENTS_KEPT_DAYS } from '../../../app/audit/events-kept.js';
import { KEY_USAGE_KEPT_MONTHS } from '../../../app/keys/key-usage-statements.js';
import { headingId } from '../../kit/components/prose.js';
import { countOf } from '../../../platform/counts.js';
import { PUBLIC_PAGES } from '../../kit/public-pages.js';
import { CONTACT_HEADING } from './about.js';
import { type Facts, FREE_SCAN_KEPT } from './facts.js';
import type { PageText } from './page-text.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export function privacyText({ evidenceDays }: Facts): PageText {
  return {
    heading: 'Privacy',
    lead: 'The service stores what it needs to do its work. There are no trackers, no advertisements and no third parties.',
    body: `
## Visitors

- No cookie is set before you sign in, and the pages load nothing from anywhere else.
- IP addresses of visitors are not stored, except with a wrong password for an account (see below). Where a limit needs one, only its digest is counted: for free scans by the hour, that of its network (/24, or /32, /48 and /56) too, and, with a digest of the e-mail address, the account or the browser, for wrong passwords by the quarter of an hour. Counts that have ended are deleted within hours.

## Free scans

- The host and the result are kept for ${FREE_SCAN_KEPT}, and shown to anyone who asks for the same host in that time. They are deleted within hours after that.
- Of who asked first, a digest of the network address together with the host is kept as long as the result, so that the same address may repeat the scan after a minute. Nothing else of who asked is kept.

## Accounts

- Your e-mail address, name and plan, as the operator entered them, for as long as the account exists.
- Your password as a salted scrypt hash. One-time links as digests; they work once and for ${countOf(LINK_LIFE_MS / HOUR_MS, 'hour')}.
- One cookie while you are signed in. The service keeps a digest of it, with the times of its first and last use and the IP address that it began at. It ends after ${countOf(SESSION_IDLE_MS / DAY_MS, 'day')} without use, after ${countOf(SESSION_LIFE_MS / DAY_MS, 'day')} in any case, and when you sign out.
- A second cookie, by which this browser is known to have signed in, so that the wrong passwords of strangers do not keep you out. The service keeps a digest of it, with the time of your last sign-in. It ends ${countOf(DEVICE_KNOWN_MS / DAY_MS, 'day')} after that, and when you sign out everywhere or set a new password.
- What was done to the account, for ${countOf(EVENTS_KEPT_DAYS, 'day')}: sign-ins, wrong passwords, and changes of plan, password, keys, sites, accepted failures, deploy hooks and webhooks, each with its time, who did it, and the IP address that it came from. Only you and the operator can see it.
- API keys as digests, with their names, first few characters, times of creation, last use, revocation and expiry. How many requests each made in a month is kept for ${countOf(KEY_USAGE_KEPT_MONTHS, 'month')}. Values of Idempotency-Key are kept as digests for a day.

## Sites and runs

- Your sites, when and how each was verified or no longer was, and every run with its findings. All of it is kept until you remove the site, which deletes it for good; only your activity still names its host. How many runs a site had on a day is kept until the second day after, also when the site is removed.
- What you set up for a site: its schedule, its deploy hook as a digest with the times of creation and last use, the address of its badge, the failures that you accept with your reasons, and how checks came out that you made again. Anyone who has a badge's address sees the latest score and nothing else.
- What was last known of a site, so that only a change makes an alert.
- Where the proof that a host is yours is not found: since when, and on how many days. By the day, how many proofs were looked for, and digests of two domains whose proof was found.
- The token that proves a host is yours stays with your account, so that the proof still holds if you add the site again.
- Findings hold nothing of the pages that were scanned.${describeEvidence(evidenceDays)} What else the scanner read is forgotten when the scan ends.

## Alerts

- Since when alerts go to your e-mail address, if you turned them on.
- The addresses of your webhooks, each with its secret, which signs every message and is therefore stored as it is.
- The messages that were sent or are still to be sent, with the result of each: of the receiver's answer only the status is kept, and a sentence that we write. They are deleted after ${countOf(DELIVERIES_KEPT_DAYS, 'day')}, and with the webhook or the site.

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

function describeEvidence(days: number): string {
  if (days === 0) return '';
  return ` Beside each run of a verified site stands what its failures rest on, for you alone: the requests with their status and time, header fields of a fixed list, digests of the bodies, and short excerpts with what looks like a secret masked. It holds no cookies and nothing of other hosts or private networks. It is deleted after ${countOf(days, 'day')}, with the site, and when the site is no longer verified.`;
}
