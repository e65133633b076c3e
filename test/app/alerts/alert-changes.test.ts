import t from 'tap';
import { type AlertChange, findAlertChanges } from '../../../src/app/alerts/alert.js';
import type { Answer } from '../../../src/scanner/artifacts/answer.js';
import type { SampledPages } from '../../../src/scanner/artifacts/pages.js';
import { scoreOf } from '../../../src/scanner/report/score.js';
import type { FailureKind, Finding } from '../../../src/scanner/verdict/finding.js';
import type { Result } from '../../../src/scanner/verdict/vocabulary.js';
import {
  ALL_OPEN,
  answerWith,
  CHATGPT_BLOCKED,
  CHATGPT_REFUSED,
  disallowed,
  finding,
  UNKNOWN,
} from '../../support/reports.js';

interface TestRun {
  readonly findings: readonly Finding[];
  readonly pages?: SampledPages;
  readonly answer?: Answer | null;
  readonly accepted?: readonly FailureKind[];
}

const LETTERS: Readonly<Record<string, Result>> = {
  P: 'PASS',
  F: 'FAIL',
  U: 'UNDETERMINED',
  N: 'NOT_APPLICABLE',
};

/** A letter for each check (a, b, c, d). `G` fails with FORMAT; after `!` the MISSING of check a is accepted. */
function runOf(letters: string): TestRun {
  const findings = Array.from(letters.replace('!', ''), (letter, at) => {
    const checkId = 'abcd'[at] ?? '';
    if (letter === 'G') return finding({ checkId, result: 'FAIL', errorType: 'FORMAT' });
    return finding({ checkId, result: LETTERS[letter] ?? 'PASS' });
  });
  return { findings, accepted: letters.startsWith('!') ? [{ checkId: 'a', errorType: 'MISSING' }] : [] };
}

/** The changes of each run in turn: `+a` newly failing, `-a` fixed, `100>50` the score, `down`, `up`. */
function alertsOf(runs: readonly TestRun[]): string[] {
  const stored = runs.map(({ findings, pages = null, answer = null }, index) => ({
    ...{ number: index + 1, reference: 'CR-000001', trigger: 'SCHEDULED' as const, score: scoreOf(findings) },
    ...{ startedAt: '2026-03-15T11:59:00.000Z', finishedAt: '2026-03-15T12:00:00.000Z' },
    ...{ label: null, findings, pages, answer },
  }));
  return stored.map((now, index) => {
    const { changes } = findAlertChanges(now, stored.slice(0, index).reverse(), runs[index]?.accepted);
    return changes.map(inShort).join(' ');
  });
}

function inShort(change: AlertChange): string {
  switch (change.kind) {
    case 'SCORE_FELL':
      return `${change.from}>${change.to}`;
    case 'CHECK_FAILING':
      return `+${change.checkId}`;
    case 'CHECK_FIXED':
      return `-${change.checkId}`;
    case 'ACCESS_CHANGED':
      return `${change.assistant} ${change.before}>${change.now}`;
    case 'SITE_UNREACHABLE':
      return 'down';
    case 'SITE_REACHABLE':
      return 'up';
  }
}

/** The same without the score. */
function checksIn(alerts: readonly string[]): string {
  return alerts.map((alert) => alert.replace(/\d+>\d+ ?/, '')).join('|');
}

t.test('results of runs and their alerts', async (t) => {
  const cases: readonly (readonly [runs: string, alerts: string])[] = [
    ['PP PP PP', '||'],
    ['FF FF', '|'],
    ['PP FP FP PP', '|+a||-a'],
    ['PP FP PF', '|+a|-a +b'],
    ['FP UP FP', '||'],
    ['PP UP FP', '||+a'],
    ['PP UP PP', '||'],
    ['FP UP PP', '||-a'],
    ['FP NP FP', '||+a'],
    ['FP NP PP', '||-a'],
    ['PP NP FP', '||+a'],
    ['NP FP', '|'],
    ['NP UP FP FP PP FP', '||||-a|+a'],
    ['PP NP PP', '||'],
    ['UP FP PP', '||-a'],
    ['PP UU PP', '||'],
    ['PP UU UU UU UU PP', '||down|||up'],
    ['PP UU UU PP UU UU PP', '||down|up||down|up'],
    ['UU UU PP', '|down|up'],
    ['UU PF FF', '||+a'],
    ['PF UU UU FP', '||down|up +a -b'],
    ['PP UN UN', '||down'],
    ['PP NN NN', '||'],
    ['PP UU UU NN', '||down|up'],
  ];
  for (const [runs, alerts] of cases) t.equal(checksIn(alertsOf(runs.split(' ').map(runOf))), alerts, runs);
});

