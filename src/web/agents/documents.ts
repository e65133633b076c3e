import { DAY_MS } from '../../platform/clock.js';
import { ADDRESSES, OPERATOR_PATH, PUBLIC_PAGE_LIST, PUBLIC_PAGES, TYPES } from '../server/paths.js';
import { type AddRoutes, PRODUCT, type RouteDeps } from '../server/page.js';
import { createHash } from 'node:crypto';
import { PROGRAM } from '../../scanner/report/program.js';
import { allPagesText } from '../public/routes.js';
import { sendDocument } from '../server/send-text.js';

/** Formats llms.txt (llmstxt.org): a name, a summary, lists of links. */
function formatLlmsTxt(publicUrl: string): string {
  const link = (name: string, path: string, description: string): string =>
    `- [${name}](${publicUrl}${path}): ${description}`;
  return `# ${PRODUCT}

> ${PUBLIC_PAGES.home.description}

Every page is also available as Markdown: send "Accept: text/markdown", or add ".md" to its path (the home page is /index.md).

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

/** Private pages, and pages that start a scan, which have nothing for crawlers. */
const DISALLOWED = ['/account', '/keys', '/scan', '/sign-in/', '/sign-up/', '/sites'];

/** Allows search and AI answers, but not training, as most operators prefer. */
function formatRobotsTxt(publicUrl: string): string {
  return `User-agent: *
Content-Signal: search=yes, ai-input=yes, ai-train=no
Allow: /
${DISALLOWED.map((path) => `Disallow: ${path}`).join('\n')}

Sitemap: ${publicUrl}${ADDRESSES.sitemap}
`;
}

function formatSitemap(publicUrl: string): string {
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

/** RFC 9116 §2.5.5 recommends less than a year. */
const LIFE_DAYS = 180;

/** Formats security.txt (RFC 9116), which changes once a day. */
export function formatSecurityTxt(publicUrl: string, contact: string | null, now: Date): string {
  const today = Math.floor(now.getTime() / DAY_MS);
  const expires = new Date((today + LIFE_DAYS) * DAY_MS).toISOString().replace('.000', '');
  return `Contact: ${contact ?? publicUrl + OPERATOR_PATH}
Expires: ${expires}
Preferred-Languages: en
Canonical: ${publicUrl}${ADDRESSES.securityTxt}
`;
}

const NAME = 'make-site-agent-ready';
const DESCRIPTION =
  'Makes a web site ready for AI agents: finds what agents stumble over (robots.txt, llms.txt, sitemap, structured data, MCP and other machine endpoints), fixes it in the order that matters, and proves each fix. Use it when someone asks to make a site agent-ready, readable for AI agents, or to raise its agent readiness score.';

/** SKILL.md: how an agent works with this service (agentskills.io, "Specification"). */
export function formatSkill(publicUrl: string): string {
  return `---
name: ${NAME}
description: ${DESCRIPTION}
---

# Make a site ready for AI agents

Work with the MCP server at ${publicUrl}${ADDRESSES.mcp}, which needs no key, or with the command \`${PROGRAM}\` where it is installed.

## Steps

1. **Plan.** Call \`fix_plan\` with the site's url, or run \`${PROGRAM} scan <url> --format agent\`. It lists what fails, in the order in which to fix it: what blocks agents, what is broken, what is missing, what is left to polish. If it says that the site has no score, say why and stop, since nothing could be judged.
2. **Fix one thing at a time.** Find what serves it in the project: a file, a template, or the configuration of the server or CDN. The step says what to do; \`explain_check\` with the step's checkId and errorType returns the whole fix, with snippets and what each is for. Ask before you change who may read the site (robots.txt, firewall rules) or what it says about itself (llms.txt, JSON-LD), and never invent names, prices or addresses.
3. **Prove the fixes together.** Once the changes are live, call \`verify_fix\` once, with the url and all their checkIds, or run \`${PROGRAM} scan <url> --only <checkId>,<checkId>\`. If a check still fails, read its detail: it says what was seen and where. Fix that, and call again with the checks that still fail.
4. **Report.** Say what you changed, what passes now, and what is left for the owner to do.

## Good to know

- Before a file is deployed (llms.txt, robots.txt, a sitemap, a document of .well-known), \`try_fix\` with its path, contentType and body shows which checks would change. It costs one scan and stores nothing. Use it where a wrong file would do harm.
- The limit is ten scans an hour per host and per network. A \`verify_fix\` counts as one, however many checkIds it has. \`fix_plan\` reuses a scan from the past hour, and \`explain_check\` makes none. The \`retryAfterS\` of a refusal is the number of seconds to wait.
- "Could not be determined" is not a failure: the site was slow, down, or refused the scanner. Try again later.
- \`explain_check\` says what a check asks for and why. What each check means is also at ${publicUrl}/checks.
`;
}

