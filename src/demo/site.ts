import {
  agentCard,
  aiCatalog,
  apiCatalog,
  llmsTxt,
  mcpServerCard,
  openApi,
  robotsTxt,
  sitemapXml,
} from './machine-documents.js';
import { OPENING_HOURS, PAGES } from './pages.js';
import { renderHtml, renderMarkdown } from './render.js';

/** What one path of the demonstration site answers to GET. */
export interface DemoResource {
  readonly type: string;
  readonly body: string;
  /** Besides Content-Type. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The same in Markdown, for those who prefer it. */
  readonly markdown?: string;
}

const HTML = 'text/html; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';
const JSON_TYPE = 'application/json';

const STYLE = `:root { color-scheme: light dark; }
body { font: 1.1rem/1.6 Georgia, serif; max-width: 40rem; margin: 0 auto; padding: 1rem; background: Canvas; color: CanvasText; }
header { display: flex; gap: 1rem; align-items: center; }
nav a { margin-right: 0.8rem; }
h1, h2 { line-height: 1.2; }
.summary { font-style: italic; }
footer { margin-top: 3rem; border-top: 1px solid; font-size: 0.9rem; }
`;

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><ellipse cx="20" cy="23" rx="17" ry="12" fill="#b5713a"/><path d="M9 19l5 7M17 16l5 8M25 16l5 8" stroke="#f6e3c5" stroke-width="2.5" stroke-linecap="round"/></svg>
`;

/** How the home page leads agents to the documents that are for them (RFC 8288). */
const LINKS = [
  '</llms.txt>; rel="describedby"; type="text/plain"',
  '</.well-known/api-catalog>; rel="api-catalog"',
  '</openapi.json>; rel="service-desc"; type="application/json"',
  '</.well-known/ai-catalog.json>; rel="ai-catalog"',
].join(', ');

/**
 * The demonstration site: a small site that is ready for agents in every respect that the checks look at, as pure content.
 * @param origin where it is served, such as `http://127.0.0.1:8788`, since many of its documents name their own addresses
 */
export function demoSite(origin: string): ReadonlyMap<string, DemoResource> {
  const json = (value: object, type = JSON_TYPE): DemoResource => ({
    type,
    body: `${JSON.stringify(value, null, 2)}\n`,
  });
  const pages = PAGES.map((page): [string, DemoResource] => [
    page.path,
    {
      type: HTML,
      body: renderHtml(page, origin),
      markdown: renderMarkdown(page),
      headers: { vary: 'Accept', ...(page.path === '/' ? { link: LINKS } : {}) },
    },
  ]);
  return new Map([
    ...pages,
    ['/style.css', { type: 'text/css; charset=utf-8', body: STYLE }],
    ['/logo.svg', { type: 'image/svg+xml', body: LOGO }],
    ['/robots.txt', { type: TEXT, body: robotsTxt(origin) }],
    ['/llms.txt', { type: TEXT, body: llmsTxt(origin) }],
    ['/sitemap.xml', { type: 'application/xml', body: sitemapXml(origin) }],
    ['/api/opening-hours', json(OPENING_HOURS)],
    ['/openapi.json', json(openApi(origin))],
    ['/.well-known/api-catalog', json(apiCatalog(origin), 'application/linkset+json')],
    ['/.well-known/ai-catalog.json', json(aiCatalog(origin), 'application/ai-catalog+json')],
    ['/.well-known/mcp/server-card.json', json(mcpServerCard(origin), 'application/mcp-server-card+json')],
    ['/.well-known/agent-card.json', json(agentCard(origin))],
  ]);
}
