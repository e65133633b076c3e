/**
 * Returns the name of a build: the version, and the commit as build metadata (Semantic Versioning §10).
 * @param commit at least seven hexadecimal digits, with `-dirty` if the source was changed; empty if unknown
 * @throws Error if it is not a commit
 */
export function nameRelease(version: string, commit: string): string {
  if (commit === '') return version;
  const [, digits, changed] = /^([0-9a-f]{7})[0-9a-f]{0,57}(-dirty)?$/.exec(commit) ?? [];
  if (digits === undefined)
    throw new Error(`${commit} is not a commit: set BUILD_COMMIT to 7 hexadecimal digits or more.`);
  return `${version}+${digits}${changed ?? ''}`;
}
