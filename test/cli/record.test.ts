import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { RECORDING_LIMITS } from '../../src/scanner/limits.js';
import type { Recording } from '../../src/scanner/trace/recording.js';
import type { FixtureSite } from '../support/fixture-site.js';
import { never, runScanCommand } from '../support/memory-output.js';
import { harOf, recordFixture } from '../support/recorded.js';

const SITE: FixtureSite = {
  origin: 'https://www.fixture-kiosk.com',
  routes: { '/': '<!doctype html><html lang="en"><title>Kiosk</title><h1>Kiosk</h1><p>Tickets</p></html>' },
};

/** Runs `scan` over a fixture site. A replay must ask for nothing of it. */
async function runScan(args: readonly string[], version = '1.2.3') {
  const options = { version, ...(args.includes('--replay') && { createDeps: never }) };
  const { exitCode, output } = await runScanCommand(args, { record: () => recordFixture(SITE) }, options);
  return { exitCode, stdout: output.stdout, stderr: output.stderr };
}

/** Writes a recording of the site, changed, to a file. */
async function fileOf(folder: string, change: (recording: Recording) => Recording = (same) => same): Promise<string> {
  const { recording } = await recordFixture(SITE);
  const file = join(folder, 'changed.har');
  writeFileSync(file, harOf(change(recording)));
  return file;
}

t.test('--replay prints what --record printed, in every format', async (t) => {
  // --record replaces the file.
  const file = join(t.testdir({ 'kiosk.har': 'before' }), 'kiosk.har');
  for (const format of ['table', 'json', 'markdown', 'junit']) {
    const recorded = await runScan(['www.fixture-kiosk.com', '--record', file, '--format', format]);
    t.equal(recorded.exitCode, 0);
    t.same(await runScan(['--replay', file, '--format', format]), recorded, format);
    const withAddress = await runScan(['www.fixture-kiosk.com', '--replay', file, '--format', format]);
    t.same(withAddress, recorded, 'with its address');
  }
});

t.test('a file that cannot be recorded or replayed is one line on stderr', async (t) => {
  const folder = t.testdir({ 'text.har': 'hello', 'list.har': '[]' });
  const file = await fileOf(folder);
  const har = JSON.parse(readFileSync(file, 'utf8')) as { readonly log: { readonly entries: readonly object[] } };
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const withLog = (name: string, log: object): string => write(name, JSON.stringify({ log: { ...har.log, ...log } }));
  const cut = write('cut.har', readFileSync(file, 'utf8').slice(0, -9));
  const large = join(folder, 'large.har');
  writeFileSync(large, '');
  truncateSync(large, RECORDING_LIMITS.bytesMax + 1);
  const [first = {}] = har.log.entries;
  const cases: [args: string[], message: RegExp][] = [
    [['--replay', join(folder, 'none')], /none .*\bno such file\b/],
    [['--replay', folder], /\bregular\b/],
    [['--replay', join(folder, 'text.har')], /text\.har .*\bcut\b.*\bHAR\b/],
    [['--replay', cut], /cut\.har .*\bcut\b.*\bHAR\b/],
    [['--replay', join(folder, 'list.har')], /list\.har .*\bHAR\b/],
    [['--replay', withLog('other.har', { version: '1.1' })], /\bHAR 1\.2\b/],
    [['--replay', withLog('browser.har', { _run: undefined })], / --record\b/],
    [['--replay', withLog('empty.har', { entries: [] })], /empty\.har .*\bresponses\b/],
    [['--replay', withLog('asked.har', { entries: [{ ...first, response: undefined }] })], /\bentry 1\b/],
    [['--replay', withLog('odd.har', { entries: [{ ...first, time: '1' }] })], /odd\.har .*\bentries\b/],
    [['--replay', withLog('many.har', { entries: Array(500).fill(first) })], /many\.har .*\brequests\b/],
    [['--replay', large], /\b64 MiB\b/],
    [['--replay', file, '--record', file], /^--record .*--replay\b/],
    [['--replay', file, '--save', file], /^--save\b.*\brecording\b/],
    [['--replay', file, '--only', 'C-BOT-01'], /^--only and --skip /],
    [['--replay', file, '--local'], /^--replay .*--local, --header or --basic\b/],
    [['other.example.com', '--replay', file], /^--replay: .* www\.fixture-kiosk\.com\b/],
    [['example.com', '--record', folder], /^--record: .* a folder\b/],
    [['example.com', '--record', ''], /^--record: /],
  ];
  for (const [args, message] of cases) {
    const { exitCode, stdout, stderr } = await runScan(args);
    t.match(stderr, message);
    t.same({ exitCode, stdout }, { exitCode: 2, stdout: '' }, args.join(' '));
    t.equal(stderr.trimEnd().split('\n').length, 1, 'one line');
  }
});

t.test('a missing request is reported with the version that recorded the file', async (t) => {
  const file = await fileOf(t.testdir(), (recording) => ({
    ...recording,
    entries: recording.entries.filter(({ request }) => !request.url.endsWith('/robots.txt')),
  }));
  const same = await runScan(['--replay', file]);
  t.match(same.stderr, /^[^\n]*\bone request\b[^\n]*\n$/);
  const { stderr } = await runScan(['--replay', file], '1.3.0');
  t.match(stderr, / 1\.2\.3 .* 1\.3\.0\./);
});
