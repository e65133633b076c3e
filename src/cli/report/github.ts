import { headlineOf, orderFailures } from '../../scanner/report/failures.js';
import { isAtHead } from '../../scanner/verdict/note.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import { countResults, nameOf, type Report } from './document.js';

/**
 * Formats failures as annotations of a GitHub workflow, the most severe first since GitHub shows ten of each kind. New failures of a
 * comparison are errors, others warnings, and unscored ones notices.
 */
export function formatAsAnnotations({ document, comparison, trial }: Report): string {
  const { run, findings, gains, notes } = document;
  const fresh = comparison && new Set(comparison.newFailures.map(({ checkId }) => checkId));
  const kindOf = ({ checkId, scored }: Finding): Kind => {
    if (!scored) return 'notice';
    return fresh?.has(checkId) ? 'error' : 'warning';
  };
  const lines = orderFailures(findings, gains).map((finding) =>
    annotate(kindOf(finding), `${finding.checkId}: ${headlineOf(finding)}`, finding.detail ?? 'It fails.'),
  );
  const score = run.score === null ? 'no score' : `${run.score} of 100`;
  return [
    ...lines,
    ...notes.filter(isAtHead).map(({ text }) => annotate('notice', 'About the whole site', text)),
    ...(trial ? [annotate('notice', 'A trial of files', trial.join(' '))] : []),
    annotate('notice', `Agent readiness of ${nameOf(document)}: ${score}`, countResults(findings)),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

type Kind = 'error' | 'warning' | 'notice';

function annotate(kind: Kind, title: string, message: string): string {
  return `::${kind} title=${escape(title).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${escape(message)}`;
}

/** Escapes text as GitHub's toolkit does, since a line is one command. */
function escape(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
