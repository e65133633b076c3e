import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { DETAIL_CHARS_MAX } from '../../../src/scanner/artifacts/safe-text.js';
import { schemaOrg } from '../../../src/scanner/artifacts/schema-org.js';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import type { ScanReport } from '../../../src/scanner/scan/scan.js';
import type { Check } from '../../../src/scanner/verdict/check.js';
import type { Finding } from '../../../src/scanner/verdict/finding.js';
import { PROJECT } from '../../support/project.js';
import { findMarkers } from './marker.js';

/** The source that writes details. */
const ROOMS = /^(?:net\/failure|scanner\/(?:artifacts|checks(?!\/fixes)|client|gatherers|parsers|probe|verdict))/;
/** Texts of checks, which details do not contain. */
const FIXED_TEXTS = new Set(['title', 'explanation', 'fix']);
/** No position, count or size has more digits. Longer numbers could encode text. */
const DIGITS_MAX = 8;
/** A longer list of numbers could encode text. */
const LONG_LIST = /(?:\d+[^\p{L}\d]+){10}\d/u;
/** Checks that may name terms of schema.org. */
const NAMES_TERMS: ReadonlySet<string> = new Set(['C-SD-02', 'C-SD-03']);

const vocabulary = readOurWords();
const terms = new Set([...schemaOrg().types, ...schemaOrg().properties].flatMap(splitWords));
const checks: ReadonlyMap<string, Check> = new Map(CHECKS.map((check) => [check.id, check]));

/** Returns the words of a report that are not ours. */
export function findSpeech({ findings, notes, answer }: Pick<ScanReport, 'findings' | 'notes' | 'answer'>): string[] {
  const marked = (name: string, said: unknown) =>
    findMarkers(JSON.stringify(said)).map((where) => `${name} has a marker: ${where}`);
  const strange = (id: string, text: string | null) =>
    text === null ? [] : findStrangeWords(id, text).map((what) => `${id} ${what}: ${text}`);
  return [
    ...marked('the answer', answer),
    ...findings.flatMap((finding) => [
      ...marked(finding.checkId, finding),
      ...(hasOwnTexts(finding) ? [] : [`${finding.checkId} has another text than its check`]),
      ...strange(finding.checkId, finding.detail),
    ]),
    ...notes.flatMap((note) => [...marked(`the note ${note.id}`, note), ...strange(note.id, note.text)]),
  ];
}

function hasOwnTexts({ checkId, errorType, title, explanation, fix }: Finding): boolean {
  const own = checks.get(checkId);
  const ownFix = errorType === null ? null : own?.failures[errorType]?.fix;
  return own?.title === title && own.explanation === explanation && ownFix === fix;
}

function findStrangeWords(checkId: string, detail: string): string[] {
  const isOurs = (word: string): boolean => vocabulary.has(word) || (NAMES_TERMS.has(checkId) && terms.has(word));
  // The last word of a shortened detail may be cut.
  const whole = detail.endsWith('…') ? detail.replace(/\S*…$/, '') : detail;
  const numbers = detail.replaceAll(',', '').match(/\d+/g) ?? [];
  const faults: readonly (readonly [isFault: boolean, what: string])[] = [
    [!/^[\x20-\x7e]*…?$/.test(detail), 'has characters that we do not write'],
    [numbers.some(({ length }) => length > DIGITS_MAX), 'has a number without end'],
    [LONG_LIST.test(detail.replaceAll(/(\d),(\d)/g, '$1$2')), 'has a long list of numbers'],
    [detail.length > DETAIL_CHARS_MAX, 'is too long'],
  ];
  return [
    ...splitWords(whole).flatMap((word) => (isOurs(word) ? [] : [`has the word "${word}", which is not of ours`])),
    ...faults.flatMap(([isFault, what]) => (isFault ? [what] : [])),
  ];
}

/** Returns the words of all strings in the source that writes details. */
function readOurWords(): ReadonlySet<string> {
  const words = new Set<string>();
  const visit = (node: ts.Node): void => {
    const isProperty = ts.isPropertyAssignment(node);
    if (isProperty && FIXED_TEXTS.has(node.name.getText())) return;
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    // A detail may name the key of an object, such as a kind of sitemap.
    const text = isText ? node.text : isProperty && ts.isIdentifier(node.name) ? node.name.text : '';
    for (const word of splitWords(text)) words.add(word);
    node.forEachChild(visit);
  };
  for (const { file, text } of readSources()) {
    if (ROOMS.test(file)) visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  }
  return words;
}

export function readSources(): { readonly file: string; readonly text: string }[] {
  const source = join(PROJECT, 'src');
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => ({ file, text: readFileSync(join(source, file), 'utf8') }));
}

function splitWords(text: string): string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? [];
}
