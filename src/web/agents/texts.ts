import { DAY_MS } from '../../platform/clock.js';
import { ADDRESSES } from '../server/agent-paths.js';
import { PRODUCT } from '../server/page.js';
import { OPERATOR_PATH, PUBLIC_PAGE_LIST, PUBLIC_PAGES } from '../server/public-pages.js';

/** The format of llmstxt.org: a name, a summary, lists of links. */
export function formatLlmsTxt(publicUrl: string): string {
  const link = (name: string, path: string, description: string): string =>
    `- [${name}](${publicUrl}${path}): ${description}`;
  return `# ${PRODUCT}

> ${PUBLIC_PAGES.home.description}

The pages answer in Markdown to "Accept: text/markdown", and lie as Markdown at their address with ".md" (the home page at /index.md).

## Pages

${PUBLIC_PAGE_LIST.map(({ path, label, description }) => link(label, path, description)).join('\n')}

## For programs

${[
  link('OpenAPI document', ADDRESSES.openApi, 'the HTTP API for account holders (OpenAPI 3.1)'),
  link(
    'MCP server card',
    ADDRESSES.serverCard,
    `tools that scan a site, plan its fixes and prove them, without a key, at ${publicUrl}${ADDRESSES.mcp}`,
  ),
  link('Agent skill', ADDRESSES.skill, 'how an agent makes a site ready with these tools (SKILL.md)'),
  link('API catalog', ADDRESSES.apiCatalog, 'where the API and its documentation are (RFC 9727)'),
].join('\n')}

## Optional

${link('Pages in one file', ADDRESSES.llmsFull, 'the pages above as one Markdown text, except the API reference')}
`;
}

/** Private pages, and pages that cost work: there is nothing for crawlers to find. */
const CLOSED = ['/account', '/keys', '/scan', '/sign-in/', '/sign-up/', '/sites'];

/** Search and answers are welcome; training is left out, as most operators prefer. */
export function formatRobotsTxt(publicUrl: string): string {
  return `User-agent: *
Content-Signal: search=yes, ai-input=yes, ai-train=no
Allow: /
${CLOSED.map((path) => `Disallow: ${path}`).join('\n')}

Sitemap: ${publicUrl}${ADDRESSES.sitemap}
`;
}

export function formatSitemap(publicUrl: string): string {
  const entries = PUBLIC_PAGE_LIST.map(({ path }) => `  <url><loc>${escapeXml(publicUrl + path)}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('\n')}
</urlset>
`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** RFC 9116 §2.5.5 asks for less than a year. */
const LIFE_DAYS = 180;

interface SecurityTxtFacts {
  readonly publicUrl: string;
  readonly contact: string | null;
  readonly now: Date;
}

/** Whom to tell of a vulnerability (RFC 9116). The text changes once a day. */
export function formatSecurityTxt({ publicUrl, contact, now }: SecurityTxtFacts): string {
  const today = Math.floor(now.getTime() / DAY_MS);
  const expires = new Date((today + LIFE_DAYS) * DAY_MS).toISOString().replace('.000', '');
  return `Contact: ${contact ?? publicUrl + OPERATOR_PATH}
Expires: ${expires}
Preferred-Languages: en
Canonical: ${publicUrl}${ADDRESSES.securityTxt}
`;
}
