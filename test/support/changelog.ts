import { readProject } from './project.js';

/** A heading of CHANGELOG.md: a version with its day, and its commit once it has one. */
export interface ReleaseHeading {
  readonly version: string;
  readonly commit: string | null;
}

/** The newest version that CHANGELOG.md names, and whether something that a user notices came after it. */
export function readNewestRelease(changelog = readProject('CHANGELOG.md')): ReleaseHeading & { isDone: boolean } {
  const headings = [...changelog.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
  const isDone = headings[0] !== 'Unreleased';
  const newest = headings[isDone ? 0 : 1] ?? '';
  const [, version, commit = null] =
    /^(\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d(?:, commit ([0-9a-f]{7,40}))?\)$/.exec(newest) ?? [];
  if (version === undefined) throw new Error(`CHANGELOG.md has a heading that names no version and day: ${newest}`);
  return { version, commit, isDone };
}

/** What package.json says. */
export function packageVersion(): string {
  return (JSON.parse(readProject('package.json')) as { version: string }).version;
}
