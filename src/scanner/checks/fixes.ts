import { TRIED_TOKENS } from '../artifacts/agents.js';
import { type Server, SERVERS } from '../verdict/fix-parts.js';

/** Returns a snippet for the Markdown of a fix. */
export function fenced(text: string): string {
  return `\`\`\`\n${text}\n\`\`\``;
}

/*
 * In snippets, the site is https://www.example.com, and the owner replaces the words in capitals. Snippets only link to the home page, so
 * that each passes its check unchanged.
 */

export const LLMS_TXT = fenced(`# NAME OF YOUR SITE

> WHAT YOUR SITE OFFERS, IN ONE SENTENCE.

## MAIN PAGES

- [HOME PAGE](https://www.example.com/): WHAT VISITORS FIND THERE`);

export const IDENTITY = fenced(`<script type="application/ld+json">
{
  "@context": "https://schema.org",
  "@type": "Organization",
  "name": "NAME OF YOUR ORGANIZATION",
  "url": "https://www.example.com/",
  "description": "WHAT YOU DO, IN ONE SENTENCE"
}
</script>`);

/** Instructions for each server, as code or as Markdown. */
type ServerBlocks = Readonly<Partial<Record<Server, string>>>;

const CODE_SERVERS: ReadonlySet<string> = new Set<Server>(['nginx', 'Apache', 'Caddy']);

/** Joins the instructions in the order of {@link SERVERS}. */
function joinBlocks(blocks: ServerBlocks): string {
  return (Object.keys(SERVERS) as Server[])
    .flatMap((server) => {
      const block = blocks[server];
      return block === undefined ? [] : [SERVERS[server], CODE_SERVERS.has(server) ? fenced(block) : block];
    })
    .join('\n\n');
}

