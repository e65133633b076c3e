/**
 * Ends the process with one line where Node is older than the manifest asks for. Called before anything else is loaded: an older one
 * would end without a word in the driver of SQLite or in undici.
 */
export function refuseOldNode({ engines }: { readonly engines: { readonly node: string } }): void {
  const wanted = engines.node.replace('>=', '');
  if (process.versions.node.localeCompare(wanted, 'en', { numeric: true }) >= 0) return;
  process.stderr.write(`Node ${wanted} or newer is needed; this is ${process.versions.node}.\n`);
  process.exit(4);
}
