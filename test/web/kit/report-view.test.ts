import t from 'tap';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import { compareFindings } from '../../../src/scanner/report/comparison.js';
import { headlineOf } from '../../../src/scanner/report/failures.js';
import type { Gain } from '../../../src/scanner/report/gain.js';
import { scoreOf } from '../../../src/scanner/report/score.js';
import { NAMES_NOT_TRIED } from '../../../src/scanner/artifacts/agent-replies.js';
import type { Finding } from '../../../src/scanner/verdict/finding.js';
import type { OwnerNotes } from '../../../src/web/html/finding-view.js';
import { type ReportView, reportView, rowsOf } from '../../../src/web/html/report-view.js';
import { findingFrom } from '../../support/findings.js';

const FAILING = ['C-BOT-01', 'C-LLMS-01', 'C-SD-01', 'C-FWD-01'];
const FINDINGS = CHECKS.map((check) => findingFrom(check, { result: FAILING.includes(check.id) ? 'FAIL' : 'PASS' }));
const AT = '2026-03-15T12:00:00.000Z';
const OWNER: OwnerNotes = {
  ...{ siteId: 'site_1', number: 3, isOpen: true, rechecks: [], accepted: [] },
  ...{ since: new Map(), sinceMax: 50, comparison: null, isLatest: true, evidence: new Set() },
};

function viewOf(
  findings: readonly Finding[],
  owner: Partial<OwnerNotes> | null = null,
  gains: readonly Gain[] = [],
): ReportView {
  const scan = {
    ...{ origin: 'https://www.example.com', score: scoreOf(findings), findings },
    ...{ gains, notes: [], movedTo: null, answer: null },
  };
  return reportView(scan, { agentHref: '/agent', owner: owner && { ...OWNER, ...owner } });
}

const idsOf = (list: ReportView['toFix']): string[] =>
  list?.groups.flatMap(({ rows }) => rows).map(({ checkId }) => checkId) ?? [];

const rowIn = (view: ReportView, checkId: string) => rowsOf(view).find((row) => row.checkId === checkId);

t.test('visitors see what to fix by severity, with the fixes, and what passed', async (t) => {
  const view = viewOf(FINDINGS);
  t.same(view.toDo, ['3 things to fix', ', and 1 not scored']);
  t.equal(view.scoreIfFixed, 'All 3 fixed: 100');
  t.same(idsOf(view.toFix).sort(), [...FAILING].sort());
  t.equal(idsOf(view.toFix)[0], 'C-BOT-01', 'the gravest first');
  t.equal(view.toFix?.count, '3');
  t.same(
    rowsOf(view)
      .filter(({ isOpen }) => isOpen)
      .map(({ checkId }) => checkId),
    ['C-BOT-01'],
  );
  t.match(rowIn(view, 'C-BOT-01'), { actions: { agent: '/agent?check=C-BOT-01', checkAgain: null, details: null } });
  t.equal(view.folds.find(({ title }) => title === 'Passed')?.lines.length, CHECKS.length - 4);
  t.equal(view.runHref, null);
});

t.test('where fixing a check lets others run, its points are a minimum', async (t) => {
  const gains = [{ checkId: 'C-SD-01', points: 6, isAtLeast: true }];
  const view = viewOf(FINDINGS, null, gains);
  t.match(rowIn(view, 'C-SD-01')?.worth, { points: /^\+\d or more$/, scores: /^\d+ → \d+$/ });
  t.match(view, { scoreIfFixed: 'All 3 fixed: at least 100', hasUncertainGain: true });
});

t.test('a check that passes again leaves the list, and is no longer called by its failure', async (t) => {
  const recheck = {
    checkId: 'C-SD-01',
    startedAt: AT,
    finishedAt: AT,
    result: 'PASS',
    errorType: null,
    detail: 'Found.',
  } as const;
  const view = viewOf(FINDINGS, { rechecks: [recheck] });
  t.same(idsOf(view.fixed), ['C-SD-01']);
  t.notOk(idsOf(view.toFix).includes('C-SD-01'));
  t.same(view.toDo, ['2 things to fix', ', and 1 not scored']);
  t.equal(view.fixed?.count, '1 of 4');
  t.match(view.fixedSince, /^As of run \d+; 1 check fixed since$/);
  const row = rowIn(view, 'C-SD-01');
  t.match(row, { state: 'fixed', detail: /^Found\./, outcome: { words: 'It passes now' } });
  t.not(row?.headline, headlineOf(row?.finding ?? FINDINGS[0] ?? { checkId: '', errorType: null, title: null }));
  t.match(row?.remarks[0], { words: 'Passes now, checked', at: AT, look: 'chip is-p' });
  t.match(rowIn(view, 'C-BOT-01'), { actions: { isNext: false } }, 'a run is the next step');
  t.match(view.spoken, /: It passes now$/);
});

