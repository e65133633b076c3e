import type { Finding } from '../../scanner/verdict/finding.js';
import { fixFor } from '../../scanner/verdict/fix-parts.js';
import { isAtHead } from '../../scanner/verdict/note.js';
import { PILLARS } from '../../scanner/verdict/vocabulary.js';
import { nameOf, type Report } from './document.js';

/**
 * Formats the report as JUnit XML, which CI systems read as test results. The format has no standard: this follows the Jenkins schema
 * (junit-10.xsd of its xUnit plugin) and works with GitLab and GitHub reporters. A check is a test case, its pillar the class. Failures
 * that are not new are failures, too.
 */
export function formatAsJunit({ origin, document, trial }: Report): string {
  const { run, findings, notes } = document;
  const seconds = (Date.parse(run.finishedAt) - Date.parse(run.startedAt)) / 1000;
  const totals = {
    tests: findings.length,
    failures: findings.filter(({ result }) => result === 'FAIL').length,
    errors: 0,
    time: seconds.toFixed(3),
  };
  const head = notes.filter(isAtHead).map(({ text }) => text);
  const skipped = findings.filter(isSkipped).length;
  const properties = [
    element('property', { name: 'score', value: run.score ?? 'null' }),
    ...(trial ? [element('property', { name: 'trial', value: trial.join(' ') })] : []),
  ].join('');
  const suite = element(
    'testsuite',
    // The time is UTC without a zone, because strict readers reject one.
    { name: `agent readiness of ${nameOf(document)}`, ...totals, skipped, timestamp: run.startedAt.slice(0, 19) },
    lines([
      element('properties', {}, properties),
      ...findings.map((finding) => describeCase(finding, origin)),
      ...(head.length > 0 ? [element('system-out', {}, escapeXml(head.join('\n')))] : []),
    ]),
  );
  const suites = element('testsuites', { name: 'agent-readiness', ...totals }, lines([suite]));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${suites}\n`;
}

/** Only the whole scan has a duration, since checks share their evidence. Some readers reject a case without a time. */
const CASE_TIME = '0.000';

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
  const { result, errorType, detail, fix } = finding;
  const message = detail ?? result;
  if (isSkipped(finding)) return element('skipped', { message }, escapeXml(`${result}: ${message}`));
  if (result !== 'FAIL') return '';
  const type = errorType ?? result;
  const text = [`${type}: ${message}`, ...(fix === null ? [] : [`How to fix it: ${fixFor(origin, fix, detail)}`])].join(
    '\n\n',
  );
  return element('failure', { type, message }, escapeXml(text));
}

function isSkipped({ result }: Finding): boolean {
  return result === 'UNDETERMINED' || result === 'NOT_APPLICABLE';
}

function lines(elements: readonly string[]): string {
  return `\n${elements.join('\n')}\n`;
}

/** Characters that XML 1.0 §2.2 forbids even as references: most control characters, and lone surrogates. */
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** Tabs and line breaks also become references, since XML readers turn literal ones in attributes into spaces (§3.3.3). */
const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Text between the double quotes of an attribute. */
function escapeAttribute(text: string): string {
  return text.replace(FORBIDDEN, '\uFFFD').replace(/[&<>"\t\n\r]/g, (found) => REFERENCES[found] ?? found);
}

/** Text between tags. */
function escapeXml(text: string): string {
  return text.replace(FORBIDDEN, '\uFFFD').replace(/[&<>\r]/g, (found) => REFERENCES[found] ?? found);
}

/** One element. `content` is already XML; `name` and the attribute names are constants of ours. */
function element(name: string, attributes: Readonly<Record<string, string | number>>, content = ''): string {
  const start = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeAttribute(String(value))}"`);
  return content === '' ? `<${name}${start.join('')}/>` : `<${name}${start.join('')}>${content}</${name}>`;
}
