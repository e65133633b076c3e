import { headlineOf, orderFailures } from '../../scanner/report/failures.js';
import { describeNothingDetermined } from '../../scanner/report/no-score.js';
import { countResults, nameScan, type Report, splitNotes } from './document.js';

/**
 * Formats failures as annotations of a GitHub workflow, the most severe first, since GitHub shows only ten of each kind. Unmet conditions, a
 * missing score and new failures are errors, other failures are warnings, and unscored failures are notices.
 */
export function formatAsAnnotations({ document, comparison, trial, shortfalls }: Report): string {
  const { run, findings, gains } = document;
  const newIds = comparison?.newFailures.map(({ checkId }) => checkId) ?? [];
  const lines = orderFailures(findings, gains).map((finding) => {
    const kind = newIds.includes(finding.checkId) ? 'error' : 'warning';
    const title = `${finding.checkId}: ${headlineOf(finding)}`;
    return annotate(finding.scored ? kind : 'notice', title, finding.detail ?? 'It fails.');
  });
  const score = run.score === null ? 'no score' : `${run.score} of 100`;
  const noScore = describeNothingDetermined(findings);
  const counts = countResults(findings);
  return [
    ...shortfalls.map((shortfall) => annotate('error', 'Condition not met', `${capitalize(shortfall)}.`)),
    ...lines,
    ...splitNotes(document).heads.map(({ text }) => annotate('notice', 'About the whole site', text)),
    ...(trial ? [annotate('notice', 'Trial of overlay files', trial.note)] : []),
    annotate(
      noScore === null ? 'notice' : 'error',
      `Agent readiness of ${nameScan(document)}: ${score}`,
      noScore === null ? counts : `${noScore} (${counts})`,
    ),
  ].join('');
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function annotate(kind: 'error' | 'warning' | 'notice', title: string, message: string): string {
  return `::${kind} title=${escape(title).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${escape(message)}\n`;
}

/** Escapes text as GitHub's toolkit does, since a line is one command. */
function escape(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