/** Returns a path as a regular expression for Apache, relative to the folder of .htaccess. */
function apachePattern(path: string): string {
  return path.slice(1).replaceAll('.', '\\.');
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Returns the files that set a response header field on Vercel (`source` is its pattern) and Netlify (`path`). */
function headerFiles(
  { source, path }: { readonly source: string; readonly path: string },
  field: string,
  value: string,
): string {
  return `Vercel, in vercel.json:

${fenced(`{"headers": [{
  "source": "${source}",
  "headers": [{"key": "${field}", "value": "${value}"}]}]}`)}

Netlify, in netlify.toml:

${fenced(`[[headers]]
  for = "${path}"
  [headers.values]
    ${field} = "${value}"`)}`;
}

/**
 * Says how to serve a static file before the application or a rewrite rule handles its path.
 * @param type the value of Content-Type
 */
export function serveFile(path: string, type: string): string {
  return joinBlocks({
    nginx: `# in server
location = ${path} {
  types { }
  default_type "${type}";
  try_files $uri =404;
}`,
    Apache: `# .htaccess in the web root, before other rules
RewriteEngine On
RewriteRule ^${apachePattern(path)}$ - [END]
<Files "${fileName(path)}">
  ForceType "${type}"
</Files>`,
    Caddy: `# in the site's block, below its root
handle ${path} {
  header Content-Type "${type}"
  file_server
}`,
    Cloudflare: `If the file is correct on your server but not here, purge the old copy: in Caching > Configuration > Custom Purge, enter the address of the file.`,
    'Vercel and Netlify': `Put the file into the published folder (public on Vercel). Both serve files before they apply rewrites. Set its type:

${headerFiles({ source: path, path }, 'Content-Type', type)}`,
    WordPress: `Upload the file into the folder of wp-config.php${nameFolder(path)}. With its default rewrite rules, WordPress only handles addresses without a file. Turn off any plugin that serves the same address.`,
  });
}

/** Names the folder of a path; empty for the web root. */
function nameFolder(path: string): string {
  const folder = path.slice(1, path.lastIndexOf('/'));
  return folder.length > 0 ? `, in ${folder} below it` : '';
}

/** Says how to make a file public on a server that refuses some or all visitors. */
export function unblockFile(path: string): string {
  return joinBlocks({
    nginx: `# in server
location = ${path} {
  auth_basic off;
  allow all;
  try_files $uri =404;
}`,
    Apache: `# .htaccess in the web root
<Files "${fileName(path)}">
  Require all granted
</Files>`,
    Caddy: `# in the rule that refuses, exempt the file
@refused {
  remote_ip 203.0.113.0/24
  not path ${path}
}
respond @refused 403`,
    Cloudflare: `In Security > Analytics, find the rule that refused the request. Then create a custom rule with the action Skip for this expression, and place it first:

${fenced(`(http.request.uri.path eq "${path}")`)}

A custom rule cannot skip Bot Fight Mode, so turn that off.`,
    'Vercel and Netlify': `Vercel: leave the production domain public in Settings > Deployment Protection, and add a Firewall rule with the action Bypass for the path. Netlify: turn off password protection, because it covers the whole site.`,
    WordPress: `Look for the rule in your security plugin. Turn off "coming soon" and "maintenance" plugins, which block every address.`,
  });
}

/** Says how to redirect one path to another permanently. */
export function redirect(from: string, to: string): string {
  return joinBlocks({
    nginx: `# in server
location = ${from} { return 301 ${to}; }`,
    Apache: `# .htaccess in the web root
RedirectMatch 301 ^/${apachePattern(from)}$ ${to}`,
    Caddy: `# in the site's block
redir ${from} ${to} 301`,
    Cloudflare: `In Rules > Overview, create a Redirect Rule with status 301 to ${to} for this expression:

${fenced(`(http.request.uri.path eq "${from}")`)}`,
    'Vercel and Netlify': `Vercel, in vercel.json:

${fenced(`{"redirects": [{"source": "${from}", "destination": "${to}", "permanent": true}]}`)}

Netlify, in netlify.toml:

${fenced(`[[redirects]]
  from = "${from}"
  to = "${to}"
  status = 301`)}`,
    WordPress: `WordPress redirects the old address of a renamed post automatically. For other addresses, use a plugin such as Redirection.`,
  });
}

/** Says how to send a header field with every page. */
export function setHeader(field: string, value: string): string {
  return joinBlocks({
    nginx: `# in server
add_header ${field} "${value}" always;`,
    Apache: `# .htaccess in the web root
Header always set ${field} "${value}"`,
    Caddy: `# in the site's block
header ${field} "${value}"`,
    Cloudflare: `In Rules > Overview, create a Response Header Transform Rule for all requests that sets this field and value:

${fenced(`${field}: ${value}`)}`,
    'Vercel and Netlify': headerFiles({ source: '/(.*)', path: '/*' }, field, value),
    WordPress: `In functions.php of your child theme:

${fenced(`add_filter('wp_headers', function ($headers) {
  $headers['${field}'] = '${value}';
  return $headers;
});`)}`,
  });
}

/** Says how to send the .md file next to a page to clients that ask for Markdown. */
export function negotiateMarkdown(): string {
  return joinBlocks({
    nginx: `# in http, below "include mime.types"
types { text/markdown md; }
charset_types text/markdown;
map $http_accept $suffix { default .html; "~*text/markdown" .md; }
# in server
location / {
  charset utf-8;
  add_header Vary Accept;
  try_files $uri$suffix $uri/index$suffix $uri.html $uri/index.html $uri =404;
}`,
    Apache: `# .htaccess in the web root, before other rules
AddType text/markdown .md
AddCharset utf-8 .md
Header merge Vary Accept
RewriteEngine On
RewriteCond %{HTTP_ACCEPT} text/markdown
RewriteCond %{DOCUMENT_ROOT}/$1index.md -f
RewriteRule ^(.*/|)$ $1index.md [END]
RewriteCond %{HTTP_ACCEPT} text/markdown
RewriteCond %{DOCUMENT_ROOT}/$1.md -f
RewriteRule ^(.+?)(\\.html)?$ $1.md [END]`,
    Caddy: `# in the site's block, below its root
@markdown {
  header Accept *text/markdown*
  file {path}.md {path}index.md
}
header Vary Accept
header @markdown Content-Type "text/markdown; charset=utf-8"
rewrite @markdown {file_match.relative}`,
    Cloudflare: `If your plan has it, turn on "Markdown for Agents" for the domain. Cloudflare then converts your HTML to Markdown for clients that ask for it.`,
    'Vercel and Netlify': `Both serve files before they apply rewrites, so a rewrite cannot choose by Accept. Link to the Markdown as shown above, or choose in Routing Middleware (Vercel) or an Edge Function (Netlify).`,
    WordPress: `WordPress does not produce Markdown itself. Use a plugin that supports "Accept: text/markdown", or a setting of your CDN.`,
  });
}

/** Says how to send .md files with the media type of Markdown. */
export function setMarkdownType(): string {
  return joinBlocks({
    nginx: `# in server
location ~ \\.md$ {
  types { }
  default_type "text/markdown; charset=utf-8";
}`,
    Apache: `# .htaccess in the web root
AddType text/markdown .md
AddCharset utf-8 .md`,
    Caddy: `# in the site's block
@md path *.md
header @md >Content-Type "text/markdown; charset=utf-8"`,
    'Vercel and Netlify': headerFiles(
      { source: '/(.*).md', path: '/*.md' },
      'Content-Type',
      'text/markdown; charset=utf-8',
    ),
  });
}

const ANSWERING_AGENTS = TRIED_TOKENS.join('|');
/** Crawlers that the snippets refuse as an example. */
const TRAINING_CRAWLERS = 'GPTBot|CCBot|Bytespider';

const CLOUDFLARE = `In AI Crawl Control, allow the agents named in the finding. Since September 2026, Cloudflare blocks the categories Agent and Training on pages with ads by default, and blocking Training also blocks Googlebot, Bingbot and Applebot. Check "Block AI bots" and Bot Fight Mode in Security > Settings, and look for a rule on the User-Agent in Security > Security rules. Each of these blocks agents that robots.txt allows.`;
const VERCEL = `Vercel: in the project's Firewall, turn off the AI bots ruleset of Bot Management, and look for a custom rule on the User-Agent. Netlify: look for an Edge Function or a firewall rule that reads the User-Agent.`;
const WORDPRESS = `Look for blocked bots or user agents in your security plugin (in Wordfence: Blocking). Ask your host whether its firewall blocks AI bots.`;

/** Says how to refuse training crawlers, but allow the agents that answer people. */
export function allowAgents(): string {
  return joinBlocks({
    nginx: `# in http; the first match counts
map $http_user_agent $is_refused {
  default 0;
  "~*(${ANSWERING_AGENTS})" 0;
  "~*(${TRAINING_CRAWLERS})" 1;
}
# in server
if ($is_refused) { return 403; }`,
    Apache: `# .htaccess in the web root; the last match counts
SetEnvIfNoCase User-Agent "${TRAINING_CRAWLERS}" is_refused
SetEnvIfNoCase User-Agent "${ANSWERING_AGENTS}" !is_refused
<RequireAll>
  Require all granted
  Require not env is_refused
</RequireAll>`,
    Caddy: `# in the site's block
@refused {
  header_regexp User-Agent (?i)(${TRAINING_CRAWLERS})
  not header_regexp User-Agent (?i)(${ANSWERING_AGENTS})
}
respond @refused 403`,
    Cloudflare: CLOUDFLARE,
    'Vercel and Netlify': VERCEL,
    WordPress: WORDPRESS,
  });
}

/** Says how to limit the rate of training crawlers, but not of the agents that answer people. */
export function exemptAgentsFromLimit(): string {
  return joinBlocks({
    nginx: `# in http; an empty key means no limit
map $http_user_agent $limited {
  default "";
  "~*(${ANSWERING_AGENTS})" "";
  "~*(${TRAINING_CRAWLERS})" $binary_remote_addr;
}
limit_req_zone $limited zone=bots:1m rate=30r/m;
# in server
limit_req zone=bots burst=5 nodelay;
limit_req_status 429;`,
    Cloudflare: CLOUDFLARE,
    'Vercel and Netlify': VERCEL,
    WordPress: WORDPRESS,
  });
}
