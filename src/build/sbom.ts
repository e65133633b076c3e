/**
 * `node src/build/sbom.ts [FILE]`: writes what an installation for production consists of, as CycloneDX 1.6, by the lock file alone: the
 * same one gives the same bytes. (`npm sbom --omit=dev` leaves out what tools need too, such as pg and zod.)
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

interface Locked {
  readonly version: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  /** What "make run" builds with. */
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const [file = 'dist/sbom.cdx.json'] = process.argv.slice(2);
const { name: project, packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  readonly name: string;
  readonly packages: Readonly<Record<string, Locked>>;
};
const shipped = new Map(
  Object.entries(packages).filter(([, { dev, devOptional, optional }]) => !dev && !devOptional && !optional),
);

function nameOf(path: string): string {
  return path.split('node_modules/').at(-1) || project;
}

function purlOf(path: string): string {
  return `pkg:npm/${nameOf(path).replace('@', '%40')}@${shipped.get(path)?.version}`;
}

/** Where Node finds the package: in the nearest node_modules. */
function findPackage(from: string, name: string): string | null {
  const path = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (shipped.has(path)) return path;
  return from === '' ? null : findPackage(from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name);
}

function describe(path: string, { version, license, integrity }: Locked): object {
  const [, hash] = /^sha512-(\S+)/.exec(integrity ?? '') ?? [];
  const isExpression = license?.includes(' ') === true;
  return {
    type: path === '' ? 'application' : 'library',
    'bom-ref': purlOf(path),
    name: nameOf(path),
    version,
    purl: purlOf(path),
    ...(license && { licenses: [isExpression ? { expression: license } : { license: { id: license } }] }),
    ...(hash && { hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }] }),
  };
}

function refsOf(path: string, { dependencies, optionalDependencies, peerDependencies }: Locked): string[] {
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  const paths = names.map((name) => findPackage(path, name)).filter((found) => found !== null);
  return [...new Set(paths.map(purlOf))].sort();
}

// The same package in two folders is one component.
const components = new Map<string, object>();
const dependsOn = new Map<string, string[]>();
for (const [path, locked] of shipped) {
  const ref = purlOf(path);
  if (path !== '') components.set(ref, describe(path, locked));
  dependsOn.set(ref, [...new Set([...(dependsOn.get(ref) ?? []), ...refsOf(path, locked)])]);
}
const root = shipped.get('');
if (!root || components.size === 0) throw new Error('the lock file names no packages');
const sbom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { component: describe('', root) },
  components: [...components.values()],
  dependencies: Array.from(dependsOn, ([ref, refs]) => ({ ref, dependsOn: refs })),
};
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
console.log(`${file}: ${components.size} packages`);
