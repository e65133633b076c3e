/**
 * Returns a build's name: its version, with the commit as build metadata (Semantic Versioning §10).
 * @param commit at least seven hexadecimal digits, plus `-dirty` for uncommitted changes; empty if unknown
 * @throws Error if `commit` is malformed
 */
export function nameRelease(version: string, commit: string): string {
  if (commit === '') return version;
  const [, digits, dirty] = /^([0-9a-f]{7})[0-9a-f]{0,57}(-dirty)?$/.exec(commit) ?? [];
  if (digits === undefined)
    throw new Error(`${commit} is not a commit: set BUILD_COMMIT to 7 hexadecimal digits or more.`);
  return `${version}+${digits}${dirty ?? ''}`;
}
