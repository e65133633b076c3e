import { fileOf, onServers } from './blocks.js';

/** Lets everybody fetch one file from a server that refuses some or all of its visitors. */
export function openFile(path: string): string {
  return onServers({
    nginx: `# in server
location = ${path} {
  auth_basic off;
  allow all;
  try_files $uri =404;
}`,
    Apache: `# .htaccess in the web root
<Files "${fileOf(path)}">
  Require all granted
</Files>`,
    Caddy: `# take the file out of the matcher of the rule that refuses
@refused {
  remote_ip 203.0.113.0/24
  not path ${path}
}
respond @refused 403`,
    Cloudflare: `See in Security > Analytics which rule refused the request. Then make a custom rule with the action Skip for this expression, and place it first:

(http.request.uri.path eq "${path}")

A custom rule cannot skip Bot Fight Mode: switch that off.`,
    'Vercel and Netlify': `Vercel: leave the production domain open in Settings > Deployment Protection, and give the path a Firewall rule with the action Bypass. Netlify: password protection covers the whole site, so switch it off.`,
    WordPress: `Look for the rule in your security plugin, and switch off "coming soon" and "maintenance" plugins: they refuse every address.`,
  });
}
