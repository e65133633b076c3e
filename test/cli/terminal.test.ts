import { EventEmitter } from 'node:events';
import t from 'tap';
import { readTerminalLook } from '../../src/config.js';
import { createTerminalOutput } from '../../src/cli/terminal.js';

class Stream extends EventEmitter {
  written = '';
  isTTY = false;

  write(text: string): boolean {
    this.written += text;
    return true;
  }
}

function openTerminal({ isTTY = false, env = {} }: { isTTY?: boolean; env?: NodeJS.ProcessEnv } = {}) {
  const stdout = Object.assign(new Stream(), { isTTY, columns: 60 });
  const stderr = Object.assign(new Stream(), { isTTY });
  const exits: number[] = [];
  const output = createTerminalOutput(
    readTerminalLook(env),
    stdout as unknown as NodeJS.WriteStream,
    stderr as unknown as NodeJS.WriteStream,
    (code) => exits.push(code),
  );
  return { output, stdout, stderr, exits };
}

const fault = (code: string) => Object.assign(new Error(`write ${code}`), { code });

t.test('data go to stdout as they are, notes to stderr as lines', async (t) => {
  const { output, stdout, stderr } = openTerminal();
  output.data('a');
  output.note('b');
  t.same([stdout.written, stderr.written], ['a', 'b\n']);
  t.equal(output.progress, null);
});

t.test('progress on a terminal replaces its last line', async (t) => {
  const { output, stderr } = openTerminal({ isTTY: true });
  output.progress?.('half');
  t.equal(stderr.written, '\r\u001b[2Khalf');
});

t.test('if the reader of stdout exits, the program ends silently with 141', async (t) => {
  const { stdout, stderr, exits } = openTerminal();
  stdout.emit('error', fault('EPIPE'));
  t.same(exits, [141]);
  t.equal(stderr.written, '');
});

t.test('another failure of stdout is an internal error', async (t) => {
  const { stdout, stderr, exits } = openTerminal();
  stdout.emit('error', fault('ENOSPC'));
  t.same(exits, [4]);
  t.match(stderr.written, /^agent-readiness-scan [^\n]*\bstdout\b[^\n]*ENOSPC\n$/);
});

t.test('a closed stderr does not stop the work', async (t) => {
  const { output, stderr, stdout, exits } = openTerminal();
  stderr.emit('error', fault('EPIPE'));
  output.data('a');
  t.same([exits, stdout.written], [[], 'a']);
});

t.test('colours on terminals, Unicode by locale', async (t) => {
  const lookOf = (isTTY: boolean, env: NodeJS.ProcessEnv = {}) => openTerminal({ isTTY, env }).output.display;
  t.same(lookOf(true, { LANG: 'de_DE.UTF-8' }), { hasColour: true, isUnicode: true, columns: 60 });
  t.same(lookOf(false, { LC_ALL: 'C.utf8' }), { hasColour: false, isUnicode: true, columns: 80 });
  t.equal(lookOf(true, { NO_COLOR: '1' }).hasColour, false);
  t.equal(lookOf(true, { NO_COLOR: '' }).hasColour, true, 'an empty one does not count (no-color.org)');
  t.equal(lookOf(true, { TERM: 'dumb' }).hasColour, false);
  t.equal(lookOf(true, { LC_ALL: 'C', LANG: 'en_GB.UTF-8' }).isUnicode, false, 'LC_ALL goes before LANG');
  t.equal(lookOf(true, { LC_ALL: '', LANG: 'en_GB.UTF-8' }).isUnicode, true);
  t.equal(lookOf(true, { WT_SESSION: 'a' }).isUnicode, true, 'Windows Terminal');
  t.equal(lookOf(true, { TERM: 'dumb', LANG: 'C.utf8' }).isUnicode, false);
});

t.test('lines are as wide as the terminal, from 40 to 100 columns', async (t) => {
  const columnsOf = (COLUMNS: string): number => openTerminal({ env: { COLUMNS } }).output.display.columns;
  t.same(['', '72', '9', '300', 'wide'].map(columnsOf), [80, 72, 40, 100, 80]);
});
