import { apachePattern, onServers } from './blocks.js';

/** Lets each server send visitors of one path to another for good. */
export function redirect(from: string, to: string): string {
  return onServers({
    nginx: `# in server
location = ${from} { return 301 ${to}; }`,
    Apache: `# .htaccess in the web root
RedirectMatch 301 ^/${apachePattern(from)}$ ${to}`,
    Caddy: `# in the site's block
redir ${from} ${to} 301`,
    Cloudflare: `In Rules > Overview, create a Redirect Rule with status 301 for this expression:

(http.request.uri.path eq "${from}")`,
    'Vercel and Netlify': `Vercel, in vercel.json:

{"redirects": [{"source": "${from}", "destination": "${to}", "permanent": true}]}

Netlify, in netlify.toml:

[[redirects]]
  from = "${from}"
  to = "${to}"
  status = 301`,
    WordPress: `WordPress redirects the old address of a renamed post by itself. For other addresses use a plugin such as Redirection.`,
  });
}
