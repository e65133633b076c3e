import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import t from 'tap';
import { runProgram } from '../../src/cli/program.js';
import { addScanCommand } from '../../src/cli/scan.js';
import { CHECKS } from '../../src/scanner/checks/index.js';
import { RECORDING_LIMITS, type Recording } from '../../src/scanner/trace/recording.js';
import type { FixtureSite } from '../support/fixture-site.js';
import { MemoryOutput } from '../support/memory-output.js';
import { recordFixture, warcOf } from '../support/recorded.js';

const SITE: FixtureSite = {
  origin: 'https://www.fixture-kiosk.com',
  routes: { '/': '<!doctype html><html lang="en"><title>Kiosk</title><h1>Kiosk</h1><p>Tickets</p></html>' },
};

/** Runs `scan` over a fixture site. A replay must ask for nothing of it. */
async function runScan(args: readonly string[], version = '1.2.3') {
  const output = new MemoryOutput();
  const never = () => Promise.reject(new Error('a network was asked for'));
  const record = () => recordFixture(SITE);
  const command = addScanCommand(
    async () => CHECKS,
    args.includes('--replay')
      ? never
      : async () => ({ vetTarget: async () => null, scan: never, record, tryOverlay: never }),
    output,
    never,
  );
  const exitCode = await runProgram(['scan', ...args], [command], output, version);
  return { exitCode, stdout: output.stdout, stderr: output.stderr };
}

/** A file that holds this record, changed. */
async function fileOf(folder: string, change: (recording: Recording) => Recording = (same) => same): Promise<string> {
  const { recording } = await recordFixture(SITE);
  const file = join(folder, 'changed.warc.gz');
  writeFileSync(file, warcOf(change(recording)));
  return file;
}

t.test('--replay prints what --record printed, in every format', async (t) => {
  const file = join(t.testdir(), 'kiosk.warc.gz');
  for (const format of ['table', 'json', 'markdown', 'junit']) {
    const recorded = await runScan(['www.fixture-kiosk.com', '--record', file, '--format', format]);
    t.equal(recorded.exitCode, 0);
    t.same(await runScan(['--replay', file, '--format', format]), recorded, format);
    t.same(
      await runScan(['www.fixture-kiosk.com', '--replay', file, '--format', format]),
      recorded,
      'with its address',
    );
  }
});

t.test('--record replaces the file', async (t) => {
  const file = join(t.testdir({ 'kiosk.warc.gz': 'before' }), 'kiosk.warc.gz');
  await runScan(['www.fixture-kiosk.com', '--record', file]);
  t.same([...readFileSync(file).subarray(0, 2)], [0x1f, 0x8b]);
});

/** The file with one octet changed, in a body that holds this word. */
function damage(file: Buffer, word: string): Buffer {
  file.write('-', file.indexOf(word));
  return file;
}

t.test('what cannot be recorded or replayed is said in one line', async (t) => {
  const folder = t.testdir({ 'text.warc.gz': 'hello', 'bad.warc.gz': Buffer.from([0x1f, 0x8b, 0, 0]) });
  const file = await fileOf(folder);
  const whole = readFileSync(file);
  const write = (name: string, bytes: Uint8Array): string => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };
  const bomb = write('bomb.warc.gz', gzipSync(Buffer.alloc(RECORDING_LIMITS.bytesMax + 1)));
  const members = write(
    'members.warc.gz',
    Buffer.concat(Array.from({ length: 90 }, () => gzipSync(Buffer.alloc(1_048_576)))),
  );
  const cut = write('cut.warc.gz', whole.subarray(0, whole.length - 9));
  const damaged = write('damaged.warc', damage(gunzipSync(whole), 'Tickets'));
  const foreign = write(
    'foreign.warc',
    Buffer.from('WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n'),
  );
  const lying = write('lying.warc', Buffer.from('WARC/1.1\r\nContent-Length: 99999999999\r\n\r\n\r\n\r\n'));
  const many = write('many.warc', Buffer.from('WARC/1.1\r\nContent-Length: 0\r\n\r\n\r\n\r\n'.repeat(5000)));
  const cases: [args: string[], message: RegExp][] = [
    [['--replay', join(folder, 'none')], /cannot be replayed: there is no such file\./],
    [['--replay', folder], /it is not a regular file\./],
    [['--replay', join(folder, 'text.warc.gz')], /it is cut off, or no WARC file\./],
    [['--replay', join(folder, 'bad.warc.gz')], /it is cut off, or no gzip file\./],
    [['--replay', cut], /it is cut off, or no gzip file\./],
    [['--replay', damaged], /one of its records is damaged, its digest differs: copy the file again, or record the/],
    [['--replay', bomb], /it holds more than a scan can fetch\./],
    [['--replay', members], /it holds more than a scan can fetch\./],
    [['--replay', foreign], /it was not written by scan --record\./],
    [['--replay', lying], /it is cut off\./],
    [['--replay', many], /it has more than \d+ records\./],
    [['--replay', file, '--record', file], /Give one of the two\./],
    [['--replay', file, '--only', 'C-BOT-01'], /--only and --skip scan again/],
    [['--replay', file, '--local'], /--replay asks no site: leave --local, --header and --basic out\./],
    [['other.example.com', '--replay', file], /is the record of www\.fixture-kiosk\.com\./],
    [['example.com', '--record', folder], /--record: .* it is a folder/],
    [['example.com', '--record', ''], /--record: .* give the name of a file/],
  ];
  for (const [args, message] of cases) {
    const { exitCode, stdout, stderr } = await runScan(args);
    t.match(stderr, message);
    t.same({ exitCode, stdout }, { exitCode: 2, stdout: '' }, args.join(' '));
    t.equal(stderr.trimEnd().split('\n').length, 1, 'one line');
  }
});

t.test('a request that is not in the file is told, with the version that recorded it', async (t) => {
  const file = await fileOf(t.testdir(), (recording) => ({
    ...recording,
    exchanges: recording.exchanges.filter(({ request }) => !request.url.endsWith('/robots.txt')),
  }));
  const same = await runScan(['--replay', file]);
  t.equal(
    same.stderr,
    'This scan made one request that is not in the file. Nothing answered there, so findings may differ.\n',
  );
  const { stderr } = await runScan(['--replay', file], '1.3.0');
  t.match(stderr, 'not in the file: version 1.2.3 recorded it, this is 1.3.0.');
});
