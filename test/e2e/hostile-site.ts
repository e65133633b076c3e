import type { OwnSite } from '../support/fixture-server.js';
import { PAYLOADS } from './payloads.js';

/** Puts all payloads into pages, files, headers and addresses. */
export function fillWithPayloads({ origin, routes }: OwnSite): void {
  const all = PAYLOADS.join('\n');
  const inUrls = PAYLOADS.map((payload) => `${origin}/${encodeURIComponent(payload)}`);
  const headers = { server: PAYLOADS[0] ?? '', link: PAYLOADS.map((payload) => `<${payload}>; rel="${payload}"`) };
  const home = `<!doctype html><html lang="en"><head><title>${all}</title><meta name="description" content='${all}'>
<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@type': PAYLOADS, name: PAYLOADS, sameAs: PAYLOADS, url: all })}</script></head>
<body><h1>${all}</h1>${inUrls.map((url) => `<a href="${url}">${url}</a>`).join('')}</body></html>`;
  routes['/'] = { body: home, headers };
  routes['/llms.txt'] =
    `# ${all}\n\n> ${all}\n\n## ${all}\n\n${PAYLOADS.map((payload) => `- [${payload}](/${encodeURIComponent(payload)}): ${payload}`).join('\n')}\n`;
  routes['/robots.txt'] = PAYLOADS.flatMap((payload) => [
    `User-agent: ${payload}`,
    `Disallow: ${payload}`,
    `Content-Signal: ${payload}=${payload}`,
    `Sitemap: ${payload}`,
  ]).join('\n');
  routes['/sitemap.xml'] =
    `<?xml version="1.0"?><urlset><url><loc>${all}</loc><lastmod>${all}</lastmod></url></urlset>`;
  for (const path of ['/.well-known/mcp.json', '/.well-known/agent-card.json', '/.well-known/mcp/server-card.json']) {
    routes[path] = JSON.stringify({ name: PAYLOADS, description: all, url: all, remotes: PAYLOADS, [all]: all });
  }
  routes['/.well-known/api-catalog'] = { status: 302, headers: { location: `/${encodeURIComponent(all)}` } };
  routes['/.well-known/agent-readiness-verification.txt'] = all;
}
