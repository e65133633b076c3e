/**
 * A process of the test runner: runs the files of TEST_FILES (JSON: the compiled files by name) one after another, each as one test of
 * tap's root, so that they load their imports once.
 */
import asyncHooks, { type AsyncHook } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Test } from 'tap';
import { Format, Match } from 'tcompare';

// tap records which test each promise and timer belongs to, for errors that nobody catches. That costs a tenth of the suite. Without it,
// such an error ends the process, which also fails the file.
const { createHook } = asyncHooks;
const idle: AsyncHook = { enable: () => idle, disable: () => idle };
setCreateHook(() => idle);
const { default: t } = await import('tap');
setCreateHook(createHook);

function setCreateHook(value: typeof createHook): void {
  asyncHooks.createHook = value;
  syncBuiltinESMExports();
}

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
