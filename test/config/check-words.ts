/**
 * Part of `make check`: phrases that we once wrote and that no native engineer does, in comments, messages, test titles and docs. Each says
 * what to write instead. Not read: what others wrote (fixtures, corpus), history (CHANGELOG.md, migrations) and this file.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const READ = /^(src|test|spec|docs|deploy|README\.md|CONTRIBUTING\.md|SECURITY\.md|Makefile)/;
const NOT_READ = /^(test\/(fixtures|corpus)\/|src\/store\/migrations\/|test\/config\/check-words\.ts$)/;
const TEXT = /\.(tsx?|c?js|css|md|tsp|sh|yaml)$|^Makefile$/;

/** What is refused, and what to write instead. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\banew\b/i, '"again"'],
  [/\bmend(s|ed|ing)?\b/i, '"fix"'],
  [/[a-z](Anew|Mend(s|ed|ing)?)\b/, 'the name with "again" or "fix"'],
  [/\bbeside\b/i, '"next to", "alongside", "with" or "besides"'],
  [/\brests? on\b/i, '"depends on", "is based on", or "the evidence behind"'],
  [/\bfor whom asks\b|\bto whom asks\b|\bfor who asked\b/i, '"for clients that ask"'],
  [
    /(?<!\bthere )\b(is|are|was|were) no (?!longer|more|less|fewer|better|different|harder|use\b|way\b|need\b|one\b|operation’s)[a-z]/i,
    '"is not a …"',
  ],
];

/** The same in `src` alone, where they are gone already. */
const PHRASES_OF_SRC: typeof PHRASES = [
  [/\bwhoever\b/i, 'who it is: "the caller", "a client that", "anyone who"'],
  [/\bgo(es)? on\b/i, '"continues", "resumes" or "is running"'],
];

const faults: string[] = [];
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' });
for (const path of files.split('\n')) {
  if (!READ.test(path) || NOT_READ.test(path) || !TEXT.test(path)) continue;
  for (const [index, line] of readFileSync(path, 'utf8').split('\n').entries()) {
    for (const [phrase, instead] of path.startsWith('src/') ? [...PHRASES, ...PHRASES_OF_SRC] : PHRASES) {
      const found = phrase.exec(line)?.[0];
      if (found !== undefined) faults.push(`${path}:${index + 1}: "${found}": write ${instead}.`);
    }
  }
}
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
