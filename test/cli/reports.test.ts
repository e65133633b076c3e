import { SaxesParser } from 'saxes';
import t from 'tap';
import type { EarlierRun } from '../../src/cli/public-types.js';
import { SCAN_FORMATS } from '../../src/cli/report/formats.js';
import { COMMENT_CHARS_MAX, escapeForGithub, joinBlocks } from '../../src/cli/report/markdown.js';
import { CHECKS } from '../../src/scanner/checks/index.js';
import type { Finding } from '../../src/scanner/verdict/finding.js';
import { PAYLOADS } from '../e2e/payloads.js';
import { finding, findingFrom, MOVE_NOTE } from '../support/reports.js';
import { readProject } from '../support/project.js';
import { EARLIER, FINDINGS, goldenReports, reportOf, WHOLE } from './golden/report.js';

for (const [name, text] of Object.entries(goldenReports())) {
  t.test(`${name}: everything that the format shows is as in its golden (make golden)`, async (t) => {
    t.equal(text, readProject(`test/cli/golden/${name}.txt`));
  });
}

t.test('without a trial, a comparison names the earlier scan', async (t) => {
  const report = { ...WHOLE, trial: null };
  t.match(SCAN_FORMATS.table(report), 'Compared with the earlier scan (v1)');
  t.match(SCAN_FORMATS.markdown(report), 'Compared with the scan of www.example.com on 2026-01-01 10:20 UTC (v1)');
});

interface Element {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: Element[];
  text: string;
}

/** Reads strictly: what is not well-formed throws. */
function parseXml(xml: string): Element {
  const open: Element[] = [{ name: '', attributes: {}, children: [], text: '' }];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element: Element = { name, attributes, children: [], text: '' };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => (open.at(-1)!.text += text));
  parser.on('closetag', () => open.pop());
  parser.write(xml).close();
  return open[0]!.children[0]!;
}

/** The attributes and children of junit-10.xsd (xUnit plugin of Jenkins) that we use; those with ! are required. */
const JUNIT: Readonly<Record<string, readonly [attributes: string, children: string]>> = {
  testsuites: ['', 'testsuite'],
  testsuite: ['name! tests! failures! errors! time skipped timestamp', 'properties testcase system-out'],
  properties: ['', 'property'],
  property: ['name! value!', ''],
  testcase: ['name! time classname', 'skipped failure error'],
  error: ['type message', ''],
  failure: ['type message', ''],
  skipped: ['type message', ''],
  'system-out': ['', ''],
};

function faultsOf({ name, attributes, children }: Element): string[] {
  const [known = '', allowed = ''] = JUNIT[name] ?? [];
  const required = known.split(' ').filter((key) => key.endsWith('!'));
  const names = known.replaceAll('!', '').split(' ');
  return [
    ...(name in JUNIT ? [] : [`<${name}> is unknown`]),
    ...Object.keys(attributes).flatMap((key) => (names.includes(key) ? [] : [`${name}@${key} is unknown`])),
    ...required.flatMap((key) => (key.slice(0, -1) in attributes ? [] : [`${name}@${key} is missing`])),
    ...children.flatMap((child) =>
      allowed.split(' ').includes(child.name) ? faultsOf(child) : [`<${child.name}> in <${name}>`],
    ),
  ];
}

t.test(
  'junit: the file follows the schema, and a text with anything in it comes back, but for what XML forbids',
  (t) => {
    t.same(faultsOf(parseXml(SCAN_FORMATS.junit(WHOLE))), []);
    const texts: [text: string, read?: string][] = [
      ['a < b & c > d "e" \'f\' ]]> &amp; <!-- x --> <![CDATA[ y'],
      ['tab\t, line\n, return\r, both\r\n, next line\u0085, separator\u2028'],
      [
        'bell\u0007, null\u0000, escape\u001b[31m, delete\u007f',
        'bell\uFFFD, null\uFFFD, escape\uFFFD[31m, delete\u007f',
      ],
      ['\uFFFE \uFFFF \uD800 \uDC00x 😀', '\uFFFD \uFFFD \uFFFD \uFFFDx 😀'],
    ];
    for (const [text, read = text] of texts) {
      const findings = [finding({ checkId: 'C-LLMS-01', result: 'FAIL', title: text, detail: text, fix: text })];
      const testcase = parseXml(SCAN_FORMATS.junit(reportOf(findings))).children[0]!.children[1]!;
      const [{ attributes, text: shown } = testcase] = testcase.children;
      t.equal(testcase.attributes.name, `C-LLMS-01 ${read}`);
      t.equal(attributes.message, read);
      t.ok(shown.startsWith(`MISSING: ${read}\n\n`) && shown.endsWith(`: ${read}`));
    }
    t.end();
  },
);