type Case = readonly [why: string, runs: string, alerts: string];
const SCORES: readonly Case[] = [
  ['a fall', 'PPPP PPPF PPFF PPPP', '|100>75 +d|75>50 +c|-c -d'],
  ['compared with the last score that there was', 'PPPP UUUU PPPF', '||100>75 +d'],
  ['fewer checks that apply', 'PPPF PPNF', '|'],
  ['a check that no longer applies', 'PPPP PPPN PPPP', '||'],
  ['not determined', 'PPPP PPPU PPPU PPUU PPPP', '||||'],
  ['not determined first, failing then', 'PPPP PPPU PPPF', '||+d'],
  ['not determined alongside a failing one', 'PPPP PPUF PPPF PPUF', '|100>50 +d||'],
  ['never determined', 'PPPU PPPU PPFU', '||75>50 +c'],
  ['a failure for another', 'PPPF PPFP PPFP', '|+c -d|'],
];
const ACCEPTED: readonly Case[] = [
  ['neither new nor by its score', 'PPPP !FPPP !FPPP', '||'],
  ['fixed, and back again', 'PPPP !FPPP !PPPP !FPPP', '||-a|'],
  ['not determined between', 'FPPP !FPPP !UPPP !FPPP', '|||'],
  ['in another way', 'FPPP !FPPP !GPPP !GPPP', '||+a|'],
  ['in another way, after a run that could not tell', 'FPPP !FPPP !UPPP !GPPP', '|||+a'],
  ['in another way that was not accepted before either', 'PPPP !GPPP', '|100>75 +a'],
  ['accepted no longer', 'FPPP !FPPP FPPP', '||'],
  ['accepted too late', 'PPPP FPPP !FPPP', '|100>75 +a|'],
  ['another check is none the quieter', 'PPPP !FPPF !FPPF', '|100>50 +d|'],
  ['a later fall starts from the score with it', 'PPPP !FPPP !FPFP', '||75>50 +c'],
  ['alongside one not determined', 'PPPP !FPPU !FPPU !FPPP', '|||'],
];

for (const [name, cases] of Object.entries({ 'a fall of the score': SCORES, 'an accepted failure': ACCEPTED })) {
  t.test(`when ${name} makes an alert`, async (t) => {
    for (const [why, runs, alerts] of cases) t.equal(alertsOf(runs.split(' ').map(runOf)).join('|'), alerts, why);
  });
}

function findingsOf(results: Readonly<Record<string, Result>>): Finding[] {
  return Object.entries(results).map(([checkId, result]) => finding({ checkId, result }));
}

t.test('a check that the registry retired, added or scores now is not a change, nor is its score', async (t) => {
  const unscored = findingsOf({ a: 'PASS', b: 'PASS', c: 'FAIL' });
  const runs: readonly (readonly Finding[])[] = [
    findingsOf({ a: 'PASS', old: 'FAIL' }),
    findingsOf({ a: 'PASS', b: 'FAIL', added: 'FAIL' }),
    findingsOf({ a: 'PASS', b: 'PASS', __proto__x: 'FAIL' }),
    findingsOf({ a: 'PASS', b: 'PASS', c: 'PASS', __proto__x: 'FAIL' }),
    unscored.map((one) => ({ ...one, scored: one.checkId !== 'c' })),
    findingsOf({ a: 'PASS', b: 'PASS', c: 'FAIL' }),
    findingsOf({ a: 'FAIL', b: 'PASS', c: 'FAIL' }),
  ];
  t.same(alertsOf(runs.map((findings) => ({ findings }))), ['', '', '-b', '', '+c', '', '67>33 +a']);
});

