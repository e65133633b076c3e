import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { evidenceOf } from '../../../src/scanner/trace/kept-evidence.js';
import { writeEvidence } from '../../../src/scanner/trace/write-evidence.js';
import { FIXTURE_ORIGIN, type FixtureSite } from '../../support/fixture-site.js';
import { scanKeeping } from '../../support/golden.js';
import { PROJECT } from '../../support/project.js';
import { recordFixture, warcOf } from '../../support/recorded.js';

const HOME = '<!doctype html><html lang="de"><title>Kiosk</title><h1>Zeitungen über den Hafen</h1></html>';
const SITE: FixtureSite = {
  routes: {
    '/': { headers: { 'content-encoding': 'gzip', link: '</ünï>; rel="x"' }, body: gzipSync(HOME) },
    '/robots.txt': { headers: { 'content-encoding': 'gzip' }, body: gzipSync('User-agent: *\nDisallow: /\n') },
    '/llms.txt': { body: `# Kiosk\n\n${'- [Tickets](/tickets)\n'.repeat(200)}`, cut: true },
    '/sitemap.xml': { failure: 'reset' },
  },
};

/** A record as Python's warcio reads it: `digest` is true where its digest is right. */
interface ReadRecord {
  readonly type: string;
  readonly url: string | null;
  readonly digest: boolean | null;
  readonly status: string | null;
  readonly body: string;
}

const { recording } = await recordFixture(SITE);
const RECORDED = warcOf(recording);
const EVIDENCE = await makeEvidence();

t.test("python's warcio reads every record", { skip: whyNoPython() }, async (t) => {
  const records = readByPython(t, RECORDED);
  t.equal(records.filter(({ type }) => type === 'request').length, recording.exchanges.length);
  t.match(
    records.find(({ type, url }) => type === 'response' && url === `${FIXTURE_ORIGIN}/`),
    { status: '200', body: HOME },
    'with its content coding undone',
  );
  const evidence = readByPython(t, EVIDENCE);
  t.ok(evidence.some(({ type }) => type === 'response'));
  t.same(
    [...records, ...evidence].filter(({ digest }) => digest !== true),
    [],
    'each digest is right',
  );
});

t.test('jwarc finds every record valid', { skip: whyNoJwarc() }, async (t) => {
  for (const bytes of [RECORDED, EVIDENCE]) {
    // It fails where one is not.
    const said = runJwarc('validate', '--verbose', fileOf(t, bytes));
    t.ok((said.match(/block digest pass/g)?.length ?? 0) > 10);
  }
  t.match(runJwarc('cdx', fileOf(t, RECORDED)), `${FIXTURE_ORIGIN}/ text/html 200`);
});

/** What the failures of the site are based on, as its owner takes it along. */
async function makeEvidence(): Promise<Buffer> {
  const { evidence } = await scanKeeping(SITE);
  const shown = evidence?.findings.flatMap(({ checkId }) => evidenceOf(evidence, checkId) ?? []) ?? [];
  return Buffer.concat([...writeEvidence(shown, { version: '1.2.3', startedAt: new Date() })]);
}

function fileOf(t: Test, bytes: Uint8Array): string {
  const file = join(t.testdir(), 'site.warc.gz');
  writeFileSync(file, bytes);
  return file;
}

function readByPython(t: Test, bytes: Uint8Array): ReadRecord[] {
  const script = join(PROJECT, 'test', 'scanner', 'recording', 'read-warc.py');
  return JSON.parse(execFileSync('python3', [script, fileOf(t, bytes)], { encoding: 'utf8' })) as ReadRecord[];
}

function whyNoPython(): string | false {
  const { status } = spawnSync('python3', ['-c', 'import warcio']);
  return status === 0 ? false : "python's warcio is not installed";
}

/** Where Maven keeps it; null if it does not. */
function findJwarc(): string | null {
  const folder = join(homedir(), '.m2', 'repository', 'org', 'netpreserve', 'jwarc');
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const jar = names.sort().findLast((name) => /jwarc-[\d.]+\.jar$/.test(name));
    return jar === undefined ? null : join(folder, jar);
  } catch {
    return null;
  }
}

function runJwarc(...args: readonly string[]): string {
  return execFileSync('java', ['-jar', findJwarc() ?? '', ...args], { encoding: 'utf8' });
}

function whyNoJwarc(): string | false {
  if (spawnSync('java', ['-version']).status !== 0) return 'Java is not installed';
  return findJwarc() ? false : 'jwarc is not installed: mvn dependency:get -Dartifact=org.netpreserve:jwarc:0.31.1';
}
