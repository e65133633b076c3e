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

/** The parts of the source that write details. */
const ROOMS = /^(?:net\/failure|scanner\/(?:artifacts|checks(?!\/fixes)|client|gatherers|parsers|probe|verdict))/;
/** A check's own texts, which no detail contains. */
const FIXED_TEXTS = new Set(['title', 'explanation', 'fix']);
/** No position, count or size of anything that is read has more digits; free text could be spelt in longer numbers. */
const DIGITS_MAX = 8;
/** Numbers in a row, with nothing between them that is ours: longer lists of positions could be read as the codes of letters. */
const LONG_LIST = /(?:\d+[^\p{L}\d]+){10}\d/u;
/** Checks that may name a term of schema.org which the site chose by what it wrote. */
const NAMES_TERMS: ReadonlySet<string> = new Set(['C-SD-02', 'C-SD-03']);

const vocabulary = readOurWords();
const terms = new Set([...schemaOrg().types, ...schemaOrg().properties].flatMap(splitWords));
const checks: ReadonlyMap<string, Check> = new Map(CHECKS.map((check) => [check.id, check]));

/** What is wrong with what a scan says: whatever did not come from us. Empty as it should be. */
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
  // The last word of a detail that was cut may be a part of one of ours.
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

/** Every word of a string in the source that writes details, in lower case. */
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

/** Every file of the source, by its path within it. */
export function readSources(): { readonly file: string; readonly text: string }[] {
  const source = join(PROJECT, 'src');
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => ({ file, text: readFileSync(join(source, file), 'utf8') }));
}

/** The letters of each word. */
function splitWords(text: string): string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? [];
}
