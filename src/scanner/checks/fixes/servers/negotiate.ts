import { onServers } from './blocks.js';

/** Lets each server send the .md file next to a page to clients that ask for Markdown. */
export function negotiateMarkdown(): string {
  return onServers({
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
    Cloudflare: `Switch on "Markdown for Agents" for the domain, where your plan has it: Cloudflare then turns your HTML into Markdown for clients that ask.`,
    'Vercel and Netlify': `Files go before rewrites on both, so a rewrite cannot choose by Accept. Link to the Markdown as above, or choose in Routing Middleware (Vercel) or an Edge Function (Netlify).`,
    WordPress: `WordPress makes no Markdown by itself. Use a plugin that answers "Accept: text/markdown", or the switch of your CDN.`,
  });
}

/** Lets each server send files that end in .md as what they are. */
export function labelMarkdown(): string {
  return onServers({
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
    'Vercel and Netlify': `Vercel, in vercel.json:

{"headers": [{
  "source": "/(.*).md",
  "headers": [{"key": "Content-Type", "value": "text/markdown; charset=utf-8"}]}]}

Netlify, in netlify.toml:

[[headers]]
  for = "/*.md"
  [headers.values]
    Content-Type = "text/markdown; charset=utf-8"`,
  });
}
