import { headlineOfAnswer, linesOfAnswer, TRAINING_WORDS } from '../../scanner/report/answer.js';
import { failureOf, headlineOf, orderFailures } from '../../scanner/report/failures.js';
import { describeGain } from '../../scanner/report/gain.js';
import { describeGroup, describePins, madeOf, type PinGroup, pinGroupsOf } from '../../scanner/report/pins.js';
import { SEVERITIES } from '../../scanner/verdict/failure.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import { fixFor, splitFix } from '../../scanner/verdict/fix-parts.js';
import { isAtHead, type Note } from '../../scanner/verdict/note.js';
import { answerOf, describeScore, nameOf, type Report } from './document.js';
import type { ScanDocument } from '../public-types.js';
import { escapeAttribute, escapeXml } from './xml.js';

/** Readable in both themes, on paper and without colours. */
const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.2rem; margin-top: 2rem } h3 { font-size: 1rem; margin-bottom: 0 }
pre { overflow-x: auto; padding: .75rem; border: 1px solid; border-radius: .25rem }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; vertical-align: top; padding: .25rem .5rem .25rem 0; border-bottom: 1px solid }
.pins { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; list-style: none; padding: 0 }
.pin { font: bold 1.25rem/1 ui-monospace, monospace; margin-right: .15rem }
.FAIL { color: light-dark(#b3261e, #ff8a80) } .PASS { color: light-dark(#1b6e3a, #7fd99a) }
`;

const MARKS = { PASS: '|', FAIL: 'x', UNDETERMINED: '?', NOT_APPLICABLE: '·', WAITING: ' ' } as const;

/** Elements for the parts of a fix. */
const PART_ELEMENTS = { prose: 'p', list: 'pre', snippet: 'pre', server: 'h4' } as const;

/** Formats the report as one HTML file, which loads and runs nothing. */
export function formatAsHtml(report: Report): string {
  const { document, shortfalls, comparison } = report;
  const { run, findings, gains } = document;
  const notes = document.notes.filter((note) => !isAtHead(note));
  const title = `Agent readiness of ${nameOf(document)}: ${describeScore(report)}`;
  const groups = madeOf(pinGroupsOf(findings));
  const failures = orderFailures(findings, gains);
  return page(title, [
    ...describeAnswer(document, title),
    element('p', `Scanned on ${run.startedAt.slice(0, 16).replace('T', ' ')} UTC: ${describePins(groups)}.`),
    ...document.notes.filter(isAtHead).map(({ text }) => element('p', text)),
    ...(report.trial ? [element('p', report.trial.join(' '))] : []),
    ...(shortfalls.length > 0 ? [element('p', `Below the bar: ${shortfalls.join('; ')}.`)] : []),
    ...(comparison
      ? [
          element(
            'p',
            `New failures: ${namesOf(comparison.newFailures)}. Fixed: ${namesOf(comparison.fixed)}.${comparison.hasOtherPages ? ' Other pages were sampled.' : ''}`,
          ),
        ]
      : []),
    `<ul class="pins">${groups.map(drawGroup).join('')}</ul>`,
    ...(failures.length > 0 ? [element('h2', 'To fix, the most severe first')] : []),
    ...failures.map((failure) => describeFailure(failure, report)),
    ...(notes.length > 0
      ? [element('h2', 'Worth a look, not scored'), `<ul>${notes.map(describeNote).join('')}</ul>`]
      : []),
    element('h2', 'All checks'),
    tableOf(findings),
  ]);
}

/** The heading: which assistants can read the site, then the score. */
function describeAnswer(document: ScanDocument, title: string): string[] {
  const answer = answerOf(document);
  if (answer === null) return [element('h1', title)];
  const lines = linesOfAnswer(answer).map(
    ({ label, verdict, rest }) => `<li>${escapeXml(label)}: <b>${escapeXml(verdict)}</b>${escapeXml(rest)}</li>`,
  );
  return [
    element('h1', headlineOfAnswer(answer)),
    `<ul>${lines.join('')}${element('li', `Training: ${TRAINING_WORDS[answer.training]}`)}</ul>`,
    element('h2', title),
  ];
}

function page(title: string, blocks: readonly string[]): string {
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="${policy}">
${element('title', title)}
<style>${STYLE}</style>
<main>
${blocks.join('\n')}
</main>
</html>
`;
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}

function namesOf(changes: readonly { readonly checkId: string }[]): string {
  return changes.map(({ checkId }) => checkId).join(', ') || 'none';
}

function drawGroup(group: PinGroup): string {
  const pins = group.pins.map(
    ({ checkId, state }) =>
      `<span class="pin ${state}" title="${escapeAttribute(`${checkId}: ${state}`)}">${MARKS[state]}</span>`,
  );
  return `<li><span aria-hidden="true">${pins.join('')}</span> ${escapeXml(`${group.name}, ${describeGroup(group)}`)}</li>`;
}

function describeFailure(finding: Finding, { origin, document: { gains } }: Report): string {
  const { checkId, errorType, detail, fix, scored } = finding;
  const severity = failureOf(finding)?.severity;
  const facts = [
    ...(severity === undefined ? [] : [SEVERITIES[severity].word]),
    ...[checkId, errorType, scored ? describeGain(gains, finding) : 'not scored'].filter((fact) => fact !== null),
  ];
  const parts = fix === null ? [] : splitFix(fixFor(origin, fix, detail));
  return [
    `<section id="${escapeAttribute(checkId)}">${element('h3', headlineOf(finding))}`,
    element('p', facts.join(', ')),
    ...(detail === null ? [] : [element('p', detail)]),
    ...parts.map(({ kind, text }) => element(PART_ELEMENTS[kind], text)),
    '</section>',
  ].join('\n');
}

function describeNote({ text, standard, url }: Note): string {
  return `<li>${escapeXml(text)} <a href="${escapeAttribute(url)}">${escapeXml(standard)}</a></li>`;
}

function tableOf(findings: readonly Finding[]): string {
  const rows = findings.map(({ checkId, title, result, errorType, detail }) => {
    const cells = [
      checkId,
      title ?? '',
      `${result.replaceAll('_', ' ')}${errorType === null ? '' : `, ${errorType}`}`,
      detail ?? '',
    ];
    return `<tr>${cells.map((cell) => element('td', cell)).join('')}</tr>`;
  });
  const head = ['Check', 'What', 'Result', 'Detail'].map((cell) => element('th', cell)).join('');
  return `<table><tr>${head}</tr>\n${rows.join('\n')}\n</table>`;
}
