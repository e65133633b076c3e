/**
 * What a build calls itself: the version of the package, and the commit as build metadata (Semantic Versioning §10), so that two builds of
 * one version can be told apart.
 * @param commit in seven hexadecimal digits or more, with `-dirty` where the source was changed since; empty where none is known
 * @throws Error for what is not a commit
 */
export function nameRelease(version: string, commit: string): string {
  if (commit === '') return version;
  const [, digits, changed] = /^([0-9a-f]{7})[0-9a-f]{0,57}(-dirty)?$/.exec(commit) ?? [];
  if (digits === undefined)
    throw new Error(`${commit} is not a commit: set BUILD_COMMIT to 7 hexadecimal digits or more.`);
  return `${version}+${digits}${changed ?? ''}`;
}
