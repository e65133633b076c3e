import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { schemaOrg } from '../../src/scanner/artifacts/schema-org.js';
import { PROJECT } from '../support/project.js';

/** What the scanner looks for in what sites serve. */
export interface KnownWords {
  /** In lower case. */
  readonly words: ReadonlySet<string>;
  /** Whole strings of the source, such as the names of header fields. */
  readonly strings: ReadonlySet<string>;
}

/** Sentences are for people; what is looked for has no spaces. */
const TOKEN = /^[^\s]{1,80}$/;

/** Reads the words of the scanner's own source: its names, and the strings and patterns that it compares with. */
export function readKnownWords(): KnownWords {
  const words = new Set<string>();
  const strings = new Set<string>();
  const add = (text: string): void => {
    for (const [word] of text.matchAll(/\p{L}+/gu)) words.add(word.toLowerCase());
  };
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isRegularExpressionLiteral(node)) add(node.text);
    if (ts.isStringLiteralLike(node) && TOKEN.test(node.text)) {
      strings.add(node.text);
      add(node.text);
    }
    ts.forEachChild(node, visit);
  };
  for (const file of sourceFiles(join(PROJECT, 'src', 'scanner'))) {
    visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest));
  }
  const { types, properties, members } = schemaOrg();
  for (const term of [...types, ...properties, ...members]) add(term);
  return { words, strings };
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
}
