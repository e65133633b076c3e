import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import { loadCompiled } from '../../src/compiled.js';

interface Program {
  readonly run: () => readonly [url: string, module: string];
}

const SCRIPT = `(function(exports,require,module,$base){
  exports.run = () => [$base, require('node:path').basename('/a/b.txt')];
})`;

/** A build of one program, and what is kept of it. */
function makeBuild(t: Test) {
  const folder = t.testdir({ src: { 'program.cjs': SCRIPT } });
  const base = pathToFileURL(join(folder, 'src/main.js')).href;
  const cache = join(folder, 'cache');
  const load = (name = 'program') => loadCompiled<Program>(name, 'serve', base);
  const kept = (): string => join(cache, readdirSync(cache)[0] ?? '');
  return { base, cache, load, kept };
}

t.test('a program that is one script has what a module has, and the place of the bundle', (t) => {
  const { base, load } = makeBuild(t);
  t.same(load()?.program.run(), [base, 'b.txt']);
  t.equal(load('other'), null, 'a checkout that is not bundled has none');
  t.end();
});

t.test('what was compiled is kept once, and taken at the next start', (t) => {
  const { cache, load, kept } = makeBuild(t);
  const first = load();
  first?.program.run();
  first?.keep();
  t.equal(readdirSync(cache).length, 1, 'nothing half written is left');
  const second = load();
  t.ok(second?.program.run());
  rmSync(kept());
  second?.keep();
  t.same(readdirSync(cache), [], 'what was taken is not written again');
  t.end();
});

t.test('what is damaged is not given to V8, and written again', (t) => {
  const { load, kept } = makeBuild(t);
  load()?.keep();
  const whole = readFileSync(kept());
  for (const damaged of [Buffer.alloc(0), whole.subarray(0, 100), Buffer.from(whole).fill(0, 64, 128)]) {
    writeFileSync(kept(), damaged);
    const compiled = load();
    t.ok(compiled?.program.run());
    compiled?.keep();
    t.equal(readFileSync(kept()).length > 100, true);
    t.ok(load()?.program.run());
  }
  t.end();
});

t.test('a program runs where nothing can be kept', (t) => {
  const { cache, load } = makeBuild(t);
  writeFileSync(cache, 'a file in the place of the folder');
  const compiled = load();
  compiled?.keep();
  t.ok(compiled?.program.run());
  t.end();
});
