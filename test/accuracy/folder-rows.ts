import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join, relative, sep } from 'node:path';
import { parseRobots, decide, groupsFor } from '../../src/scanner/parsers/robots.js';
import type { FixtureAnswer, FixtureSite } from '../support/fixture-site.js';
import { scanFixture } from '../support/golden.js';
import { verdictsOf } from './own-rows.js';
import type { Row } from './rows.js';

/**
 * A folder of others' files with labels: `<kind>/index.json` alongside the files it names, and `sites/<case>/www` with whole sites. Rows
 * whose label is not certain are left out.
 */
export async function judgeFolder(folder: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const row of readIndex(folder, 'robots') as RobotsRow[]) rows.push(...(await judgeRobots(folder, row)));
  for (const kind of ['llms', 'sitemaps', 'jsonld', 'wellknown']) {
    for (const { file, ...row } of readIndex(folder, kind) as FileRow[]) {
      const label = labelOf({ kind, path: pathOf(kind, file, row.served_path), ...row });
      if (label === null) continue;
      const body = readFileSync(join(folder, kind, file));
      const type = row.content_type ?? typeOf(label.path);
      const found = await scanFiles({ ...robotsFor(kind, label.path), [label.path]: { body, ...(type && { type }) } });
      rows.push({ ...judge(label, found), id: `${kind}/${basename(file)}` });
    }
  }
  for (const row of readIndex(folder, 'sites') as SiteRow[]) rows.push(...(await judgeSite(folder, row)));
  return rows;
}

interface Labelled {
  /** Acceptable: for llms.txt, where the standard leaves more than one: PASS, WARN (a pass with a word of advice), FAIL. */
  readonly expect: { readonly verdict?: string; readonly acceptable?: readonly string[] };
  readonly confidence: string | { readonly verdict: string } | null;
}

interface FileRow extends Labelled {
  readonly file: string;
  /** Of a file below /.well-known/: which document it is. */
  readonly kind?: string;
  readonly served_path?: string;
  readonly content_type?: string | null;
}

interface RobotsRow {
  readonly file: string;
  readonly cases?: readonly { ua: string; url: string; expected: string; confidence: string }[];
}

interface SiteRow {
  readonly case: string;
  readonly expect: Readonly<Record<string, Labelled & { readonly kind: string }>>;
  readonly must_report_absent?: readonly string[];
}

/** What a file must come to, and which findings tell. */
interface Label extends Judges {
  readonly path: string;
  readonly expected: readonly string[];
}

interface Judges {
  readonly checkId: string;
  /** A check that charges some kinds of the same file. */
  readonly alsoBy?: string;
  /** The findings that hold the file itself for invalid: others are about what it names. */
  readonly charge: string;
}

const CERTAIN = new Set(['high', 'high-rfc']);

/** What judges each kind of file. */
const JUDGES: Readonly<Record<string, Judges>> = {
  llms: { checkId: 'C-LLMS-02', alsoBy: 'C-LLMS-01', charge: 'FAIL' },
  sitemaps: { checkId: 'C-SITE-01', alsoBy: 'C-SITE-02', charge: 'FAIL' },
  jsonld: { checkId: 'C-SD-01', charge: 'FAIL FORMAT' },
  'agent-card': { checkId: 'C-WK-02', charge: 'FAIL INVALID_MANIFEST' },
  'mcp-server-card': { checkId: 'C-WK-01', charge: 'FAIL INVALID_MANIFEST' },
  'api-catalog': { checkId: 'C-WK-03', charge: 'FAIL INVALID_MANIFEST' },
  'oauth-protected-resource': { checkId: 'C-WK-03', charge: 'FAIL INVALID_MANIFEST' },
  'oauth-authorization-server': { checkId: 'C-WK-03', charge: 'FAIL INVALID_MANIFEST' },
};

function labelOf({ kind, path, expect, confidence }: Labelled & { kind: string; path: string }): Label | null {
  const judges = JUDGES[kind === 'wellknown' ? documentOf(path) : kind];
  const certainty = typeof confidence === 'string' ? confidence : confidence?.verdict;
  const { verdict } = expect;
  if (!judges || !CERTAIN.has(certainty ?? '') || (verdict !== 'PASS' && verdict !== 'FAIL')) return null;
  const { acceptable = [verdict] } = expect;
  return { ...judges, path, expected: acceptable.map((one) => (one === 'WARN' ? 'PASS' : one)) };
}