t.test('a scan without a score: junit and github say why as an error', async (t) => {
  const unknown = reportOf([finding({ checkId: 'C-LLMS-01', result: 'UNDETERMINED' })], EARLIER);
  const [suite] = parseXml(SCAN_FORMATS.junit(unknown)).children;
  t.match(suite!.attributes, { tests: '2', failures: '0', errors: '1', skipped: '1' });
  t.match(suite!.children[2]!.children, [{ name: 'skipped', attributes: { message: 'UNDETERMINED' } }]);
  const down = reportOf(
    CHECKS.map((check) => findingFrom(check, { result: 'UNDETERMINED', detail: 'The site answered 503.' })),
  );
  const why = 'Nothing could be determined. Most checks say: The site answered 503.';
  const junit = parseXml(SCAN_FORMATS.junit(down));
  t.same(faultsOf(junit), []);
  t.match(junit.children[0]!.children[1]!.children, [{ name: 'error', attributes: { message: why }, text: why }]);
  const annotations = SCAN_FORMATS.github(down).trimEnd().split('\n');
  t.equal(annotations.length, 1);
  t.match(annotations[0], `::error title=Agent readiness of example.com%3A no score::${why} (0 pass, `);
  t.match(SCAN_FORMATS.markdown(unknown), /example\.com: no score\n\n\*\*[^*]+\*\* /);
});

t.test('only the terminal shows where a site has moved', async (t) => {
  const base = reportOf([finding({ checkId: 'C-LLMS-01', result: 'NOT_APPLICABLE' })]);
  const report = { ...base, document: { ...base.document, notes: [MOVE_NOTE] }, movedTo: 'www.new.example' };
  const table = SCAN_FORMATS.table(report).replaceAll('\n', ' ');
  t.match(table, / www\.new\.example: .*agent-readiness-scan scan www\.new\.example\b/);
  for (const format of ['json', 'markdown', 'agent', 'junit'] as const)
    t.notMatch(SCAN_FORMATS[format](report), 'new.example', format);
  t.match(SCAN_FORMATS.markdown(report), escapeForGithub(MOVE_NOTE.text));
});

t.test('the headline has the change of the score, or what is left', async (t) => {
  const headline = (findings: readonly Finding[], score: number | null = null): string => {
    const earlier: EarlierRun = { run: { score, finishedAt: '2026-01-01T00:00' }, findings: [] };
    return SCAN_FORMATS.table(reportOf(findings, earlier)).split('\n', 1)[0]!;
  };
  const changes = [7, 27, 20, null].map((score) => headline(FINDINGS, score).split(',', 1)[0]);
  const score = 'example.com: 20 of 100';
  t.same(changes, [`${score} (+13)`, `${score} (−7)`, `${score} (as before)`, score]);
  const open = FINDINGS.filter(({ result }) => result !== 'FAIL');
  t.match(headline(open), /^example\.com: 33 .*\b2 checks\b/);
});

