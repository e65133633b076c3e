import { describeNothingDetermined } from '../../scanner/report/no-score.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import { fixFor } from '../../scanner/verdict/fix-parts.js';
import { PILLARS } from '../../scanner/verdict/vocabulary.js';
import { nameScan, type Report, splitNotes } from './document.js';

/** Only the whole scan has a duration, since checks share their evidence. Some readers reject a case without a time. */
const CASE_TIME = '0.000';

/**
 * Formats the report as JUnit XML, which CI systems read as test results. The format has no standard: this follows the Jenkins schema
 * (junit-10.xsd of its xUnit plugin) and works with GitLab and GitHub reporters. A check is a test case, and its pillar is the class. Old
 * failures fail too. An unscored failure is skipped, since it lowers no score. A scan that could determine nothing has an error.
 */
export function formatAsJunit({ origin, document, trial }: Report): string {
  const { run, findings } = document;
  const seconds = (Date.parse(run.finishedAt) - Date.parse(run.startedAt)) / 1000;
  const elements = findings.map(elementFor);
  const noScore = describeNothingDetermined(findings);
  const errors = noScore === null ? [] : [describeNoScoreCase(noScore)];
  const notes = [...(trial ? [trial.note] : []), ...splitNotes(document).heads.map(({ text }) => text)];
  const suite = element(
    'testsuite',
    {
      name: `agent readiness of ${nameScan(document)}`,
      tests: findings.length + errors.length,
      failures: elements.filter((name) => name === 'failure').length,
      errors: errors.length,
      skipped: elements.filter((name) => name === 'skipped').length,
      time: seconds.toFixed(3),
      // UTC without a zone, because strict readers reject one.
      timestamp: run.startedAt.slice(0, 19),
    },
    lines([
      element('properties', {}, element('property', { name: 'score', value: run.score ?? 'null' })),
      ...errors,
      ...findings.map((finding) => describeCase(finding, origin)),
      ...(notes.length > 0 ? [element('system-out', {}, escapeXml(notes.join('\n')))] : []),
    ]),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', {}, lines([suite]))}\n`;
}

/** The schema allows an error only within a case. */
function describeNoScoreCase(noScore: string): string {
  const error = element('error', { type: 'NO_SCORE', message: noScore }, escapeXml(noScore));
  return element('testcase', { classname: 'scan', name: 'The site has a score', time: CASE_TIME }, error);
}

function describeCase(finding: Finding, origin: string): string {
  const { checkId, pillar, title } = finding;
  const attributes = {
    classname: pillar ? `${pillar} ${PILLARS[pillar]}` : 'forward-looking',
    name: title === null ? checkId : `${checkId} ${title}`,
    time: CASE_TIME,
  };
  return element('testcase', attributes, describeOutcome(finding, origin));
}

/** The text repeats the attributes, since GitLab shows only the text. */
function describeOutcome(finding: Finding, origin: string): string {
  const { result, errorType, detail, fix, scored } = finding;
  const name = elementFor(finding);
  if (name === null) return '';
  const type = errorType ?? result;
  const message = detail ?? result;
  const unscored = result === 'FAIL' && !scored ? 'Not scored: ' : '';
  const howTo = fix === null ? '' : `\n\nHow to fix it: ${fixFor(origin, fix, detail)}`;
  return element(name, { type, message: unscored + message }, escapeXml(`${unscored}${type}: ${message}${howTo}`));
}

function elementFor({ result, scored }: Finding): 'failure' | 'skipped' | null {
  if (result === 'PASS') return null;
  return result === 'FAIL' && scored ? 'failure' : 'skipped';
}

function lines(elements: readonly string[]): string {
  return `\n${elements.join('\n')}\n`;
}

/** Characters that XML 1.0 §2.2 forbids even as references: most control characters, and lone surrogates. */
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const REFERENCES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeXml(text: string): string {
  const escaped = text.replace(FORBIDDEN, '\uFFFD').replace(/[&<>"]/g, (found) => REFERENCES[found] ?? found);
  return escaped.replaceAll('\r', '&#13;');
}

/** Returns one element. `content` is XML; `name` and the attribute names are our own constants. */
function element(name: string, attributes: Readonly<Record<string, string | number>>, content = ''): string {
  const start = Object.entries(attributes).map(([key, value]) => {
    // XML readers turn literal tabs and line breaks in attributes into spaces (§3.3.3).
    const text = escapeXml(String(value)).replaceAll('\t', '&#9;').replaceAll('\n', '&#10;');
    return ` ${key}="${text}"`;
  });
  return content === '' ? `<${name}${start.join('')}/>` : `<${name}${start.join('')}>${content}</${name}>`;
}
