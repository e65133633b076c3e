import t from 'tap';
import { packageVersion, readProject } from './support/project.js';

/** Returns the newest version of a changelog and its commit. `isDone` is false if unreleased changes come before it. */
function readNewestRelease(changelog = readProject('CHANGELOG.md')) {
  const headings = [...changelog.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
  const isDone = headings[0] !== 'Unreleased';
  const newest = headings[isDone ? 0 : 1] ?? '';
  const [, version, commit = null] =
    /^(\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d(?:, commit ([0-9a-f]{7,40}))?\)$/.exec(newest) ?? [];
  if (version === undefined) throw new Error(`CHANGELOG.md has a heading that names no version and day: ${newest}`);
  return { version, commit, isDone };
}

t.test(
  'the newest release of the changelog is the version of the package, unless a newer one is on its way',
  async (t) => {
    const version = packageVersion();
    const newest = readNewestRelease();
    if (newest.isDone) t.equal(newest.version, version);
    else t.ok(version.localeCompare(newest.version, undefined, { numeric: true }) >= 0, version);
    const lock = JSON.parse(readProject('package-lock.json')) as {
      version: string;
      packages: Record<string, { version: string }>;
    };
    t.equal(lock.version, version);
    t.equal(lock.packages['']?.version, version);
  },
);

t.test('a changelog may have what is not released, and versions whose commit is not known yet', async (t) => {
  const released = '## 0.3.0 (2026-11-23)\n\n- x\n\n## 0.2.0 (2026-11-20, commit ef4d409)\n';
  t.same(readNewestRelease(`# Changelog\n\n${released}`), { version: '0.3.0', commit: null, isDone: true });
  t.same(readNewestRelease(`## Unreleased\n\n- y\n\n${released}`), { version: '0.3.0', commit: null, isDone: false });
  t.match(readNewestRelease(released.replace('3)', '3, commit 1234567)')), { commit: '1234567' });
  t.throws(() => readNewestRelease('## Unreleased\n\n## 0.3\n'), /no version and day: 0\.3$/);
});
