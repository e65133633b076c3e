import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { BUILD, PROJECT, readProject } from '../support/project.js';

const SBOM = fileURLToPath(new URL('src/build/sbom.js', BUILD));

interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly object[];
  readonly hashes: readonly { readonly alg: string; readonly content: string }[];
}

t.test('the bill of materials has every package of an installation for production, and no other', async (t) => {
  const file = join(t.testdir(), 'sbom.json');
  const options = { cwd: PROJECT, encoding: 'utf8' } as const;
  execFileSync(process.execPath, [SBOM, file], options);
  const text = readFileSync(file, 'utf8');
  const sbom = JSON.parse(text) as {
    readonly bomFormat: string;
    readonly metadata: { readonly component: { readonly name: string } };
    readonly components: readonly Component[];
    readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
  };
  t.match(sbom, { bomFormat: 'CycloneDX', specVersion: '1.6', metadata: { component: { name: 'agent-readiness' } } });
  const { packages } = JSON.parse(readProject('package-lock.json')) as {
    readonly packages: Readonly<
      Record<string, { readonly version: string; readonly dev?: boolean; readonly devOptional?: boolean }>
    >;
  };
  const locked = Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && dev !== true && devOptional !== true)
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`);
  const listed = sbom.components.map(({ name, version }) => `${name}@${version}`);
  t.same([...new Set(listed)].sort(), [...new Set(locked)].sort());
  for (const { name, purl, licenses, hashes } of sbom.components) {
    t.match(purl, /^pkg:npm\//, name);
    t.ok(licenses.length > 0 && hashes.length > 0, name);
  }
  const purls = sbom.components.map(({ purl }) => purl);
  const needed = new Set(sbom.dependencies.flatMap(({ dependsOn }) => dependsOn));
  t.same([...needed].sort(), [...purls].sort(), 'each is there because another needs it');
});
