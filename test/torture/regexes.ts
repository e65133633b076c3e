import { readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import ts from 'typescript';
import { takeApart } from './regex-attacks.js';

/**
 * Tries every regular expression of the product on texts of 100 kB that are made of its own parts, and measures the longest. Exit
 * code 1 when one takes more CPU time than LIMIT_MS, or has a quantifier without end inside another one.
 */
const LIMIT_MS = 50;
const CHARS = 100_000;
/** Ends that most expressions do not fit. */
const ENDS = ['', '\0'];
/** The best of so many counts: what another process added is not a property of the expression. */
const TRIES = 3;

interface FoundRegex {
  readonly place: string;
  readonly regex: RegExp;
  /** Where it is what a text is split at: into how many parts. */
  readonly splitMax: number | null;
}

function findRegexes(path: string): FoundRegex[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: FoundRegex[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      const regex = new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
      found.push({ place: `${path}:${line}`, regex, splitMax: splitMaxOf(node) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function splitMaxOf({ parent }: ts.Node): number | null {
  if (!ts.isCallExpression(parent) || !ts.isPropertyAccessExpression(parent.expression)) return null;
  if (parent.expression.name.text !== 'split') return null;
  const [, limit] = parent.arguments;
  return limit && ts.isNumericLiteral(limit) ? Number(limit.text) : Infinity;
}

/** Milliseconds for the whole text, as the expression is used: for one match, for all of them, or to split at it. */
function measure({ regex, splitMax }: FoundRegex, text: string): number {
  let best = Infinity;
  for (let tries = 0; tries < TRIES && best > LIMIT_MS / 2; tries += 1) {
    regex.lastIndex = 0;
    const began = process.cpuUsage();
    if (splitMax !== null) text.split(regex, splitMax === Infinity ? undefined : splitMax);
    else if (regex.global) text.replaceAll(regex, '');
    else regex.test(text);
    best = Math.min(best, process.cpuUsage(began).user / 1000);
  }
  return best;
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => ['.ts', '.tsx', '.js'].includes(extname(file)))
  .map((file) => join('src', file));
const regexes = files.flatMap(findRegexes);
const faults: string[] = [];
let worst = { ms: 0, what: 'none' };
let textCount = 0;

for (const found of regexes) {
  const { attacks, hasNestedQuantifier } = takeApart(found.regex);
  if (hasNestedQuantifier) faults.push(`${found.place}: a quantifier inside a quantifier`);
  let slowest = { ms: 0, what: '' };
  for (const { start, piece } of attacks) {
    const body = start + piece.repeat(Math.ceil(CHARS / piece.length));
    for (const end of ENDS) {
      const ms = measure(found, body + end);
      textCount += 1;
      if (ms > slowest.ms)
        slowest = { ms, what: `${found.place}: ${JSON.stringify(start)} + ${JSON.stringify(piece)}…` };
    }
  }
  if (slowest.ms > worst.ms) worst = slowest;
  if (slowest.ms > LIMIT_MS) faults.push(`${slowest.ms.toFixed(0)} ms  ${slowest.what}`);
}

console.log(
  `${regexes.length} regular expressions of ${files.length} files on ${textCount} texts of 100 kB: the slowest took ${worst.ms.toFixed(1)} ms (${worst.what}).`,
);
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exitCode = 1;
}
