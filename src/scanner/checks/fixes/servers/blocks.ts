import { type Server, SERVERS } from '../../../verdict/fix-parts.js';

/** What to do on each server; those of which there is nothing to say are left out. */
export type ServerBlocks = Readonly<Partial<Record<Server, string>>>;

/** The end of a fix: a block for each server, in the order of {@link SERVERS}. */
export function onServers(blocks: ServerBlocks): string {
  return (Object.keys(SERVERS) as Server[])
    .flatMap((server) => (blocks[server] === undefined ? [] : [SERVERS[server], blocks[server]]))
    .join('\n\n');
}

/** A path as a regular expression for Apache, relative to the folder of .htaccess. */
export function apachePattern(path: string): string {
  return path.slice(1).replaceAll('.', '\\.');
}

/** The last segment of a path. */
export function fileOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The files that set a response header field on Vercel and Netlify; `source` and `path` are patterns of each. */
export function onVercelAndNetlify(
  { source, path }: { readonly source: string; readonly path: string },
  field: string,
  value: string,
): string {
  return `Vercel, in vercel.json:

{"headers": [{
  "source": "${source}",
  "headers": [{"key": "${field}", "value": "${value}"}]}]}

Netlify, in netlify.toml:

[[headers]]
  for = "${path}"
  [headers.values]
    ${field} = "${value}"`;
}