t.test('a change says what failed and in which line, in our own words', async (t) => {
  const headline = (checkId: string, detail: string): unknown => {
    const before = { score: 100, findings: findingsOf({ [checkId]: 'PASS' }) } as never;
    const failed = finding({ checkId, result: 'FAIL', errorType: 'BLOCKED', detail });
    const now = { score: 0, pages: null, answer: null, findings: [failed] };
    const [, change] = findAlertChanges(now, [before]).changes;
    t.match(change, { kind: 'CHECK_FAILING', checkId, title: `title of ${checkId}`, errorType: 'BLOCKED' });
    return change?.kind === 'CHECK_FAILING' ? change.headline : null;
  };
  t.match(headline('C-BOT-01', 'Line 7 closes the home page to GPTBot.'), /^robots\.txt .*\(line 7\)$/);
  t.notMatch(headline('C-BOT-01', 'It closes the home page.'), 'line');
  t.notMatch(headline('C-SD-01', 'Line 3 of the block.'), '(line');
});

t.test('a failure on a page that was not read before is no alert, and hides none', async (t) => {
  const [PAGES, FILE, ENTITIES, POLICY] = ['C-SD-01', 'C-LLMS-01', 'C-SD-02', 'C-BOT-01'] as const;
  const run = (read: string, failing: readonly string[] = []) => ({
    findings: [PAGES, FILE, ENTITIES, POLICY].map((checkId) =>
      finding({ checkId, result: failing.includes(checkId) ? 'FAIL' : 'PASS' }),
    ),
    pages: { chosen: read.split(' ').map((path) => ({ path, isRead: true })) },
  });
  const runs = [
    run('/u'),
    run('/x', [PAGES]),
    run('/x', [PAGES, FILE]),
    run('/x /y', [PAGES, FILE, ENTITIES, POLICY]),
    run('/y', [ENTITIES]),
    run('/y'),
    run('/u', [ENTITIES]),
    run('/u'),
    run('/u', [ENTITIES]),
  ];
  t.same(alertsOf(runs), [
    ...['', '', `75>50 +${FILE}`, `50>0 +${POLICY}`, `-${FILE} -${POLICY}`],
    ...[`-${ENTITIES}`, '', `-${ENTITIES}`, `100>75 +${ENTITIES}`],
  ]);
});

/** The changes of runs with these answers. */
function accessOf(...answers: readonly (Answer | null)[]): string[] {
  return alertsOf(answers.map((answer) => ({ ...runOf('PP'), answer })));
}

t.test('an assistant that can read more or less of a site makes an alert', async (t) => {
  const partly = answerWith({ ChatGPT: { state: 'partly', tokens: [disallowed(7)] } });
  const untested = answerWith({ ChatGPT: { tokens: [{ server: 'untested' }, { server: 'untested' }] } });
  const [fell, rose] = ['ChatGPT open>blocked', 'ChatGPT blocked>open'];
  t.same(accessOf(ALL_OPEN, CHATGPT_BLOCKED, CHATGPT_BLOCKED, ALL_OPEN), ['', fell, '', rose]);
  t.same(accessOf(ALL_OPEN, partly, CHATGPT_REFUSED), ['', 'ChatGPT open>partly', 'ChatGPT partly>blocked']);
  t.same(accessOf(null, CHATGPT_REFUSED, null, ALL_OPEN), ['', '', '', rose]);
  t.same(accessOf(ALL_OPEN, UNKNOWN, CHATGPT_BLOCKED), ['', '', fell], 'an unknown state is looked through');
  t.same(accessOf(CHATGPT_REFUSED, untested), ['', ''], 'a refusal that is only not tested any more');
});

t.test('an owner who accepts blocked agents gets alerts only when access improves', async (t) => {
  const blocked = finding({ checkId: 'C-BOT-01', result: 'FAIL', errorType: 'BLOCKED' });
  const accepted = [{ checkId: 'C-BOT-01', errorType: 'BLOCKED' as const }];
  const runs = [ALL_OPEN, CHATGPT_REFUSED, ALL_OPEN].map((answer) => ({ findings: [blocked], accepted, answer }));
  t.same(alertsOf(runs), ['', '', 'ChatGPT blocked>open']);
});
