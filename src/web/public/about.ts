import { TRIED_TOKENS } from '../../scanner/artifacts/agents/tokens.js';
import { formatSnippet } from '../../scanner/report/markdown.js';
import {
  SCAN_LIMITS as MAX,
  SCANNER_INFO_PATH,
  SCANNER_TOKEN,
  scannerUserAgent,
} from '../../scanner/artifacts/scanner.js';
import { countOf, formatCount, formatList } from '../../scanner/artifacts/counts.js';
import { FREE_SCAN_KEPT, type Facts, type PageText } from './page-text.js';

export function aboutText({ publicUrl, contact, evidenceDays, version }: Facts): PageText {
  const userAgent = scannerUserAgent(publicUrl + SCANNER_INFO_PATH);
  return {
    heading: 'About the scanner',
    lead: `It visits a site when someone requests a scan, makes a few dozen requests, at most ${MAX.requestsMax}, and leaves.`,
    body: `
## How it names itself

Every request names the scanner in its User-Agent:

${formatSnippet(userAgent, 'The User-Agent')}

## When it comes

- When someone requests a free scan. The result is shown for ${FREE_SCAN_KEPT} to everyone who asks for the same host, so free scans visit it no more often than that.
- When an account holder runs a scan of a site that they have verified.
- When they ask for that verification: the scanner then reads the home page and one file under \`/.well-known/\`.

It never crawls on its own.

## What it asks for

- The home page, robots.txt, llms.txt, the sitemap, the fixed addresses of documents for agents, most of them under \`/.well-known/\`, and a few addresses that do not exist, to see how the site answers for a missing page.
- Up to ${MAX.otherPagesMax} more pages that the home page or the sitemap links, for which it tries up to ${MAX.otherPagesTriedMax} addresses, and up to ${MAX.markdownPagesMax} pages once more as Markdown. The owner of a site may choose up to ${MAX.chosenPagesMax} pages instead, which come first: up to ${MAX.chosenPagesMax + MAX.otherPagesTriedMax} addresses then.
- Addresses that the site itself advertises: up to ${MAX.llmsLinksMax} links of llms.txt, ${MAX.sitemapEntriesMax} pages of the sitemap, and ${MAX.sameAsMax} \`sameAs\` links of the home page.
- The MCP, A2A and API endpoints that it names: by GET and, if that is inconclusive, by a POST that asks only what the endpoint is. It calls no tool and sends no message.

It runs no script, keeps no cookie, sends no form and signs in nowhere. What it reads is forgotten when the scan ends${evidenceDays === 0 ? '' : `, but for short excerpts that prove a failure: of verified sites alone, for their owner alone, deleted after ${countOf(evidenceDays, 'day')}`}. Findings are written by us and contain nothing from your pages.

## Its limits

| Of one scan | At most |
| --- | --- |
| Requests | ${MAX.requestsMax}, usually a few dozen |
| Data | ${MAX.wireBytesMax / 1_048_576} MiB |
| Time | ${MAX.runMs / 1000} seconds |
| Redirects in a row | ${MAX.redirectsMax} |
| Requests to other sites | ${MAX.externalRequestsMax}, always under the scanner’s own name |
| Open at a time to one IP address, by the free scans of a process, and as many by its runs for accounts | ${MAX.addressRequestsMax} |
| Open to it after an answer of 429 or 503 | ${MAX.slowAddressRequestsMax} |
| Open to it for the first seconds, where robots.txt has a \`Crawl-delay\` | 1 |

| Of all free scans together | At most |
| --- | --- |
| Requests to the hosts of one registrable domain | ${formatCount(MAX.anonymousToDomainMax)} an hour |
| Requests to one IP address | ${MAX.anonymousPerSecond} a second, after the first ${MAX.anonymousBurst} |

## Other agents’ names

One check tests if your CDN, firewall or server turns agents away by name:

- It asks for the home page as ${formatList(TRIED_TOKENS)}, and for the other pages of its sample under two of these names.
- Where one is refused, it asks again under an invented name, as Googlebot and as another agent of the same vendor, to see if the name is the reason.
- That makes at most ${MAX.namedRequestsMax} requests, and none to a further page after an answer of 429. The scanner’s own name always follows the other.

This is done only for sites that are verified as the account’s own, never on another domain, and never under a name that robots.txt disallows for the page.

## How to keep it out

The scanner reads robots.txt as \`${SCANNER_TOKEN}\`. It reads no further pages that are disallowed there:

${formatSnippet(`User-agent: ${SCANNER_TOKEN}\nDisallow: /private/`, 'robots.txt')}

The home page, the fixed addresses and what the site advertises are requested anyway, because they are what a scan is about. To keep the scanner out entirely, refuse its User-Agent in your firewall or server. A scan then ends without a score, and says that the site refused it.

Or ask the operator below to leave your site out. From then on, no one can scan it or its subdomains here, with or without an account. Links to it from other sites may still be looked up.

## Status

This is version ${version}. [/readyz](/readyz) answers 200 while the service works, and 503 while it does not.

## Contact

${contact === null ? noContact(publicUrl) : `The operator of this service answers at <${contact}>.`}
`,
  };
}

function noContact(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return `The operator of this service has published no address here. The public record of its domain names one for abuse: look up \`${hostname}\` at [lookup.icann.org](https://lookup.icann.org/). You can keep the scanner out without asking: see above.`;
}
