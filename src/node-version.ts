interface Manifest {
  readonly engines: { readonly node: string };
}

/**
 * Ends the process with one line where Node is older than the manifest asks for. Called before anything else is loaded: an older one
 * would end without a word in the driver of SQLite or in undici.
 */
export function refuseOldNode(manifest: Manifest): void {
  const fault = describeOldNode(manifest);
  if (fault === null) return;
  process.stderr.write(`${fault}\n`);
  process.exit(4);
}

/** @returns null where Node is as new as the manifest asks for */
export function describeOldNode({ engines }: Manifest): string | null {
  const wanted = engines.node.replace('>=', '');
  if (rankOf(process.versions.node) >= rankOf(wanted)) return null;
  return `Node ${wanted} or newer is needed; this is ${process.versions.node}.`;
}

/** As a collator would compare them, which takes 5 ms to make. */
function rankOf(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return (major * 1000 + minor) * 1000 + patch;
}
