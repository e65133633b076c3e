import { TRIED_TOKENS } from '../../scanner/artifacts/agents.js';
import { formatSnippet } from '../../scanner/report/markdown.js';
import {
  SCAN_LIMITS as MAX,
  SCANNER_INFO_PATH,
  SCANNER_TOKEN,
  scannerUserAgent,
} from '../../scanner/artifacts/scanner.js';
import { countOf, formatCount, formatList } from '../../scanner/artifacts/counts.js';
import { type PublicDeps, FREE_SCAN_LIFE, type PageText } from './long-page.js';
import { readFileSync } from 'node:fs';
import { LINK_LIFE_MS } from '../../app/accounts/links.js';
import { SESSION_IDLE_MS, SESSION_LIFE_MS } from '../../app/accounts/sessions.js';
import { DELIVERY_LOG_DAYS } from '../../app/alerts/deliveries.js';
import { EVENT_DAYS } from '../../app/audit/audit.js';
import { KEY_USAGE_MONTHS } from '../../app/keys/access.js';
import { DAY_MS } from '../../platform/clock.js';
import { OPERATOR_PATH, PUBLIC_PAGES } from '../server/paths.js';

export function aboutText({ publicUrl, contact, evidenceDays, version }: PublicDeps): PageText {
  const userAgent = scannerUserAgent(publicUrl + SCANNER_INFO_PATH);
  const noContact = `The operator of this service has published no address. The public record of its domain names one for abuse: look up \`${new URL(publicUrl).hostname}\` at [lookup.icann.org](https://lookup.icann.org/). You can block the scanner yourself, as described above.`;
  return {
    heading: 'About the scanner',
    lead: `It visits a site when someone requests a scan, and makes a few dozen requests, at most ${MAX.requestsMax}.`,
    body: `
## How to recognise it

Every request names the scanner in its User-Agent:

${formatSnippet(userAgent, 'The User-Agent')}

## When it comes

- When someone requests a free scan. The result is cached for ${FREE_SCAN_LIFE}, and repeating a scan is limited for each network and host.
- When an account holder runs a scan of a site that they have verified.
- When an account holder verifies a site: the scanner then reads the home page and one file under \`/.well-known/\`.

It never crawls on its own.

## What it requests

- The home page, robots.txt, llms.txt, the sitemap, the fixed addresses of documents for agents, most of them under \`/.well-known/\`, and a few addresses that do not exist, to see how the site answers for a missing page.
- Up to ${MAX.otherPagesMax} more pages that the home page or the sitemap links to, for which it tries up to ${MAX.otherPagesTriedMax} addresses, and up to ${MAX.markdownPagesMax} pages again as Markdown. A site’s owner may choose up to ${MAX.chosenPagesMax} pages, which are read first: it then tries up to ${MAX.chosenPagesMax + MAX.otherPagesTriedMax} addresses.
- Addresses that the site itself advertises: up to ${MAX.llmsLinksMax} links of llms.txt, ${MAX.sitemapEntriesMax} pages of the sitemap, and ${MAX.sameAsMax} \`sameAs\` links of the home page.
- The MCP, A2A and API endpoints that it names: by GET and, if that is inconclusive, by a POST that asks only what the endpoint is. It calls no tool and sends no message.

It runs no scripts, stores no cookies, submits no forms and never signs in. It discards what it read when the scan ends.${evidenceDays === 0 ? '' : ` For verified sites we keep short excerpts that prove a failure; only the owner sees them, for ${countOf(evidenceDays, 'day')}.`} Findings are written by us and contain nothing from your pages.

## Its limits

| One scan | At most |
| --- | --- |
| Requests | ${MAX.requestsMax}, usually a few dozen |
| Data | ${MAX.wireBytesMax / 1_048_576} MiB |
| Time | ${MAX.runMs / 1000} seconds |
| Redirects in a row | ${MAX.redirectsMax} |
| Requests to other sites | ${MAX.externalRequestsMax}, always under the scanner’s own name |
| Open requests to one IP address per process, counted separately for free scans and for runs | ${MAX.addressRequestsMax} |
| Open requests to this address after a 429 or 503 | ${MAX.slowAddressRequestsMax} |
| Open requests to this address in the first seconds, if robots.txt has a \`Crawl-delay\` | 1 |

| All free scans together | At most |
| --- | --- |
| Requests to the hosts of one registrable domain | ${formatCount(MAX.anonymousToDomainMax)} an hour |
| Requests to one IP address | ${MAX.anonymousPerSecond} a second, after the first ${MAX.anonymousBurst} |

## Other agents’ names

One check tests whether your CDN, firewall or server refuses agents by name:

- It requests the home page as ${formatList(TRIED_TOKENS)}, and the other pages that it reads under two of these names.
- If a name is refused, it tries an invented name, Googlebot, and another agent of the same vendor, to see whether the name is the reason.
- It makes at most ${MAX.namedRequestsMax} such requests, and none to further pages after a 429. The User-Agent also names the scanner.

It does this only for verified sites, never on another domain, and never under a name that robots.txt disallows for the page.

## How to block it

The scanner obeys the robots.txt rules for \`${SCANNER_TOKEN}\` when it chooses further pages:

${formatSnippet(`User-agent: ${SCANNER_TOKEN}\nDisallow: /private/`, 'robots.txt')}

It always requests the home page, the fixed addresses and what the site advertises, because a scan is about these. To block the scanner completely, refuse its User-Agent in your firewall or server. Scans then have no score, and say that the site refused them.

Or ask the operator to exclude your site. Nobody can then scan it or its subdomains here, with or without an account.

## Status

This is version ${version}. [/readyz](/readyz) answers 200 while the service works, and 503 while it does not.

## Contact

${contact === null ? noContact : `Write to the operator of this service at <${contact}>.`}
`,
  };
}

const TEMPLATE = readFileSync(new URL('privacy.md', import.meta.url), 'utf8');

export function privacyText({ evidenceDays }: PublicDeps): PageText {
  const values: Readonly<Record<string, string>> = {
    aboutPath: PUBLIC_PAGES.about.path,
    operatorPath: OPERATOR_PATH,
    deliveryDays: countOf(DELIVERY_LOG_DAYS, 'day'),
    eventDays: countOf(EVENT_DAYS, 'day'),
    evidenceDays: countOf(evidenceDays, 'day'),
    noEvidence: '',
    freeScanHours: FREE_SCAN_LIFE,
    keyUsageMonths: countOf(KEY_USAGE_MONTHS, 'month'),
    linkHours: countOf(LINK_LIFE_MS / 3_600_000, 'hour'),
    sessionDays: countOf(SESSION_LIFE_MS / DAY_MS, 'day'),
    sessionIdleDays: countOf(SESSION_IDLE_MS / DAY_MS, 'day'),
  };
  const leftOut = evidenceDays === 0 ? '{evidenceDays}' : '{noEvidence}';
  const lines = TEMPLATE.split('\n').filter((line) => !line.includes(leftOut));
  const text = lines.join('\n').replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
  const [, lead = '', ...body] = text.trim().split('\n\n');
  return { heading: 'Privacy', lead, body: body.join('\n\n') };
}
