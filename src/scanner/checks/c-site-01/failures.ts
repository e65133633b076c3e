import type { Failures } from '../../verdict/failure.js';
import { openFile } from '../fixes/servers/open-file.js';
import { serveFile } from '../fixes/servers/serve-file.js';
import { SITEMAP, SITEMAP_LINE } from '../fixes/snippets.js';

const SERVED = serveFile('/sitemap.xml', 'application/xml');

const NAMED = `If the sitemap is elsewhere by now, correct its line in robots.txt:

${SITEMAP_LINE}`;

export const cSite01Failures = {
  BLOCKED: {
    severity: 'SHUT_OUT',
    headline: 'The sitemap is refused',
    fix: `Let everybody fetch the sitemap that robots.txt names: take it out of the login, firewall or bot rule that refuses it.

${NAMED}

${openFile('/sitemap.xml')}`,
    onFixed: { unknown: ['sitemapEntries'] },
  },
  UNREACHABLE: {
    severity: 'BROKEN',
    headline: 'The sitemap fails with a server error or a broken connection',
    fix: `Make the sitemap that robots.txt names answer with status 200: write it to a file whenever your pages change, and let the web server send that file.

${NAMED}

${SERVED}`,
    onFixed: { unknown: ['sitemapEntries'] },
  },
  TIMEOUT: {
    severity: 'BROKEN',
    headline: 'The sitemap gives no answer in time',
    fix: `Write the sitemap to a file whenever your pages change, and let the web server send that file, in place of putting it together at each request.

${NAMED}

${SERVED}`,
    onFixed: { unknown: ['sitemapEntries'] },
  },
  MISSING: {
    severity: 'MISSING',
    headline: 'There is no sitemap that agents can find',
    fix: `Publish a sitemap with the addresses of your pages at /sitemap.xml, and name it in robots.txt by its full address.

Most shop and content systems, and most site generators, can write it for you:

${SITEMAP}

The line in robots.txt:

${SITEMAP_LINE}

In WordPress:

WordPress writes a sitemap at /wp-sitemap.xml and names it in the robots.txt that it makes. If you have a robots.txt of your own, add this line to it:

Sitemap: https://www.example.com/wp-sitemap.xml`,
    onFixed: { asFixed: ['sitemapEntries'] },
  },
  WRONG_MIME: {
    severity: 'BROKEN',
    headline: 'The sitemap answers with an HTML page',
    fix: `Let the address of the sitemap send the XML file itself, before your application answers with a page; or correct the address that robots.txt names.

${NAMED}

${SERVED}`,
    onFixed: { unknown: ['sitemapEntries'] },
  },
  FORMAT: {
    severity: 'BROKEN',
    headline: 'The sitemap cannot be read',
    fix: `Correct the sitemap at the place that the finding names: it must be whole, well-formed XML with "urlset" or "sitemapindex" as its root element.

${SITEMAP}

- It begins with "<?xml", without an empty line before it, and is saved in UTF-8.
- In addresses, & is written &amp;.
- It ends with the closing tag of its root, and needs no DOCTYPE.
- If it is compressed, the gzip file is whole: unpack it once to see.`,
    onFixed: { unknown: ['sitemapEntries'] },
  },
} as const satisfies Failures;
