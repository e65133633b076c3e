import { PassThrough, Writable } from 'node:stream';
import t from 'tap';
import { askPassword } from '../../src/cli/site-access.js';

function openTerminal(isTTY: boolean) {
  const modes: boolean[] = [];
  let shown = '';
  const stdin = Object.assign(new PassThrough(), { isTTY, setRawMode: (mode: boolean) => modes.push(mode) });
  const stderr = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      shown += chunk.toString();
      done();
    },
  });
  const asked = askPassword(stdin as unknown as NodeJS.ReadStream, stderr);
  return { stdin, asked, modes, shown: () => shown };
}

t.test('a password is read without being shown', async (t) => {
  const { stdin, asked, modes, shown } = openTerminal(true);
  for (const keys of ['sec', 'rex', '\u007f', 't\r']) stdin.write(keys);
  t.equal(await asked, 'secret');
  t.same(modes, [true, false]);
  t.equal(shown(), 'Password: \n');
});

t.test('nothing typed, broken off, or no terminal: one line says what to do', async (t) => {
  for (const keys of ['\r', 'ab\u0003']) {
    const { stdin, asked, modes } = openTerminal(true);
    stdin.write(keys);
    await t.rejects(asked, { name: 'InputError', message: /^--basic: / });
    t.same(modes, [true, false]);
  }
  await t.rejects(openTerminal(false).asked, { name: 'InputError', message: /SCAN_PASSWORD/ });
});