t.test('markdown: text stays text', async (t) => {
  const detail =
    'a | b\n<img src=x onerror=alert(1)> <!-- --> **c** [d](https://e) `f` @octocat "@context" #12 &amp; mail@host';
  const fix = `Write ${detail.replace('\n', ' ')}:\n\n\`\`\`\n<script>\n</details>\n\`\`\`\n\nThen put it in place.`;
  const findings = [finding({ checkId: 'C-LLMS-01', result: 'FAIL', title: 'x | <b>', detail, fix })];
  const markdown = SCAN_FORMATS.markdown(reportOf(findings, { findings: [] }));
  const prose = markdown.replace(/^(`{3,})\n[^]*?\n\1$/gm, '');
  t.notMatch(prose, /(?<!\\)<(?!\/?(details|summary)\b|!-- agent-readiness -->)/, 'no HTML but ours');
  t.notMatch(prose, /(?<!\\)\[d/);
  t.match(prose, '`@octocat` "`@context`" `#12` \\&amp; mail@host', 'nobody is called, no issue is named');
  t.match(markdown, '```\n<script>\n</details>\n```');
  const row = markdown.split('\n').find((line) => line.startsWith('| C-LLMS-01'));
  t.equal(row?.split(/(?<!\\)\|/).length, 6, 'four cells');
  t.equal(escapeForGithub('plain (text), 50 %: /robots.txt'), 'plain (text), 50 %: /robots.txt');
});

t.test('markdown: a report fits into a comment; blocks that do not fit are left out whole', async (t) => {
  const findings = CHECKS.map((check) => findingFrom(check, { result: 'FAIL', detail: 'x'.repeat(600) }));
  const passed = findings.map(({ checkId }) => ({ checkId, result: 'PASS' as const }));
  for (const earlier of [undefined, { findings: passed }]) {
    const markdown = SCAN_FORMATS.markdown(reportOf(findings, earlier));
    t.ok(markdown.length <= COMMENT_CHARS_MAX, String(markdown.length));
    t.match(markdown, /<\/details>\n$/, 'no sentence says that parts are left out');
  }
  t.equal(joinBlocks(['a', 'b'], 10), 'a\n\nb\n');
  t.match(joinBlocks(['a', 'b'.repeat(200), 'c'], 100), /^a\n\nc\n\n[^\n]+\n$/);
  const blocks = Array.from({ length: 200 }, (_, index) => 'x'.repeat(index));
  for (const charsMax of [200, 1000, 5000]) t.ok(joinBlocks(blocks, charsMax).length <= charsMax);
  const huge = [...CHECKS, ...CHECKS].map(({ id }) => finding({ checkId: id, result: 'FAIL', fix: 'y'.repeat(5000) }));
  const markdown = SCAN_FORMATS.markdown(reportOf(huge, { findings: [] }));
  t.ok(markdown.length <= COMMENT_CHARS_MAX);
  t.equal(markdown.split('<details').length, markdown.split('</details>').length, 'no part stays open');
});

t.test('text: a character for each check, and no line is wider than the terminal, whatever fails', async (t) => {
  const all = CHECKS.map((check) => findingFrom(check, { result: 'PASS' }));
  const pins = SCAN_FORMATS.table(reportOf(all)).split('\n')[2]!;
  t.match(pins, /^ {2}\|{6} {2}\|{3} {2}\|{4} {2}\|{4} {2}\|$/, 'pillars two blanks apart, the unscored last');
  const findings = CHECKS.flatMap((check) =>
    check.errorTypes.map((errorType) => ({
      ...findingFrom(check, { result: 'FAIL', detail: 'word '.repeat(60) }),
      errorType,
    })),
  );
  for (const columns of [40, 60, 80, 100]) {
    const table = SCAN_FORMATS.table(reportOf(findings, { findings: [] }), { columns });
    t.same(
      table.split('\n').filter((line) => line.length > columns),
      [],
      String(columns),
    );
  }
});

t.test('github: a new failure is an error, and nothing in a text ends the command', async (t) => {
  const findings = [finding({ checkId: 'C-LLMS-01', result: 'FAIL', detail: 'a\r\n::error::b 100%' })];
  const kinds = (['PASS', 'FAIL', 'UNDETERMINED'] as const).map((result) => {
    const lines = SCAN_FORMATS.github(reportOf(findings, { findings: [{ checkId: 'C-LLMS-01', result }] })).split('\n');
    t.match(lines[0], /::a%0D%0A::error::b 100%25$/);
    return lines[0]!.split(' ', 1)[0];
  });
  t.same(kinds, ['::error', '::warning', '::warning'], 'one that is not new, or was never judged before, is none');
});

t.test('html: one file that loads nothing and escapes text', async (t) => {
  const detail = '<img src=x onerror=alert(1)> & "quoted"';
  const findings = [finding({ checkId: 'C-LLMS-01', result: 'FAIL', detail, fix: `Do:\n\n${detail}` })];
  const html = SCAN_FORMATS.html(reportOf(findings, EARLIER, { shortfalls: ['33 < 90'] }));
  t.match(html, "default-src 'none'");
  t.notMatch(html, /<(img|script|link|iframe|object)\b/);
  t.match(html, '<p>&lt;img src=x onerror=alert(1)&gt; &amp; &quot;quoted&quot;</p>');
  t.match(html, ' 33 &lt; 90. ');
  const open = [...html.matchAll(/<(section|ul|li|table|tr|td|p|h[1-4]|pre|main)\b/g)].length;
  t.equal(open, [...html.matchAll(/<\/(section|ul|li|table|tr|td|p|h[1-4]|pre|main)>/g)].length, 'each is closed');
});

t.test('every format escapes the label', async (t) => {
  for (const label of PAYLOADS.filter((payload) => payload.includes('<'))) {
    const run = { score: 50, finishedAt: '2026-01-01T03:04:05Z', label };
    const report = reportOf(FINDINGS, { run, findings: FINDINGS });
    const named = { ...report, document: { ...report.document, run: { ...report.document.run, label } } };
    t.notOk(SCAN_FORMATS.html(named).includes(label), `html: ${label}`);
    t.notOk(SCAN_FORMATS.junit(named).includes(label), `junit: ${label}`);
    const markdown = SCAN_FORMATS.markdown(named).replaceAll(/\\[<>]/g, '');
    t.notOk(markdown.includes(label.slice(label.indexOf('<'))), `markdown: ${label}`);
    const properties = JSON.stringify(parseXml(SCAN_FORMATS.junit(named)));
    t.ok(properties.includes(JSON.stringify(label).slice(1, -1)), 'it is there, as text');
    t.match(JSON.parse(SCAN_FORMATS.json(named)), { run: { label } });
  }
});
