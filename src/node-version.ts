/**
 * Ends the process with one line where Node is older than the manifest asks for. Called before anything else is loaded: an older one
 * would end without a word in the driver of SQLite or in undici.
 */
export function refuseOldNode({ engines }: { readonly engines: { readonly node: string } }): void {
  const wanted = engines.node.replace('>=', '');
  if (rankOf(process.versions.node) >= rankOf(wanted)) return;
  process.stderr.write(`Node ${wanted} or newer is needed; this is ${process.versions.node}.\n`);
  process.exit(4);
}

/** As a collator would compare them, which takes 5 ms to make. */
function rankOf(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return (major * 1000 + minor) * 1000 + patch;
}
