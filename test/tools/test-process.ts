/**
 * A process of the test runner: runs the files of TEST_FILES (JSON: the compiled files by name) one after another, each as one test of
 * tap's root, so that they load their imports once.
 */
import { pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import { Format, Match } from 'tcompare';

// `t.match` compares lists whole. By default it compares as many items as are expected, so `t.match(answer, { problems: [] })` always holds.
const whole = Object.getOwnPropertyDescriptor(Format.prototype, 'objectAsArray');
if (!whole) throw new Error('this version of tcompare reads lists in another way');
Object.defineProperty(Match.prototype, 'objectAsArray', whole);

let current: Test = t;
for (const [name, program] of Object.entries(JSON.parse(process.env.TEST_FILES ?? '{}') as Record<string, string>)) {
  void t.test(name, async (t) => {
    current = t;
    await import(pathToFileURL(program).href);
  });
}
// What a file adds to the root becomes part of its own test.
t.test = ((...args: Parameters<Test['test']>) => current.test(...args)) as Test['test'];
t.testdir = (...args: Parameters<Test['testdir']>) => current.testdir(...args);
