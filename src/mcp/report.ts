import { headlineOfAnswer, listAnswer } from '../scanner/report/answer.js';
import { headlineOf } from '../scanner/report/failures.js';
import type { Finding } from '../scanner/verdict/finding.js';
import { commonCause, describeNoScore } from '../scanner/report/no-score.js';
import { isAtHead, type Note } from '../scanner/verdict/note.js';
import { type Fitted, listFailures } from './failures.js';
import type { Scanned } from './scan-call.js';

/** Describes the failures of a scan, in the order in which to fix them. The only text of the site is its name. */
export function describeBriefly(scanned: Scanned): string {
  const { findings } = scanned.scan;
  const open = findings.filter(({ result }) => result === 'UNDETERMINED');
  const failures = listFailures(scanned.scan).map(
    ({ checkId, headline, fix }, index) => `${index + 1}. ${checkId}: ${headline}.${fix === null ? '' : ` ${fix}`}`,
  );
  const parts = [
    describeAnswer(scanned),
    describeVerdict(scanned),
    ...headOf(scanned),
    failures.join('\n'),
    listIds('Could not be determined', open),
    failures.length > 0 ? 'fix_plan gives each fix in full; verify_fix proves one.' : '',
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

type Step = Fitted<{
  readonly checkId: string;
  readonly errorType: string | null;
  readonly headline: string;
  readonly detail: string | null;
  readonly fix: string | null;
}>;

/** Describes the plan as text: some clients show their model no structured content. */
export function describePlan(scanned: Scanned, steps: readonly (Step & { readonly points: number })[]): string {
  const open = scanned.scan.findings.filter(({ result }) => result === 'UNDETERMINED');
  const described = steps.map((step, index) => {
    const { checkId, headline, detail, points } = step;
    const gain = points > 0 ? ` (${points} points)` : '';
    return [`${index + 1}. ${checkId}: ${headline}${gain}.`, detail, describeFix(step)].filter(Boolean).join('\n');
  });
  const parts = [
    describeVerdict(scanned),
    ...headOf(scanned),
    steps.length === 0 ? '' : 'Fix these in this order. Prove all that went live together with one verify_fix.',
    ...described,
    listIds('Could not be determined', open),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Describes a fix, with a reference to the rest if it was shortened; empty if there is none. */
export function describeFix({ checkId, errorType, fix, isWhole }: Omit<Step, 'headline' | 'detail'>): string {
  if (fix === null) return '';
  return isWhole ? fix : `${fix}\n(Shortened: explain_check with ${checkId} and ${errorType} has the whole fix.)`;
}

/** Describes which assistants can read the site. Empty if the scan does not say. */
function describeAnswer({ scan: { answer } }: Scanned): string {
  return answer === null ? '' : `${headlineOfAnswer(answer)}.\n${listAnswer(answer, '')}`;
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

/** Describes when the site was scanned, and when it can be scanned again. */
export function describeAge({ scan: { finishedAt }, ageS, isFresh }: Scanned): string {
  return isFresh
    ? `Scanned just now (${finishedAt}).`
    : `Scanned ${sayAge(ageS)} (${finishedAt}); hosts are rescanned after an hour; who asked first may rescan after a minute.`;
}

/** Notes that change how to read the verdict. */
function headOf({ scan: { notes } }: Scanned): string[] {
  return notes.filter(isAtHead).map(({ text }) => text);
}

/** Describes a whole scan. */
export function describeScan(scanned: Scanned): string {
  const { findings, notes } = scanned.scan;
  const of = (result: Finding['result']): Finding[] => findings.filter((finding) => finding.result === result);
  const failed = of('FAIL');
  const parts = [
    describeAnswer(scanned),
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

/** @param said a detail that is already mentioned */
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
