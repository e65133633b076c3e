/** `make fixture FROM=file.har [NAME=…]`: a recorded site becomes a case of the corpus, without its host and its words. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HarError, readRecording } from '../../src/scanner/trace/read-har.js';
import type { CorpusCase } from '../corpus/case.js';
import { PROJECT } from '../support/project.js';
import { makeFixture } from './make-fixture.js';

const FILE = join(PROJECT, 'test', 'corpus', 'cases', 'disputes.json');

const { FROM = '', NAME = 'dispute' } = process.env;
if (FROM === '' || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(NAME)) {
  console.error('Usage: make fixture FROM=file.har [NAME=name-in-kebab-case]');
  process.exitCode = 2;
} else if (!existsSync(FROM)) {
  console.error(`There is no file ${FROM}.`);
  process.exitCode = 2;
} else {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof HarError)) throw error;
    console.error(`${FROM} cannot be replayed: ${error.message}.`);
    process.exitCode = 2;
  }
}

async function write(): Promise<void> {
  const { corpusCase, rows } = await makeFixture(readRecording(readFileSync(FROM)), NAME);
  const cases = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as CorpusCase[]) : [];
  const others = cases.filter(({ id }) => id !== NAME);
  writeFileSync(FILE, `${JSON.stringify([...others, corpusCase], null, 2)}\n`);

  for (const { checkId, before, after } of rows) {
    console.log(`${checkId.padEnd(10)} ${before === after ? before : `${before}  →  ${after}  (changed)`}`);
  }
  const changed = rows.filter(({ before, after }) => before !== after);
  console.log(`\nWritten to ${FILE} as "${NAME}". Read it: nothing of the site may be left.`);
  console.log('Then say in "shows" which rule it shows, and set the label that the standard gives it in "expect".');
  if (changed.length === 0) return;
  console.log(
    `${changed.length} findings changed: the case says nothing of these checks. Fix its answers if one is disputed.`,
  );
  process.exitCode = 1;
}
