import { onServers, onVercelAndNetlify } from './blocks.js';

/** Lets each server send a header field with every page. */
export function setHeader(field: string, value: string): string {
  return onServers({
    nginx: `# in server
add_header ${field} "${value}" always;`,
    Apache: `# .htaccess in the web root
Header always set ${field} "${value}"`,
    Caddy: `# in the site's block
header ${field} "${value}"`,
    Cloudflare: `In Rules > Overview, create a Response Header Transform Rule for all requests that sets this field and value:

${field}: ${value}`,
    'Vercel and Netlify': onVercelAndNetlify({ source: '/(.*)', path: '/*' }, field, value),
    WordPress: `In functions.php of your child theme:

add_filter('wp_headers', function ($headers) {
  $headers['${field}'] = '${value}';
  return $headers;
});`,
  });
}