function judge({ checkId, alsoBy = checkId, charge, expected }: Label, found: ReadonlyMap<string, string>) {
  const isCharged = (id: string): boolean => found.get(id)?.startsWith(charge) === true;
  // A valid file may still be short of what the other check asks.
  const isInvalid = isCharged(checkId) || (expected.includes('FAIL') && isCharged(alsoBy));
  return { checkId, expected, found: isInvalid ? 'FAIL' : 'PASS' };
}

async function judgeRobots(folder: string, { file, cases = [] }: RobotsRow): Promise<Row[]> {
  const robots = parseRobots(readFileSync(join(folder, 'robots', file), 'utf8'));
  return cases
    .filter(({ confidence }) => CERTAIN.has(confidence))
    .map(({ ua, url, expected }) => ({
      id: `robots/${basename(file)} ${ua} ${url}`,
      checkId: 'robots.txt',
      // A path that may not be fetched is what a check fails for.
      expected: [expected === 'allow' ? 'PASS' : 'FAIL'],
      found: decide(groupsFor(robots.groups.rfc, ua), new URL(url, 'http://example.com')).allowed ? 'PASS' : 'FAIL',
    }));
}

async function judgeSite(folder: string, { case: name, expect, must_report_absent = [] }: SiteRow): Promise<Row[]> {
  const root = join(folder, 'sites', name, 'www');
  const routes = Object.fromEntries(
    (existsSync(root) ? walk(root) : []).map((file): [string, FixtureAnswer] => {
      const path = `/${relative(root, file).split(sep).join('/')}`;
      const type = typeOf(path);
      return [path === '/index.html' ? '/' : path, { body: readFileSync(file), ...(type && { type }) }];
    }),
  );
  const found = await scanFiles(routes);
  const labels = Object.entries(expect).flatMap(([path, row]) => labelOf({ ...row, path }) ?? []);
  const judged = labels.filter(isFound);
  const rows = [...new Set(judged.map(({ checkId }) => checkId))].flatMap((checkId) => {
    // The check speaks of all of its files in one finding.
    const group = judged.filter((label) => label.checkId === checkId);
    const worst = group.find(({ expected }) => !expected.includes('PASS')) ?? group[0];
    return worst ? [{ ...judge(worst, found), id: `sites/${name} ${group.map(({ path }) => path).join(' ')}` }] : [];
  });
  const isAbsent = must_report_absent.includes('/llms.txt');
  const absence = { id: `sites/${name} no llms.txt`, checkId: 'C-LLMS-01', expected: ['FAIL'] };
  return isAbsent ? [...rows, { ...absence, found: found.get('C-LLMS-01') ?? '' }] : rows;
}

/** Sitemaps with other names count only where robots.txt leads to them. */
const isFound = ({ checkId, path }: Label): boolean => checkId !== 'C-SITE-01' || path === '/sitemap.xml';

const HOME = '<!doctype html><html lang="en"><head><title>A case</title></head><body><h1>A case</h1></body></html>';

async function scanFiles(routes: FixtureSite['routes']): Promise<ReadonlyMap<string, string>> {
  return verdictsOf(await scanFixture({ routes: { '/': HOME, ...routes } }));
}

function pathOf(kind: string, file: string, servedPath: string | undefined): string {
  if (servedPath !== undefined) return servedPath;
  if (kind === 'llms') return '/llms.txt';
  return kind === 'jsonld' ? '/' : `/sitemap${extname(file) === '.gz' ? '.xml.gz' : extname(file)}`;
}

/** A sitemap is found by its name in robots.txt. */
function robotsFor(kind: string, path: string): FixtureSite['routes'] {
  return kind === 'sitemaps' ? { '/robots.txt': `Sitemap: https://www.fixture-site.com${path}\n` } : {};
}

const documentOf = (path: string): string => basename(path, '.json').replace('server-card', 'mcp-server-card');

/** Where the type does not follow from the extension. */
function typeOf(path: string): string | undefined {
  if (path.endsWith('/api-catalog')) return 'application/linkset+json';
  return path.includes('/.well-known/') && extname(path) === '' ? 'application/json' : undefined;
}

function readIndex(folder: string, kind: string): unknown {
  const path = join(folder, kind, 'index.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as unknown) : [];
}

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
