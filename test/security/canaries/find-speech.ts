import { CHECKS } from '../../../src/scanner/checks/index.js';
import type { Check } from '../../../src/scanner/verdict/check.js';
import type { Finding } from '../../../src/scanner/verdict/finding.js';
import { DETAIL_CHARS_MAX } from '../../../src/scanner/artifacts/safe-text.js';
import type { ScanReport } from '../../../src/scanner/scan/scan.js';
import { findMarkers } from './marker.js';
import { readOurWords, schemaWords, splitWords } from './our-words.js';

/** No position, count or size of anything that is read has more digits; free text could be spelt in longer numbers. */
const DIGITS_MAX = 8;
/** Numbers in a row, with nothing between them that is ours: longer lists of positions could be read as the codes of letters. */
const LONG_LIST = /(?:\d+[^\p{L}\d]+){10}\d/u;
/** Checks that may name a term of schema.org which the site chose by what it wrote. */
const NAMES_TERMS: ReadonlySet<string> = new Set(['C-SD-02', 'C-SD-03']);

const vocabulary = readOurWords();
const terms = schemaWords();
const checks: ReadonlyMap<string, Check> = new Map(CHECKS.map((check) => [check.id, check]));

/** What is wrong with what a scan says: whatever did not come from us. Empty as it should be. */
export function findSpeech({ findings, notes, answer }: Pick<ScanReport, 'findings' | 'notes' | 'answer'>): string[] {
  return [
    ...findMarkers(JSON.stringify(answer)).map((where) => `the answer has a marker: ${where}`),
    ...findings.flatMap((finding) => [
      ...findMarkers(JSON.stringify(finding)).map((where) => `${finding.checkId} has a marker: ${where}`),
      ...findStrangeTexts(finding).map((what) => `${finding.checkId} ${what}: ${String(finding.detail)}`),
    ]),
    ...notes.flatMap((note) => [
      ...findMarkers(JSON.stringify(note)).map((where) => `the note ${note.id} has a marker: ${where}`),
      ...findStrangeWords(note.id, note.text).map((what) => `the note ${note.id} ${what}: ${note.text}`),
    ]),
  ];
}

function findStrangeTexts({ checkId, errorType, detail, title, explanation, fix }: Finding): string[] {
  const own = checks.get(checkId);
  const ownFix = errorType === null ? null : own?.failures[errorType]?.fix;
  const isOwn = own?.title === title && own.explanation === explanation && ownFix === fix;
  return [
    ...(isOwn ? [] : ['has another text than its check']),
    ...(detail === null ? [] : findStrangeWords(checkId, detail)),
  ];
}

function findStrangeWords(checkId: string, detail: string): string[] {
  const isOurs = (word: string): boolean => vocabulary.has(word) || (NAMES_TERMS.has(checkId) && terms.has(word));
  // The last word of a detail that was cut may be a part of one of ours.
  const whole = detail.endsWith('…') ? detail.replace(/\S*…$/, '') : detail;
  const strange = splitWords(whole).filter((word) => !isOurs(word));
  return [
    ...strange.map((word) => `has the word "${word}", which is not of ours`),
    ...(/^[\x20-\x7e]*…?$/.test(detail) ? [] : ['has characters that we do not write']),
    ...((detail.replaceAll(',', '').match(/\d+/g) ?? []).some(({ length }) => length > DIGITS_MAX)
      ? ['has a number without end']
      : []),
    ...(LONG_LIST.test(detail.replaceAll(/(\d),(\d)/g, '$1$2')) ? ['has a long list of numbers'] : []),
    ...(detail.length > DETAIL_CHARS_MAX ? ['is too long'] : []),
  ];
}