/** The index of skills (Agent Skills Discovery 0.2.0). */
function skillIndex(publicUrl: string): object {
  const digest = createHash('sha256').update(formatSkill(publicUrl)).digest('hex');
  return {
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: [
      { name: NAME, type: 'skill-md', description: DESCRIPTION, url: ADDRESSES.skill, digest: `sha256:${digest}` },
    ],
  };
}

/** Serves the documents that agents, crawlers and researchers look for at fixed paths. */
export const addDiscoveryRoutes: AddRoutes = (router, deps) => {
  for (const [path, type, content] of documentsOf(deps)) {
    router.get(path, (ctx) => {
      // RFC 9727 §3 requires it in responses to HEAD.
      if (path === ADDRESSES.apiCatalog) ctx.set('Link', `<${path}>; rel="api-catalog"`);
      const text = content();
      sendDocument(ctx, { type, text, cacheControl: 'public, max-age=300' });
    });
  }
};

type Document = readonly [path: string, type: string, content: () => string];

function documentsOf(deps: RouteDeps): readonly Document[] {
  const { publicUrl, contact, mcpDocuments, clock } = deps;
  const { serverCard, manifest, catalogEntry } = mcpDocuments;
  const json = (path: string, value: object, type: string = TYPES.json): Document => {
    const text = `${JSON.stringify(value, null, 2)}\n`;
    return [path, type, () => text];
  };
  return [
    [ADDRESSES.llms, TYPES.text, () => formatLlmsTxt(publicUrl)],
    [ADDRESSES.llmsFull, TYPES.text, allPagesText(deps)],
    [ADDRESSES.robots, TYPES.text, () => formatRobotsTxt(publicUrl)],
    [ADDRESSES.sitemap, TYPES.xml, () => formatSitemap(publicUrl)],
    [ADDRESSES.securityTxt, TYPES.text, () => formatSecurityTxt(publicUrl, contact, clock.now())],
    [ADDRESSES.skill, TYPES.markdown, () => formatSkill(publicUrl)],
    json(ADDRESSES.skills, skillIndex(publicUrl)),
    json(ADDRESSES.apiCatalog, apiCatalog(publicUrl), TYPES.linkset),
    // A manifest of ARD 0.91.
    json(ADDRESSES.ard, { specVersion: '1.0', host: { displayName: PRODUCT }, entries: [catalogEntry] }),
    json(ADDRESSES.serverCard, serverCard, TYPES.serverCard),
    json(ADDRESSES.serverCardAtEndpoint, serverCard, TYPES.serverCard),
    json(ADDRESSES.mcpManifest, manifest),
  ];
}

/** The API catalog (RFC 9727), a linkset (RFC 9264). */
function apiCatalog(publicUrl: string): object {
  return {
    linkset: [
      {
        anchor: publicUrl + ADDRESSES.api,
        'service-desc': [{ href: publicUrl + ADDRESSES.openApi, type: TYPES.json }],
        'service-doc': [{ href: publicUrl + PUBLIC_PAGES.api.path, type: 'text/html' }],
        status: [{ href: `${publicUrl}/readyz`, type: TYPES.json }],
      },
    ],
  };
}
