import { type ComponentProps, h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import t from 'tap';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import type { UnknownReason } from '../../../src/scanner/artifacts/answer.js';
import type { Finding } from '../../../src/scanner/verdict/finding.js';
import { splitFix, generalPart } from '../../../src/scanner/verdict/fix-parts.js';
import { namedFailures } from '../../../src/scanner/verdict/failure.js';
import { Fix } from '../../../src/web/html/finding-row.js';
import { Field } from '../../../src/web/html/form.js';
import { AssistantAnswer } from '../../../src/web/html/report-notes.js';
import { Prose } from '../../../src/web/public/long-page.js';
import { commonCause } from '../../../src/scanner/report/no-score.js';
import { summarizeFailures } from '../../../src/scanner/report/score.js';
import { finding } from '../../support/reports.js';

t.test('nothing of a fix is lost where it falls into sentences and what is to paste', async (t) => {
  for (const { errorType, fix } of CHECKS.flatMap(namedFailures)) {
    const parts = splitFix(generalPart(fix)).map(({ kind, text }) =>
      kind === 'snippet' ? `\`\`\`\n${text}\n\`\`\`` : text,
    );
    t.equal(parts.join('\n\n'), generalPart(fix), errorType);
  }
});

t.test('what differs by server is a group of tabs that need no script', async (t) => {
  const html = renderToString(
    h(Fix, { text: 'Do.\n\nIn nginx:\n\n```\n# one\n```\n\nIn WordPress:\n\nDo that.', name: 'C-1' }),
  );
  t.equal([...html.matchAll(/<input [^>]*type="radio" name="C-1"/g)].length, 2);
  t.match(html, 'type="radio" name="C-1" id="C-1-0" checked/><label for="C-1-0">nginx</label><div data-name="nginx">');
  t.match(html, /<div data-name="nginx">.*# one.*<\/div><input .*<div data-name="WordPress"><p>Do that\.<\/p><\/div>/);
  t.match(html, /aria-label="snippet for C-1 in nginx"/);
  t.notMatch(renderToString(h(Fix, { text: 'Do.', name: 'C-1' })), /radio/);
});

t.test('what is unknown of every assistant is said once', async (t) => {
  const linesOf = (...reasons: readonly UnknownReason[]) => {
    const assistants = reasons.map((reason) => ({ name: reason, state: 'unknown', reason, tokens: [] }) as const);
    const html = renderToString(h(AssistantAnswer, { answer: { assistants, training: 'unknown' } }));
    return html.match(/<li>/g)?.length;
  };
  t.equal(linesOf('silent', 'silent', 'silent'), 1);
  t.equal(linesOf('silent', 'error', 'silent'), 3);
});

const of = (...results: Finding['result'][]): Finding[] =>
  results.map((result, index) => finding({ checkId: `C-${index}`, result }));

const UNSCORED = finding({ checkId: 'C-FWD-01', result: 'FAIL', scored: false });

t.test('the score in words', async (t) => {
  const cases: [findings: Finding[], words: RegExp][] = [
    [of('PASS', 'FAIL'), /^1 thing\b(?!.*\bnot\b)/],
    [of('PASS', 'FAIL', 'FAIL', 'UNDETERMINED'), /^2 things\D*$/],
    [of('PASS', 'NOT_APPLICABLE'), /^Nothing\b\D*$/],
    [of('PASS', 'UNDETERMINED'), /^Nothing\b.*\b1 check\b/],
    [[...of('FAIL', 'FAIL', 'PASS'), UNSCORED], /^2 things\b.*\b1 not\b/],
    [[...of('PASS'), UNSCORED], /^1 thing\b.*\bnot\b/],
  ];
  for (const [findings, words] of cases) t.match(summarizeFailures(findings).join(''), words);
});

t.test('why nothing could be determined: what more than half of the findings say', async (t) => {
  const undetermined = (detail: string | null) => finding({ checkId: 'C-MD-01', result: 'UNDETERMINED', detail });
  t.equal(commonCause([undetermined('a'), undetermined('b'), undetermined('b')]), 'b');
  t.equal(commonCause([undetermined('a'), undetermined('b')]), null, 'they do not agree');
  t.equal(commonCause([undetermined(null)]), null);
  t.equal(commonCause(of('FAIL')), null);
});

t.test('a field is described by its hint and by what is wrong with it, as far as they are there', async (t) => {
  const cases: [props: Partial<ComponentProps<typeof Field>>, ids: string[]][] = [
    [{}, []],
    [{ errors: { other: 'Too long.' } }, []],
    [{ hint: 'A host name.' }, ['site-hint']],
    [{ errors: { site: 'Too long.' } }, ['site-error']],
    [{ hint: 'A host name.', errors: { site: 'Too long.' } }, ['site-error', 'site-hint']],
  ];
  for (const [props, ids] of cases) {
    const html = renderToString(h(Field, { name: 'site', label: 'Site', ...props }));
    const notes = [...html.matchAll(/<p [^>]*id="([^"]*)"/g)].map(([, id]) => id);
    t.same(notes.sort(), [...ids].sort(), JSON.stringify(props));
    t.equal(/aria-describedby="([^"]*)"/.exec(html)?.[1], ids.length > 0 ? ids.join(' ') : undefined);
  }
});

t.test('our own Markdown becomes HTML', async (t) => {
  const cases: [markdown: string, html: string][] = [
    ['A *b* **c** `d`.', '<p>A <em>b</em> <strong>c</strong> <code>d</code>.</p>'],
    ['## How to keep it out', '<h2 id="how-to-keep-it-out">How to keep it out</h2>'],
    ['### Of `robots.txt`', '<h3 id="of-robots-txt">Of <code>robots.txt</code></h3>'],
    ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
    ['1. a\n2. b', '<ol><li>a</li><li>b</li></ol>'],
    ['[a](/b) [c](#d)', '<p><a href="/b">a</a> <a href="#d">c</a></p>'],
    ['[a](javascript:b)', '<p>[a](javascript:b)</p>'],
    ['a <b>c</b>', '<p>a &lt;b&gt;c&lt;/b&gt;</p>'],
    [
      '| a | b |\n| - | -: |\n| *c* | 1 |',
      '<table class="texts stack"><thead><tr><th scope="col">a</th><th scope="col" class="r">b</th></tr></thead><tbody><tr><th scope="row"><em>c</em></th><td data-label="b" class="r">1</td></tr></tbody></table>',
    ],
  ];
  for (const [markdown, html] of cases) {
    const made = renderToString(h(Prose, { text: markdown }));
    t.equal(made.replaceAll(/>\n+</g, '><').trim(), html, markdown);
  }
});