t.test('an accepted failure leaves the list and the steps of the score', async (t) => {
  const { errorType = null } = FINDINGS.find(({ checkId }) => checkId === 'C-LLMS-01') ?? {};
  if (errorType === null) throw new Error('C-LLMS-01 fails');
  const accepted = [{ checkId: 'C-LLMS-01', errorType, reason: 'For people only.', acceptedAt: AT }];
  const view = viewOf(FINDINGS, { accepted });
  t.notOk(idsOf(view.toFix).includes('C-LLMS-01'));
  t.equal(view.scoreIfFixed, 'Both fixed: 94');
  t.match(rowIn(view, 'C-BOT-01')?.worth, { scores: '82 → 88' });
});

t.test('a repeated check that still fails is open, and says how it came out', async (t) => {
  const again = (fields: object) =>
    rowIn(
      viewOf(FINDINGS, {
        rechecks: [
          {
            checkId: 'C-BOT-01',
            startedAt: AT,
            finishedAt: AT,
            result: 'FAIL',
            errorType: 'BLOCKED',
            detail: null,
            ...fields,
          },
        ],
      }),
      'C-BOT-01',
    );
  const errorType = FINDINGS.find(({ checkId }) => checkId === 'C-BOT-01')?.errorType ?? null;
  t.match(again({ errorType }), { isOpen: true, outcome: { words: 'It still fails' } });
  t.match(again({ errorType: 'FORMAT' })?.outcome?.words, /^It fails in another way/);
  t.match(again({ result: null })?.outcome, { words: /could not be checked/, more: /not to blame/ });
  t.match(again({ finishedAt: null, result: null }), {
    outcome: { at: null, words: /Being checked again/ },
  });
  t.equal(again({ finishedAt: null, result: null })?.remarks[0]?.words, 'Being checked again');
});

t.test('an older run promises nothing, and nothing can be done', async (t) => {
  const view = viewOf(FINDINGS, { isLatest: false, isOpen: false, since: new Map([['C-SD-01', 2]]) });
  t.equal(view.scoreIfFixed, null);
  t.equal(view.runHref, null);
  t.match(rowIn(view, 'C-SD-01')?.remarks, [{ words: 'since run 2' }]);
  t.match(rowIn(view, 'C-BOT-01'), {
    actions: { checkAgain: null, details: String, hasEvidence: false, accept: null },
  });
  t.equal(rowsOf(view).filter(({ isOpen }) => isOpen).length, 0);
});

t.test('what is new stands out', async (t) => {
  const before = FINDINGS.map((one) => (one.checkId === 'C-BOT-01' ? { ...one, result: 'PASS' as const } : one));
  const comparison = compareFindings([{ findings: before }], { findings: FINDINGS });
  const view = viewOf(FINDINGS, {
    comparison,
    since: new Map([
      ['C-LLMS-01', 2],
      ['C-SD-01', 1],
    ]),
  });
  t.match(rowIn(view, 'C-BOT-01')?.remarks, [{ words: 'New in run 3', look: /^chip/ }]);
  t.match(rowIn(view, 'C-LLMS-01')?.remarks, [{ words: 'since run 2', look: '' }]);
  t.same(rowIn(view, 'C-SD-01')?.remarks, [], 'so from the first run on');
  t.match(rowIn(view, 'C-FWD-01')?.remarks, [{ words: 'for more than 50 runs' }]);
});

t.test('a check that was not made says so, apart from those that do not apply', async (t) => {
  const findings = FINDINGS.map((one) =>
    one.checkId === 'C-BOT-03' ? { ...one, result: 'NOT_APPLICABLE' as const, detail: NAMES_NOT_TRIED.text } : one,
  );
  const { folds } = viewOf(findings);
  t.match(folds[0], {
    title: 'Not tested',
    isOpen: true,
    lines: [{ finding: { checkId: 'C-BOT-03' }, detail: /verify ownership/ }],
  });
  t.notOk(folds.some(({ title }) => title === 'Do not apply'));
});

t.test('if all passed there is nothing to list', async (t) => {
  const passed = FINDINGS.map((one) => ({ ...one, result: 'PASS' as const, errorType: null }));
  t.match(viewOf(passed), { toFix: null, fixed: null, fixedSince: null, scoreIfFixed: null, toDo: ['Nothing to fix'] });
  const undetermined = FINDINGS.map((one) => ({ ...one, result: 'UNDETERMINED' as const, detail: 'Down.' }));
  t.equal(viewOf(undetermined).gap, 'Down.');
});
