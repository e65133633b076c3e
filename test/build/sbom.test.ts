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
      Record<string, { readonly version: string; readonly dev?: boolean; readonly optional?: boolean }>
    >;
  };
  const locked = Object.entries(packages)
    .filter(([path, { dev, optional }]) => path !== '' && dev !== true && optional !== true)
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

t.test('a component is described by its entry in the lock file, and leads to what Node finds for it', async (t) => {
  const digest = Buffer.alloc(64, 7);
  const lock = {
    name: 'shop',
    packages: {
      '': {
        version: '1.0.0',
        license: 'MIT',
        dependencies: { near: '1' },
        optionalDependencies: { '@s/far': '1', no: '1' },
      },
      'node_modules/near': {
        ...{ version: '1.2.0', license: '(MIT OR Apache-2.0)', integrity: `sha512-${digest.toString('base64')}` },
        dependencies: { deep: '2', '@s/far': '1' },
      },
      'node_modules/near/node_modules/deep': { version: '2.0.0', license: 'ISC', dependencies: { twice: '3' } },
      'node_modules/deep': { version: '1.0.0', peerDependencies: { near: '1' } },
      'node_modules/@s/far': {
        version: '1.1.0',
        integrity: 'sha1-AAAA',
        dependencies: { deep: '1', twice: '3', far: '1' },
      },
      'node_modules/@s/far/node_modules/twice': { version: '3.0.0', license: 'MIT' },
      'node_modules/twice': { version: '3.0.0', license: 'MIT' },
      'node_modules/tool': { version: '1.0.0', dev: true },
      'node_modules/far': { version: '1.0.0', devOptional: true },
    },
  };
  const folder = t.testdir({ 'package-lock.json': JSON.stringify(lock) });
  const said = execFileSync(process.execPath, [SBOM], { cwd: folder, encoding: 'utf8' });
  t.equal(said, 'dist/sbom.cdx.json: 5 packages\n');
  const component = (purl: string, name: string, version: string, more: object = {}) => ({
    ...{ type: 'library', 'bom-ref': purl, name, version, purl },
    ...more,
  });
  const licensed = (id: string) => ({ licenses: [{ license: { id } }] });
  const [root, near, deep1, deep2] = ['shop@1.0.0', 'near@1.2.0', 'deep@1.0.0', 'deep@2.0.0'].map(
    (id) => `pkg:npm/${id}`,
  );
  const [far, twice] = ['pkg:npm/%40s/far@1.1.0', 'pkg:npm/twice@3.0.0'];
  t.strictSame(JSON.parse(readFileSync(join(folder, 'dist/sbom.cdx.json'), 'utf8')), {
    ...{ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 },
    metadata: {
      component: { ...component(root ?? '', 'shop', '1.0.0', licensed('MIT')), type: 'application' },
    },
    components: [
      component(near ?? '', 'near', '1.2.0', {
        licenses: [{ expression: '(MIT OR Apache-2.0)' }],
        hashes: [{ alg: 'SHA-512', content: digest.toString('hex') }],
      }),
      component(deep2 ?? '', 'deep', '2.0.0', licensed('ISC')),
      component(deep1 ?? '', 'deep', '1.0.0'),
      component(far, '@s/far', '1.1.0'),
      component(twice, 'twice', '3.0.0', licensed('MIT')),
    ],
    dependencies: [
      { ref: root, dependsOn: [far, near] },
      { ref: near, dependsOn: [far, deep2] },
      { ref: deep2, dependsOn: [twice] },
      { ref: deep1, dependsOn: [near] },
      { ref: far, dependsOn: [deep1, twice] },
      { ref: twice, dependsOn: [] },
    ],
  });
  const none = t.testdir({ 'package-lock.json': '{ "name": "shop", "packages": { "": { "version": "1.0.0" } } }' });
  t.throws(
    () => execFileSync(process.execPath, [SBOM], { cwd: none, stdio: 'pipe' }),
    /the lock file names no packages/,
  );
});
