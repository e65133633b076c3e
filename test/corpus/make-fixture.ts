/** `make fixture FROM=file.har [NAME=…]`: adds a recorded site to the corpus. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HarError, readRecording } from '../../src/scanner/trace/recording.js';
import { PROJECT } from '../support/project.js';
import type { CorpusCase } from './case.js';
import { makeCase } from './case-of-har.js';

const FILE = join(PROJECT, 'test', 'corpus', 'cases', 'disputes.json');
const { FROM = '', NAME = 'dispute' } = process.env;

function refuse(message: string): never {
  console.error(message);
  process.exit(2);
}

if (FROM === '' || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(NAME))
  refuse('Usage: make fixture FROM=file.har [NAME=name-in-kebab-case]');
if (!existsSync(FROM)) refuse(`There is no file ${FROM}.`);
try {
  const { corpusCase, rows } = await makeCase(readRecording(readFileSync(FROM)), NAME);
  const cases = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as CorpusCase[]) : [];
  const others = cases.filter(({ id }) => id !== NAME);
  writeFileSync(FILE, `${JSON.stringify([...others, corpusCase], null, 2)}\n`);
  for (const { checkId, before, after } of rows)
    console.log(
      `${checkId.padEnd(10)} ${before}${before === after ? '' : `  →  ${after}  (changed, left out of "expect")`}`,
    );
  console.log(
    `\nWritten to ${FILE} as "${NAME}". Cut it down to what the rule needs, and put your own words in place of the site's.`,
  );
  console.log('Then say in "shows" which rule it shows, and set the label of the standard in "expect".');
} catch (error) {
  if (!(error instanceof HarError)) throw error;
  refuse(`${FROM} cannot be replayed: ${error.message}.`);
}
