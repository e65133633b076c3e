/**
 * Runs test files one after another in this process, each as one test of the root, which `tap` reports: what they have in common is
 * loaded once. A variable of the environment holds the compiled files by their names, in JSON.
 */
import { pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import { FILES_VARIABLE } from './test-processes.js';

const programs = JSON.parse(process.env[FILES_VARIABLE] ?? '{}') as Readonly<Record<string, string>>;
let current: Test = t;

for (const [name, program] of Object.entries(programs)) {
  void t.test(name, async (t) => {
    current = t;
    await import(pathToFileURL(program).href);
  });
}

/** What a file, or what it uses, adds to the root becomes part of the file's own test. */
t.test = ((...args: Parameters<Test['test']>) => current.test(...args)) as Test['test'];
/** The root's own folder has the same name in every process. */
t.testdir = (...args: Parameters<Test['testdir']>) => current.testdir(...args);
