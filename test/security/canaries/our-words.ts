import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { schemaOrg } from '../../../src/scanner/artifacts/schema-org.js';
import { PROJECT } from '../../support/project.js';

const SOURCE = join(PROJECT, 'src');
/** Where the words of findings are written. */
const ROOMS = [
  'net/failure',
  'scanner/artifacts',
  'scanner/checks',
  'scanner/client/challenge',
  'scanner/gatherers',
  'scanner/parsers/headers',
  'scanner/parsers/manifests',
  'scanner/probe',
  'scanner/verdict/verdict',
];
/** What belongs to the checks and is in no detail: fixes, and what shows them. */
const FIXES = /^scanner\/checks\/(?:fixes\/|[^/]+\/(?:failures|examples)\.ts$)/;
/** Texts of a check that no scan changes; they are in no detail. */
const FIXED_TEXTS = new Set(['title', 'explanation', 'fix']);

/** One text of the source that details are made of; between its parts stands what is put in. */
export interface Template {
  /** File and line. */
  readonly place: string;
  readonly parts: readonly string[];
}

export interface OurWords {
  readonly templates: readonly Template[];
  /** Every word that stands in a string of the source, in lower case. */
  readonly vocabulary: ReadonlySet<string>;
}

/** Reads what details can be made of from the source itself, so that a new check needs no list to be kept. */
export function readOurWords(): OurWords {
  const templates: Template[] = [];
  const vocabulary = new Set<string>();
  for (const { file, text } of readSources()) {
    if (FIXES.test(file) || !ROOMS.some((room) => file.startsWith(room))) continue;
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    visit(source, (node) => {
      const parts = textsOf(node);
      for (const word of parts.flatMap(splitWords)) vocabulary.add(word);
      if (isWordsTemplate(node) || isLongTerm(node)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        templates.push({ place: `${file}:${line + 1}`, parts });
      }
    });
  }
  return { templates, vocabulary };
}

/** Names of schema.org that a finding may name: whatever else a site calls a property, this is all that it can choose from. */
export function schemaWords(): ReadonlySet<string> {
  const { types, properties } = schemaOrg();
  return new Set([...types, ...properties].flatMap(splitWords));
}

/** The letters of each word, without what stands around them; numbers are looked at for themselves. */
export function splitWords(text: string): string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? [];
}

/** Whether a detail has all parts of a template, in their order. */
export function isMadeFrom(detail: string, { parts }: Template): boolean {
  let at = 0;
  return parts.every((part) => {
    const found = detail.indexOf(part, at);
    at = found + part.length;
    return found >= 0;
  });
}

/** Every file of the source, by its path within it. */
export function readSources(): { readonly file: string; readonly text: string }[] {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => ({ file, text: readFileSync(join(SOURCE, file), 'utf8') }));
}

function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  if (ts.isPropertyAssignment(node) && FIXED_TEXTS.has(node.name.getText())) return;
  look(node);
  node.forEachChild((inner) => visit(inner, look));
}

function textsOf(node: ts.Node): string[] {
  if (ts.isStringLiteral(node)) return [node.text];
  if (ts.isTaggedTemplateExpression(node)) return partsOf(node.template);
  // The key of an object may be a word of ours too, such as the kinds of sitemaps.
  return ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) ? [node.name.text] : [];
}

function partsOf(template: ts.TemplateLiteral): string[] {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return [template.text];
  return [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)];
}

/** Those with hardly a letter of their own ("${a} ${b}.") would be found in anything. */
const LETTERS_MIN = 4;

function isWordsTemplate(node: ts.Node): boolean {
  return (
    ts.isTaggedTemplateExpression(node) &&
    node.tag.getText() === 'safeText' &&
    partsOf(node.template).join('').replaceAll(/\P{L}/gu, '').length >= LETTERS_MIN
  );
}

/** The texts behind a code, such as why a fetch failed, and terms that are sentences. */
function isLongTerm(node: ts.Node): boolean {
  if (!ts.isStringLiteral(node) || !/^\S+ \S+ \S/.test(node.text)) return false;
  const { parent } = node;
  const isTerm = ts.isCallExpression(parent) && ['term', 'count'].includes(parent.expression.getText());
  return isTerm || (ts.isPropertyAssignment(parent) && node.getSourceFile().fileName.includes('evidence'));
}
