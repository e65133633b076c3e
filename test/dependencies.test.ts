import t from 'tap';
import { UNBUNDLED } from '../src/build/compile.js';
import { readProject } from './support/project.js';

interface Locked {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

const manifest = JSON.parse(readProject('package.json')) as {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
};
const { packages } = JSON.parse(readProject('package-lock.json')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};

const installed = Object.entries(packages)
  .filter(([path]) => path !== '')
  .map(([path, locked]) => ({ name: path.split('node_modules/').at(-1) ?? '', ...locked }));

/** Licenses that require no more than a copy of their text. OFL-1.1 is for fonts. */
const NAMES = '0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause ISC MIT MIT-0 OFL-1.1 PSF-2.0 Python-2.0';
const PERMISSIVE = new Set(NAMES.split(' '));

t.test('every version is exact', async (t) => {
  for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
    t.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, name);
  }
});

t.test('whatever comes along at run time has a permissive license', async (t) => {
  const atRunTime = installed.filter(({ dev, devOptional }) => dev !== true && devOptional !== true);
  t.ok(atRunTime.length > 100, 'the lock file was read');
  for (const { name, license = 'none' } of atRunTime) {
    const choices = license.replace(/[()]/g, '').split(' OR ');
    const isPermissive = choices.some((choice) => PERMISSIVE.has(choice));
    t.ok(isPermissive, `${name}: ${license}`);
  }
});

t.test('no package runs a script when it is installed, whoever installs it', async (t) => {
  t.match(readProject('.npmrc'), /^ignore-scripts=true$/m);
  t.match(readProject('src/bin/install.sh'), 'npm ci --ignore-scripts ');
  for (const path of ['Makefile', 'Dockerfile']) t.notMatch(readProject(path), /npm (ci|i|install) /, path);
});

t.test('the image has the packages that are not in the bundle, and no others', async (t) => {
  const lines = /^COPY --from=build \/app\/node_modules\/(\S+) node_modules\/\1$/gm;
  const copied = Array.from(readProject('Dockerfile').matchAll(lines), ([, name]) => name);
  t.same(copied, UNBUNDLED);
});
