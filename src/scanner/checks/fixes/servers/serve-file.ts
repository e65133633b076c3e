import { apachePattern, fileOf, onServers, onVercelAndNetlify } from './blocks.js';

/**
 * Lets each server send one file itself, with this type, before any application answers or any rule rewrites its path.
 * @param type the whole Content-Type
 */
export function serveFile(path: string, type: string): string {
  return onServers({
    nginx: `# in server
location = ${path} {
  types { }
  default_type "${type}";
  try_files $uri =404;
}`,
    Apache: `# .htaccess in the web root, before other rules
RewriteEngine On
RewriteRule ^${apachePattern(path)}$ - [END]
<Files "${fileOf(path)}">
  ForceType "${type}"
</Files>`,
    Caddy: `# in the site's block, below its root
handle ${path} {
  header Content-Type "${type}"
  file_server
}`,
    Cloudflare: `If the file is right on your server and wrong here, remove the old copy: Caching > Configuration > Custom Purge, with the address of the file.`,
    'Vercel and Netlify': `Put the file into the folder that is published (public on Vercel): files go before rewrites on both. Set its type:

${onVercelAndNetlify({ source: path, path }, 'Content-Type', type)}`,
    WordPress: `Upload the file into the folder of wp-config.php${folderOf(path)}: with its usual rewrite rules WordPress answers only where no file lies. Switch off a plugin that writes the same address.`,
  });
}

/** The folder within the web root, in words. */
function folderOf(path: string): string {
  const folder = path.slice(1, path.lastIndexOf('/'));
  return folder.length > 0 ? `, in ${folder} below it` : '';
}
