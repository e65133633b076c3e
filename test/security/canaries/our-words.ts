import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { schemaOrg } from '../../../src/scanner/artifacts/schema-org.js';
import { PROJECT } from '../../support/project.js';

const SOURCE = join(PROJECT, 'src');
/** The parts of the source that write details. */
const ROOMS = /^(?:net\/failure|scanner\/(?:artifacts|checks(?!\/fixes)|client|gatherers|parsers|probe|verdict))/;
/** A check's own texts, which no detail contains. */
const FIXED_TEXTS = new Set(['title', 'explanation', 'fix']);

/** Every word of a string in the source that writes details, in lower case. */
export function readOurWords(): ReadonlySet<string> {
  const vocabulary = new Set<string>();
  for (const { file, text } of readSources()) {
    if (!ROOMS.test(file)) continue;
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true), vocabulary);
  }
  return vocabulary;
}

/** The words in names of schema.org, which a site selects from. */
export function schemaWords(): ReadonlySet<string> {
  const { types, properties } = schemaOrg();
  return new Set([...types, ...properties].flatMap(splitWords));
}

/** The letters of each word. */
export function splitWords(text: string): string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? [];
}

/** Every file of the source, by its path within it. */
export function readSources(): { readonly file: string; readonly text: string }[] {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => ({ file, text: readFileSync(join(SOURCE, file), 'utf8') }));
}

function visit(node: ts.Node, vocabulary: Set<string>): void {
  const isProperty = ts.isPropertyAssignment(node);
  if (isProperty && FIXED_TEXTS.has(node.name.getText())) return;
  const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
  // A detail may name the key of an object, such as a kind of sitemap.
  const text = isText ? node.text : isProperty && ts.isIdentifier(node.name) ? node.name.text : '';
  for (const word of splitWords(text)) vocabulary.add(word);
  node.forEachChild((inner) => visit(inner, vocabulary));
}
