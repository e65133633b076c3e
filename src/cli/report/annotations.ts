import { headlineOf } from '../../scanner/report/failures.js';
import { orderFailures } from '../../scanner/report/order.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import { countResults, nameOf, type Report } from './document.js';

/**
 * The failures as annotations of a GitHub workflow, the gravest first since GitHub shows ten of each kind: errors where a comparison calls
 * them new, warnings otherwise, as of a first scan, which fails nothing; notices where they are not scored.
 */
export function formatAsAnnotations({ document, comparison, trial }: Report): string {
  const { run, findings, gains } = document;
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

/** As the runner's own toolkit does: a line of it is one command. */
function escape(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
