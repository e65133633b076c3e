import { LINK_LIFE_MS } from '../../service/accounts.js';
import { SESSION_IDLE_MS, SESSION_LIFE_MS } from '../../service/sessions.js';
import { headingId } from '../components/prose.js';
import { countOf } from '../format.js';
import { PUBLIC_PAGES } from '../public-pages.js';
import { CONTACT_HEADING } from './about.js';
import { FREE_SCAN_KEPT } from './facts.js';
import type { PageText } from './page-text.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export function privacyText(): PageText {
  return {
    heading: 'Privacy',
    lead: 'The service stores what it needs to do its work. There are no trackers, no advertisements and no third parties.',
    body: `
## Visitors

- No cookie is set before you sign in, and the pages load nothing from anywhere else.
- Network addresses are not stored as such. Where a limit needs one, a digest of it is counted: for free scans by the hour and, with a digest of the e-mail address, for failed sign-ins by the quarter of an hour. Counts that have ended are deleted when later ones begin.

## Free scans

- The host and the result are kept for ${FREE_SCAN_KEPT}, and shown to everybody who asks for the same host in that time. Then nobody sees them any more, and they are deleted, at the latest when the next free scan begins.
- Who asked is not kept.

## Accounts

- Your e-mail address, name and plan, as the operator entered them, for as long as the account exists.
- Your password as a salted scrypt hash. One-time links as digests; they work once and for ${countOf(LINK_LIFE_MS / HOUR_MS, 'hour')}.
- One cookie while you are signed in. The service keeps a digest of it, with the times of its first and last use. It ends after ${countOf(SESSION_IDLE_MS / DAY_MS, 'day')} without use, after ${countOf(SESSION_LIFE_MS / DAY_MS, 'day')} in any case, and when you sign out.
- API keys as digests, with their names, first few characters, times of creation, last use and revocation, and how many requests each made in a month.

## Sites and runs

- Your sites, when and how each was verified, how many runs it had on each day, and every run with its findings. All of it is kept until you remove the site, which deletes it for good.
- The token that proves a host is yours stays with your account, so that the proof still holds if you add the site again.
- Findings hold nothing of the pages that were scanned. What the scanner read is forgotten when the scan ends.

## Logs

The log has a line for each request: a request id, method, kind of address, status and duration, for the API also the ids of account and key. It holds no network address of yours, no password and no key. Sites that the scanner refuses to visit are noted by their host, and faults of the service by their cause. How long logs are kept is the operator's decision.

## Who else gets anything

Nobody. A scan asks the site itself, and where the site names other hosts (\`sameAs\` links, endpoints, sitemaps) also these, under [the scanner's own name](${PUBLIC_PAGES.about.path}).

## Your data

You can remove sites, revoke keys and change your password yourself. For a copy of your data or the deletion of your account, ask [the operator](${PUBLIC_PAGES.about.path}#${headingId(CONTACT_HEADING)}).
`,
  };
}
