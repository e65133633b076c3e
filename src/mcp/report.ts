import { headlineOf } from '../scanner/report/failures.js';
import type { Finding } from '../scanner/verdict/finding.js';
import { commonCause, describeNoScore } from '../scanner/report/no-score.js';
import type { Note } from '../scanner/verdict/note.js';
import { listFailures } from './failures.js';
import type { Scanned } from './scan-call.js';

/** Which failure of which check. */
type Kind = Pick<Finding, 'checkId' | 'errorType'>;

/** The failures of a scan in words, in the order in which to fix them. Nothing in it is the site's own but its name. */
export function describeBriefly(scanned: Scanned): string {
  const { findings } = scanned.scan;
  const open = findings.filter(({ result }) => result === 'UNDETERMINED');
  const failures = listFailures(scanned.scan).map(
    ({ checkId, headline, fix }, index) => `${index + 1}. ${checkId}: ${headline}.${fix === null ? '' : ` ${fix}`}`,
  );
  const parts = [
    describeVerdict(scanned),
    ...headOf(scanned),
    failures.join('\n'),
    listIds('Could not be determined', open),
    failures.length > 0 ? 'fix_plan gives each fix in full; verify_fix proves one.' : '',
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** A plan in words: its steps are in the structured content. */
export function describePlan(scanned: Scanned, steps: readonly Kind[], publicUrl: string): string {
  const open = scanned.scan.findings.filter(({ result }) => result === 'UNDETERMINED');
  const parts = [
    describeVerdict(scanned),
    steps.length === 0 ? '' : `Fix these in this order, and prove with one verify_fix what goes live together.`,
    whereToRead(steps, publicUrl),
    listIds('Could not be determined', open),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Names failures by where they are explained: some clients show their model the text alone, and no structured content. */
export function whereToRead(failures: readonly Kind[], publicUrl: string): string {
  const paths = failures.flatMap(({ checkId, errorType }) => (errorType === null ? [] : [`${checkId}/${errorType}`]));
  if (paths.length === 0) return '';
  return `In the structured content, and in general at ${publicUrl}/checks/ with one of: ${paths.join(', ')}.`;
}

function describeVerdict(scanned: Scanned): string {
  const { hostname, score, findings } = scanned.scan;
  const failed = findings.filter(({ result }) => result === 'FAIL');
  const verdict =
    score === null
      ? `${hostname}: no score, which is not zero. ${describeNoScore(findings) ?? 'No check that counts applies.'}`
      : `${hostname}: ${score} of 100. ${describeFailures(failed.length)}`;
  return `${verdict}\n${describeAge(scanned)}`;
}

/** When the site was scanned, and when it will be again. */
export function describeAge({ scan: { finishedAt }, ageS, isFresh }: Scanned): string {
  return isFresh
    ? `Scanned just now (${finishedAt}).`
    : `Scanned ${sayAge(ageS)} (${finishedAt}); a host is scanned again after an hour, for those who asked first after a minute.`;
}

/** What must be known before the verdict is used. */
function headOf({ scan: { notes = [] } }: Scanned): string[] {
  return notes.filter(isAtHead).map(({ text }) => text);
}

function isAtHead({ checkId }: Note): boolean {
  return checkId === null;
}

/** A whole scan in words, for an agent and its human. */
export function describeScan(scanned: Scanned): string {
  const { findings, notes = [] } = scanned.scan;
  const of = (result: Finding['result']): Finding[] => findings.filter((finding) => finding.result === result);
  const failed = of('FAIL');
  const parts = [
    describeVerdict(scanned),
    ...headOf(scanned),
    listInFull('To fix', failed),
    listInFull(
      'Could not be determined',
      of('UNDETERMINED'),
      scanned.scan.score === null ? commonCause(findings) : null,
    ),
    listNotes(notes.filter((note) => !isAtHead(note))),
    listIds('Passed', of('PASS')),
    listIds('Does not apply', of('NOT_APPLICABLE')),
    failed.length > 0 ? 'fix_plan gives each fix in full; verify_fix proves one.' : '',
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function describeFailures(count: number): string {
  if (count === 0) return 'No check fails.';
  return count === 1 ? '1 check fails.' : `${count} checks fail.`;
}

/** @param said the detail that was said above already */
function listInFull(title: string, findings: readonly Finding[], said: string | null = null): string {
  if (findings.length === 0) return '';
  const lines = findings.map((finding) => {
    const { checkId, errorType } = finding;
    const detail = finding.detail === said ? null : finding.detail;
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

function sayAge(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return 'less than a minute ago';
  return minutes === 1 ? 'a minute ago' : `${minutes} minutes ago`;
}
