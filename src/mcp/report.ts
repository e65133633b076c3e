import { headlineOf } from '../scanner/failures/index.js';
import type { Finding } from '../scanner/findings/finding.js';
import type { Note } from '../scanner/findings/note.js';
import type { FreeScan } from '../app/free-scan/free-scans.js';

export interface Reported {
  readonly scan: FreeScan;
  /** Since it finished. */
  readonly ageS: number;
  readonly isFresh: boolean;
}

/** A scan in words for an agent and its human: what to fix first. Nothing in it is the site's own but its name. */
export function describeScan({ scan, ageS, isFresh }: Reported): string {
  const { hostname, score, findings, finishedAt, notes = [] } = scan;
  const isAtHead = ({ checkId }: Note): boolean => checkId === null;
  const of = (result: Finding['result']): Finding[] => findings.filter((finding) => finding.result === result);
  const failed = of('FAIL');
  const verdict =
    score === null
      ? `${hostname}: no score, since nothing could be determined.`
      : `${hostname}: ${score} of 100. ${describeFailures(failed.length)}`;
  const age = isFresh
    ? `Scanned just now (${finishedAt}).`
    : `Scanned ${describeAge(ageS)} (${finishedAt}); a host is scanned anew after an hour.`;
  const parts = [
    `${verdict}\n${age}`,
    ...notes.filter(isAtHead).map(({ text }) => text),
    listInFull('To fix', failed),
    listInFull('Could not be determined', of('UNDETERMINED')),
    listNotes(notes.filter((note) => !isAtHead(note))),
    listIds('Passed', of('PASS')),
    listIds('Does not apply', of('NOT_APPLICABLE')),
    failed.length > 0 ? 'Call explain_check with the id of a check to learn how to fix it.' : '',
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function describeFailures(count: number): string {
  if (count === 0) return 'No check fails.';
  return count === 1 ? '1 check fails.' : `${count} checks fail.`;
}

function listInFull(title: string, findings: readonly Finding[]): string {
  if (findings.length === 0) return '';
  const lines = findings.map((finding) => {
    const { checkId, errorType, detail } = finding;
    return [`- ${checkId} ${headlineOf(finding)}`, errorType && ` [${errorType}]`, detail && `: ${detail}`]
      .filter(Boolean)
      .join('');
  });
  return `${title}:\n${lines.join('\n')}`;
}

function listNotes(notes: readonly Note[]): string {
  if (notes.length === 0) return '';
  const lines = notes.map(({ checkId, text, url }) => `- ${checkId ?? ''} ${text} (${url})`);
  return `Worth a look, though none of it is a proven defect:\n${lines.join('\n')}`;
}

function listIds(title: string, findings: readonly Finding[]): string {
  return findings.length === 0 ? '' : `${title}: ${findings.map(({ checkId }) => checkId).join(', ')}.`;
}

function describeAge(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return 'less than a minute ago';
  return minutes === 1 ? 'a minute ago' : `${minutes} minutes ago`;
}
