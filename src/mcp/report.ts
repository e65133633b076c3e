import { headlineOfAnswer, listAnswer } from '../scanner/report/answer.js';
import { headlineOf, orderFailures } from '../scanner/report/failures.js';
import { commonCause, describeNoScore } from '../scanner/report/no-score.js';
import type { Finding } from '../scanner/verdict/finding.js';
import { isAtHead, type Note } from '../scanner/verdict/note.js';
import type { Result } from '../scanner/verdict/vocabulary.js';
import { type Shortened, shortFixOf } from './failures.js';
import type { Scanned } from './tool.js';

/**
 * Describes a scan as text, since some clients show their model no structured content. The only text of the site is its name.
 * @param isFull true to describe every check and all advice, not only what fails
 */
export function describeScan(scanned: Scanned, isFull: boolean): string {
  const { answer, score, findings, notes, gains } = scanned.scan;
  const of = (result: Result): Finding[] => findings.filter((finding) => finding.result === result);
  const failures = orderFailures(findings, gains).map((failure, index) => {
    const more = isFull ? failure.detail : shortFixOf(failure.fix);
    return `${index + 1}. ${failure.checkId}: ${headlineOf(failure)}.${more === null ? '' : ` ${more}`}`;
  });
  const others = isFull
    ? [
        listDetails(of('UNDETERMINED'), score === null ? commonCause(findings) : null),
        listNotes(notes.filter((note) => !isAtHead(note))),
        listIds('Passed', of('PASS')),
        listIds('Does not apply', of('NOT_APPLICABLE')),
      ]
    : [listIds('Could not be determined', of('UNDETERMINED'))];
  return joinParagraphs([
    answer === null ? '' : `${headlineOfAnswer(answer)}.\n${listAnswer(answer, '')}`,
    ...describeVerdict(scanned),
    failures.join('\n'),
    ...others,
    failures.length > 0 ? 'fix_plan gives each fix in full; verify_fix proves one.' : '',
  ]);
}

type Step = Shortened<{
  readonly checkId: string;
  readonly errorType: string | null;
  readonly headline: string;
  readonly points: number;
  readonly detail: string | null;
  readonly fix: string | null;
}>;

export function describePlan(scanned: Scanned, steps: readonly Step[]): string {
  const described = steps.map((step, index) => {
    const { checkId, headline, detail, points } = step;
    const gain = points > 0 ? ` (${points} points)` : '';
    return [`${index + 1}. ${checkId}: ${headline}${gain}.`, detail, describeFix(step)].filter(Boolean).join('\n');
  });
  return joinParagraphs([
    ...describeVerdict(scanned),
    steps.length === 0 ? '' : 'Fix these in this order. Prove all that went live together with one verify_fix.',
    ...described,
    listIds(
      'Could not be determined',
      scanned.scan.findings.filter(({ result }) => result === 'UNDETERMINED'),
    ),
  ]);
}

/** Describes a fix, with a reference to the rest if it was shortened; empty if there is none. */
export function describeFix({
  checkId,
  errorType,
  fix,
  isWhole,
}: Pick<Step, 'checkId' | 'errorType' | 'fix' | 'isWhole'>) {
  if (fix === null) return '';
  return isWhole ? fix : `${fix}\n(Shortened: explain_check with ${checkId} and ${errorType} has the whole fix.)`;
}

/** Returns the score and the age of a scan, and the notes that change how to read it. */
function describeVerdict({ scan, ageS, isFresh }: Scanned): string[] {
  const { hostname, score, findings, notes, finishedAt } = scan;
  const failureCount = findings.filter(({ result }) => result === 'FAIL').length;
  const verdict =
    score === null
      ? `no score, which is not zero. ${describeNoScore(findings) ?? 'No check that counts applies.'}`
      : `${score} of 100. ${describeCount(failureCount)}`;
  const age = isFresh
    ? `Scanned just now (${finishedAt}).`
    : `Scanned ${describeAge(ageS)} (${finishedAt}). A host is rescanned after an hour. The first caller may rescan it after a minute.`;
  return [`${hostname}: ${verdict}\n${age}`, ...notes.filter(isAtHead).map(({ text }) => text)];
}

function describeCount(failureCount: number): string {
  if (failureCount === 0) return 'No check fails.';
  return failureCount === 1 ? '1 check fails.' : `${failureCount} checks fail.`;
}

function describeAge(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return 'less than a minute ago';
  return minutes === 1 ? 'a minute ago' : `${minutes} minutes ago`;
}

/** @param known a detail that is already mentioned */
function listDetails(undetermined: readonly Finding[], known: string | null): string {
  if (undetermined.length === 0) return '';
  const lines = undetermined.map((finding) => {
    const { checkId, detail } = finding;
    return `- ${checkId}: ${headlineOf(finding)}.${detail === null || detail === known ? '' : ` ${detail}`}`;
  });
  return `Could not be determined:\n${lines.join('\n')}`;
}

function listNotes(notes: readonly Note[]): string {
  if (notes.length === 0) return '';
  const lines = notes.map(({ checkId, text, url }) => `- ${checkId ?? ''} ${text} (${url})`);
  return `Worth a look, though none of it is a proven defect:\n${lines.join('\n')}`;
}

function listIds(title: string, findings: readonly Finding[]): string {
  return findings.length === 0 ? '' : `${title}: ${findings.map(({ checkId }) => checkId).join(', ')}.`;
}

function joinParagraphs(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}
