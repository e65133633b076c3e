import { CORE_TOKENS } from '../../artifacts/agents/tokens.js';

/** Snippets that more than one text shows. The site is https://www.example.com in all of them. */

export const LLMS_TXT = `# Example Shop

> Hand-made lamps, shipped across Europe.

## Help

- [Delivery](https://www.example.com/delivery): times and costs
- [Returns](https://www.example.com/returns): how to send something back`;

export const OPEN_ROBOTS = `User-agent: *
Allow: /
Disallow: /account/`;

export const ADMITTED_AGENTS = `${CORE_TOKENS.map((token) => `User-agent: ${token}`).join('\n')}
Allow: /
Disallow: /account/`;

export const BARRED_TRAINING = `User-agent: GPTBot
User-agent: ClaudeBot
User-agent: CCBot
Disallow: /`;

export const CONTENT_SIGNAL = 'search=yes, ai-input=yes, ai-train=no';

export const SIGNAL_ROBOTS = `User-agent: *
Content-Signal: ${CONTENT_SIGNAL}
Allow: /`;

export const USAGE_ROBOTS = `User-agent: *
Content-Usage: train-ai=n
Allow: /`;

export const SITEMAP = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://www.example.com/</loc><lastmod>2026-01-31</lastmod></url>
</urlset>`;

export const SITEMAP_LINE = 'Sitemap: https://www.example.com/sitemap.xml';

export const SITEMAP_ENTRY = `<url>
  <loc>https://www.example.com/pricing</loc>
  <lastmod>2026-01-31T09:30:00+00:00</lastmod>
</url>`;

/** A complete identity node to paste into a page, for sites without JSON-LD or with an incomplete identity. */
export const IDENTITY = `<script type="application/ld+json">
{
  "@context": "https://schema.org",
  "@type": "Organization",
  "name": "Example Ltd",
  "url": "https://www.example.com/",
  "logo": "https://www.example.com/logo.png"
}
</script>`;

export const CATALOG = `{"entries": [{
  "identifier": "urn:air:example.com:mcp:shop",
  "displayName": "Shop",
  "type": "application/mcp-server-card+json",
  "url": "https://www.example.com/.well-known/mcp/server-card.json"}]}`;

export const SERVER_CARD = `{"$schema": "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
 "name": "com.example/shop", "version": "1.0.0",
 "description": "Search products and prices.",
 "remotes": [{"type": "streamable-http", "url": "https://www.example.com/mcp"}]}`;

export const AGENT_CARD = `{"name": "Shop agent", "description": "Answers questions about orders.", "version": "1.0.0",
 "supportedInterfaces": [{"url": "https://www.example.com/a2a",
   "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}],
 "capabilities": {"streaming": false},
 "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
 "skills": [{"id": "orders", "name": "Order status",
   "description": "Says where an order is.", "tags": ["orders"]}]}`;

export const API_CATALOG = `{"linkset": [{"anchor": "https://www.example.com/api",
  "service-desc": [{"href": "https://www.example.com/openapi.json", "type": "application/json"}],
  "service-doc": [{"href": "https://www.example.com/docs/api", "type": "text/html"}]}]}`;

export const PROTECTED_RESOURCE = `{"resource": "https://www.example.com",
 "authorization_servers": ["https://login.example.com"]}`;
