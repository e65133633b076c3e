interface Manifest {
  readonly engines: { readonly node: string };
}

/**
 * Ends the process with one line if Node is older than the manifest requires. Call it before anything else is loaded: an older Node
 * crashes without a message in the SQLite driver or undici.
 */
export function refuseOldNode(manifest: Manifest): void {
  const fault = describeOldNode(manifest);
  if (fault === null) return;
  process.stderr.write(`${fault}\n`);
  process.exit(4);
}

/** Returns a message if Node is too old; null if it is new enough. */
export function describeOldNode({ engines }: Manifest): string | null {
  const wanted = engines.node.replace('>=', '');
  if (rankOf(process.versions.node) >= rankOf(wanted)) return null;
  return `Node ${wanted} or newer is needed; this is ${process.versions.node}.`;
}

/** Returns a number for comparing versions. Creating a collator would take 5 ms. */
function rankOf(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return (major * 1000 + minor) * 1000 + patch;
}
