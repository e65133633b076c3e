import t from 'tap';
import { drawBadge } from '../../../src/web/public/badge.js';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import { ANSWER } from '../../support/reports.js';

t.test('a badge shows every check as a pin, and the score in figures', async (t) => {
  const [first = '', second = ''] = CHECKS.map(({ id }) => id);
  const svg = drawBadge({
    score: 67,
    findings: [
      { checkId: first, result: 'PASS' },
      { checkId: second, result: 'FAIL' },
    ],
    answer: null,
  });
  t.match(svg, '<path stroke="#0d7a54" d="M3 4v12"></path>');
  t.match(svg, '<path stroke="#c2301b" d="M9 12v9"></path>', 'a failure drops through the line');
  t.match(svg, 'M15 4v12', 'a check that the run does not have waits');
  t.match(svg, />67<\/text>/);
  t.match(svg, 'aria-label="Agent readiness: 67 of 100"');
});

t.test('a badge of a site that refuses an assistant says so first', async (t) => {
  const svg = drawBadge({ score: 67, findings: [], answer: ANSWER });
  const title = "Agent readiness: ChatGPT and Perplexity can't read this site, 67 of 100";
  t.match(svg, `<title>${title}</title>`);
  t.match(svg, `aria-label="${title}"`);
});

t.test('a badge without a score has no result to show', async (t) => {
  const svg = drawBadge({ score: null, findings: [], answer: null });
  t.match(svg, '>–</text>');
  t.match(svg, 'aria-label="Agent readiness: no score"');
  t.equal(svg.match(/4v12\.4/g)?.length, CHECKS.length);
  t.notMatch(svg, '#0d7a54');
  t.notMatch(svg, '#c2301b');
});

t.test('a badge is small and has a fixed size', async (t) => {
  for (const score of [null, 0, 67, 100]) {
    const findings = CHECKS.map(({ id }) => ({ checkId: id, result: 'PASS' as const }));
    const svg = drawBadge({ score, findings, answer: ANSWER });
    t.match(svg, 'width="226" height="28"');
    t.ok(svg.length < 1500, `${svg.length} bytes`);
  }
});
