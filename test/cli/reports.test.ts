import { SaxesParser } from 'saxes';
import t, { type Test } from 'tap';
import { cFwd01 } from '../../src/scanner/checks/c-fwd-01.js';
import { CHECKS } from '../../src/scanner/checks/index.js';
import { cLlms01 } from '../../src/scanner/checks/c-llms-01.js';
import { compareScans } from '../../src/cli/compare.js';
import type { EarlierRun, ScanFormat } from '../../src/cli/public-types.js';
import type { Report, View } from '../../src/cli/report/document.js';
import { SCAN_FORMATS } from '../../src/cli/report/formats.js';
import { COMMENT_CHARS_MAX, COMMENT_MARKER, escapeForGithub, joinWithin } from '../../src/cli/report/markdown.js';
import type { Finding } from '../../src/scanner/verdict/finding.js';
import { headlineOfAnswer, listAnswer } from '../../src/scanner/report/answer.js';
import { scoreOf } from '../../src/scanner/report/score.js';
import { PILLARS } from '../../src/scanner/verdict/vocabulary.js';
import { finding, findingFrom } from '../support/findings.js';
import { ANSWER, MOVE_NOTE, NOTES } from '../support/notes.js';
import { PAYLOADS } from '../e2e/payloads.js';

/** What the failure of C-LLMS-01 is called. */
const HEADLINE = String(cLlms01.failures.MISSING?.headline);

const FINDINGS = [
  finding({ checkId: 'C-LLMS-01', result: 'FAIL' }),
  finding({ checkId: 'C-BOT-01', result: 'PASS', pillar: 'B' }),
  finding({ checkId: 'C-SD-01', result: 'UNDETERMINED', pillar: 'C', detail: 'No page could be read.' }),
  finding({ checkId: 'C-MD-01', result: 'NOT_APPLICABLE', pillar: 'D', detail: 'There is no page.' }),
  finding({ checkId: 'C-FWD-01', result: 'FAIL', pillar: null, scored: false }),
];

function reportOf(findings: readonly Finding[], earlier?: EarlierRun, shortfalls: readonly string[] = []): Report {
  return {
    origin: 'https://example.com',
    document: {
      site: { hostname: 'example.com' },
      run: { score: scoreOf(findings), startedAt: '2026-01-02T03:04:05.000Z', finishedAt: '2026-01-02T03:04:17.250Z' },
      findings,
      notes: [],
      gains: [],
    },
    movedTo: null,
    isLocal: false,
    trial: [],
    comparison: earlier ? compareScans(earlier, { findings }) : null,
    shortfalls,
  };
}

t.test('which assistants can read the site comes before the score', async (t) => {
  const base = reportOf(FINDINGS);
  const report: Report = { ...base, document: { ...base.document, ...ANSWER } };
  const headline = headlineOfAnswer(ANSWER!);
  const table = SCAN_FORMATS.table(report);
  t.ok(table.startsWith(`${headline}\n  ChatGPT  `));
  t.match(table, /\n {2}Training {2,}.+\n\nexample\.com: 33 /);
  const brief = SCAN_FORMATS.table(report, { isOnlyFailures: true });
  t.match(brief, /\n {2}Perplexity .*\b403\n\nexample\.com/);
  t.notMatch(brief, 'Claude');
  const markdown = SCAN_FORMATS.markdown(report);
  t.ok(markdown.startsWith(`${COMMENT_MARKER}\n\n## ${escapeForGithub(headline)}\n\n${listAnswer(ANSWER!)}\n`));
  const html = SCAN_FORMATS.html(report);
  t.match(html, `<h1>${headline}</h1>`);
  t.match(html, /<li>Google \([^<]+\): <strong>[^<]+<\/strong>[^<]+<\/li>/);
  t.match(JSON.parse(SCAN_FORMATS.json(report)), { ...ANSWER });
  for (const format of ['table', 'markdown', 'html', 'json'] as const)
    t.notMatch(SCAN_FORMATS[format](base), 'ChatGPT');
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
  testsuites: ['name time tests failures errors', 'testsuite'],
  testsuite: ['name! tests! failures! errors! time skipped timestamp', 'properties testcase system-out'],
  properties: ['', 'property'],
  property: ['name! value!', ''],
  testcase: ['name! time classname', 'skipped failure'],
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
    ...required.flatMap((key) => (key.slice(0, -1) in attributes ? [] : [`${name}@${key} is lacking`])),
    ...children.flatMap((child) =>
      allowed.split(' ').includes(child.name) ? faultsOf(child) : [`<${child.name}> in <${name}>`],
    ),
  ];
}

const notedReport = (report: Report, notes = NOTES): Report => ({ ...report, document: { ...report.document, notes } });

t.test('where a site has moved is named at a terminal alone', async (t) => {
  const base = reportOf([finding({ checkId: 'C-LLMS-01', result: 'NOT_APPLICABLE' })]);
  const report: Report = { ...base, document: { ...base.document, notes: [MOVE_NOTE] }, movedTo: 'www.new.example' };
  t.match(
    SCAN_FORMATS.table(report).replaceAll('\n', ' '),
    / www\.new\.example: .*agent-readiness-scan scan www\.new\.example\b/,
  );
  for (const format of ['json', 'markdown', 'agent', 'junit'] as const) {
    t.notMatch(SCAN_FORMATS[format](report), 'new.example', format);
  }
  t.match(SCAN_FORMATS.markdown(report), escapeForGithub(MOVE_NOTE.text));
});

t.test('junit: a check is a test case, its pillar the class', async (t) => {
  const suites = parseXml(SCAN_FORMATS.junit(reportOf(FINDINGS)));
  t.same(faultsOf(suites), []);
  t.same(suites.attributes, { name: 'agent-readiness', tests: '5', failures: '2', errors: '0', time: '12.250' });
  const [suite] = suites.children;
  t.match(suite!.attributes, { tests: '5', failures: '2', skipped: '2', timestamp: '2026-01-02T03:04:05' });
  t.match(suite!.attributes.name, 'example.com');
  const [properties, ...cases] = suite!.children;
  t.same(properties!.children[0]?.attributes, { name: 'score', value: '33' });
  const rows = cases.map(
    ({ attributes, children }) => `${attributes.classname}: ${attributes.name} ${children[0]?.name}`,
  );
  t.same(rows, [
    `A ${PILLARS.A}: C-LLMS-01 title of C-LLMS-01 failure`,
    `B ${PILLARS.B}: C-BOT-01 title of C-BOT-01 undefined`,
    `C ${PILLARS.C}: C-SD-01 title of C-SD-01 skipped`,
    `D ${PILLARS.D}: C-MD-01 title of C-MD-01 skipped`,
    'forward-looking: C-FWD-01 title of C-FWD-01 failure',
  ]);
  t.same(cases[0]!.children[0]!.attributes, { type: 'MISSING', message: 'It answers 404.' });
  t.equal(cases[0]!.children[0]!.text, 'MISSING: It answers 404.\n\nHow to fix it: fix of C-LLMS-01');
  t.same(cases[2]!.children[0]!.attributes, { message: 'No page could be read.' });
  t.equal(cases[2]!.children[0]!.text, 'UNDETERMINED: No page could be read.');
});

t.test(
  'junit: notes about the whole site are the output of the suite, and an old failure is a failure still',
  async (t) => {
    const suites = parseXml(SCAN_FORMATS.junit(notedReport(reportOf(FINDINGS))));
    t.same(faultsOf(suites), []);
    t.match(suites.children[0]!.children.at(-1), { name: 'system-out', text: NOTES[0].text });
    const compared = SCAN_FORMATS.junit(reportOf(FINDINGS, { findings: FINDINGS }));
    t.equal(compared, SCAN_FORMATS.junit(reportOf(FINDINGS)));
  },
);

t.test('junit: a text with anything in it comes back, but for what XML forbids', async (t) => {
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
    const xml = SCAN_FORMATS.junit(reportOf(findings));
    const testcase = parseXml(xml).children[0]!.children[1]!;
    t.equal(testcase.attributes.name, `C-LLMS-01 ${read}`);
    t.equal(testcase.children[0]!.attributes.message, read);
    const { text: shown } = testcase.children[0]!;
    t.ok(shown.startsWith(`MISSING: ${read}\n\n`) && shown.endsWith(`: ${read}`));
  }
});

t.test('junit: a scan that could determine nothing is all skipped', async (t) => {
  const [suite] = parseXml(
    SCAN_FORMATS.junit(reportOf([finding({ checkId: 'C-LLMS-01', result: 'UNDETERMINED' })])),
  ).children;
  t.match(suite!.attributes, { failures: '0', skipped: '1' });
  t.same(suite!.children[0]!.children[0]!.attributes, { name: 'score', value: 'null' });
  t.same(suite!.children[1]!.children[0]!.attributes, { message: 'UNDETERMINED' }, 'without a detail, the result');
});

const EARLIER: EarlierRun = {
  site: { hostname: 'www.example.com' },
  run: { score: 50, finishedAt: '2026-01-01T10:20:30.000Z' },
  findings: [
    { checkId: 'C-LLMS-01', result: 'PASS' },
    { checkId: 'C-BOT-01', result: 'FAIL' },
    { checkId: 'C-SD-01', result: 'PASS' },
    { checkId: 'C-MD-01', result: 'NOT_APPLICABLE' },
    { checkId: 'C-FWD-01', result: 'FAIL' },
    { checkId: 'C-OLD-01', result: 'PASS' },
  ],
};

t.test('markdown: the verdict comes first, under a marker that stays', async (t) => {
  const markdown = SCAN_FORMATS.markdown(reportOf(FINDINGS, EARLIER, ['new failures: C-LLMS-01']));
  const blocks = markdown.split('\n\n');
  t.same(blocks.slice(0, 3), [
    '<!-- agent-readiness -->',
    '## Agent readiness of example.com: 33 of 100 (−17)',
    '**Conditions not met:** new failures: C-LLMS-01. Compared with the scan of www.example.com on 2026-01-01 10:20 UTC: ' +
      '1 newly failing, 1 fixed, 1 otherwise changed, 2 unchanged.',
  ]);
  t.equal(COMMENT_MARKER, blocks[0]);
  expectOrder(t, markdown, [
    '### New failures',
    `**C-LLMS-01 ${HEADLINE}** \`MISSING\``,
    '<details open>\n<summary>How to fix it</summary>\n\nfix of C-LLMS-01\n\n</details>',
    '### Fixed\n\n- C-BOT-01 title of C-BOT-01',
    '### Otherwise changed\n\n- C-SD-01 title of C-SD-01: PASS → UNDETERMINED',
    '### In one of the two scans only\n\n- C-OLD-01',
    '<summary>1 check fails, not newly</summary>\n\n**C-FWD-01',
    '<summary>All 5 checks: 1 pass, 2 fail, 1 undetermined, 1 not applicable</summary>\n\n| check |',
  ]);
});

/** Expects that a text has these parts in this order. */
function expectOrder(t: Test, text: string, parts: readonly string[]): void {
  const places = parts.map((part) => text.indexOf(part));
  t.notOk(places.includes(-1), 'every part is there');
  const sorted = places.toSorted((one, other) => one - other);
  t.same(places, sorted, 'in this order');
}

t.test('checks that nobody asked for are not counted', async (t) => {
  const some = reportOf([
    finding({ checkId: 'C-BOT-03', result: 'NOT_APPLICABLE', pillar: 'B' }),
    finding({ checkId: 'C-LLMS-01', result: 'PASS' }),
  ]);
  t.match(SCAN_FORMATS.table(some), /\n {2}Discovery 1 of 1, Access [^,\d]+\n/);
});

t.test('the table says why the edge was not tried, as the service may', async (t) => {
  const detail = 'The ownership of this site is not verified.';
  const edge = finding({ checkId: 'C-BOT-03', result: 'NOT_APPLICABLE', pillar: 'B', detail });
  t.match(SCAN_FORMATS.table(reportOf([edge])), `(1): C-BOT-03\n  C-BOT-03: ${detail}\n`);
  t.notMatch(SCAN_FORMATS.table(reportOf([{ ...edge, result: 'PASS' }])), detail);
});

t.test('what must be known before the score comes before the failures, in each format', async (t) => {
  const noted = notedReport(reportOf(FINDINGS));
  const start = NOTES[0].text.split(' ', 2).join(' ');
  for (const format of ['table', 'markdown', 'html', 'agent', 'github'] as const) {
    const text = SCAN_FORMATS[format](noted);
    t.equal(text.split(start).length, 2, `${format}: once`);
    if (format !== 'github') expectOrder(t, text, [start, 'C-LLMS-01']);
  }
});

t.test('the headline of the table says what could not be determined, where nothing fails', async (t) => {
  const open = FINDINGS.filter(({ result }) => result !== 'FAIL');
  t.match(SCAN_FORMATS.table(reportOf(open)), /^example\.com: 50 .*\b1 check\b/);
});

t.test('markdown: without a comparison, the score and all failures', async (t) => {
  const markdown = SCAN_FORMATS.markdown(reportOf(FINDINGS));
  t.match(markdown, /\n## .* example\.com: 33 .*\n\n<details>\n<summary>2 /);
  const fine = SCAN_FORMATS.markdown(reportOf(FINDINGS, { findings: FINDINGS }));
  t.match(fine, /\n\n\*\*[^*]+\*\* .*: 0 .*\b5 /);
  const unknown = reportOf([finding({ checkId: 'C-LLMS-01', result: 'UNDETERMINED' })], EARLIER);
  t.match(SCAN_FORMATS.markdown(unknown), /example\.com: no score\n\n\*\*[^*]+\*\* /);
});

t.test('notes: one about the whole report comes first, the others after the findings', async (t) => {
  const report = notedReport(reportOf(FINDINGS));
  for (const format of ['table', 'markdown'] as const) {
    const text = SCAN_FORMATS[format](report);
    expectOrder(t, text, [NOTES[0].text, 'C-FWD-01', NOTES[1].text]);
    t.match(text, NOTES[1].url, format);
  }
  t.same((JSON.parse(SCAN_FORMATS.json(report)) as { notes: unknown }).notes, NOTES);
  t.notMatch(SCAN_FORMATS.junit(report), NOTES[1].text);
});

t.test('the change of the score', async (t) => {
  const headline = (score: number | null): string => {
    const earlier: EarlierRun = { run: { score, finishedAt: '2026-01-01T00:00' }, findings: [] };
    const [line] = SCAN_FORMATS.table(reportOf(FINDINGS, earlier)).split('\n');
    return line!.slice(0, line!.indexOf(','));
  };
  const headlines = [20, 40, 33, null].map(headline);
  const score = 'example.com: 33 of 100';
  t.same(headlines, [`${score} (+13)`, `${score} (−7)`, `${score} (as before)`, score]);
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

t.test('markdown: the longest report of all checks has room in a comment', async (t) => {
  const findings = CHECKS.map((check) => findingFrom(check, { result: 'FAIL', detail: 'x'.repeat(600) }));
  const passed = findings.map(({ checkId }) => ({ checkId, result: 'PASS' as const }));
  for (const earlier of [undefined, { findings: passed }]) {
    const markdown = SCAN_FORMATS.markdown(reportOf(findings, earlier));
    t.ok(markdown.length <= COMMENT_CHARS_MAX, String(markdown.length));
    t.match(markdown, /<\/details>\n$/, 'no sentence says that parts are left out');
  }
});

t.test('markdown: what has no room is left out whole', async (t) => {
  t.equal(joinWithin(['a', 'b'], 10), 'a\n\nb\n');
  const cut = joinWithin(['a', 'b'.repeat(200), 'c'], 100);
  t.match(cut, /^a\n\nc\n\n[^\n]+\n$/);
  const blocks = Array.from({ length: 200 }, (_, index) => 'x'.repeat(index));
  for (const charsMax of [200, 1000, 5000]) t.ok(joinWithin(blocks, charsMax).length <= charsMax);
  const huge = [...CHECKS, ...CHECKS].map(({ id }) => finding({ checkId: id, result: 'FAIL', fix: 'y'.repeat(5000) }));
  const markdown = SCAN_FORMATS.markdown(reportOf(huge, { findings: [] }));
  t.ok(markdown.length <= COMMENT_CHARS_MAX);
  t.equal(markdown.split('<details').length, markdown.split('</details>').length, 'no part stays open');
});

t.test('every format ends its last line', async (t) => {
  for (const format of Object.keys(SCAN_FORMATS) as ScanFormat[]) {
    t.match(SCAN_FORMATS[format](reportOf(FINDINGS, EARLIER)), /\S\n$/, format);
  }
});

t.test('text: the gain, the fix in general, snippets as they are, and for which servers there is more', async (t) => {
  const snippet = `{"headers": [{"source": "/(.*)", "headers": [{"key": "${'x'.repeat(90)}", "value": "a b"}]}]}`;
  const fix = `Send it to https://www.example.com/.\n\n\`\`\`\n${snippet}\n\`\`\`\n\nIn nginx:\n\n\`\`\`\nlocation / { }\n\`\`\`\n\nIn Caddy:\n\n\`\`\`\nheader A b\n\`\`\``;
  const report = reportOf([finding({ checkId: 'C-LLMS-01', result: 'FAIL', fix })]);
  const gains = [{ checkId: 'C-LLMS-01', points: 6, isAtLeast: true }];
  const table = SCAN_FORMATS.table({ ...report, document: { ...report.document, gains } }, { fixes: 'all' });
  const lines = table.split('\n');
  const at = lines.indexOf('Missing');
  t.same(lines.slice(at, at + 10), [
    'Missing',
    `  x ${HEADLINE}`,
    '    C-LLMS-01, MISSING, +6 points or more',
    '    It answers 404.',
    '',
    '    Send it to https://example.com/.',
    '',
    `    ${snippet}`,
    '',
    '    For nginx, Caddy: --format agent says how.',
  ]);
});

t.test('text: the pins, in characters of the terminal', async (t) => {
  const failing = ['C-LLMS-03', 'C-BOT-01', 'C-SD-02', 'C-MD-01', 'C-FWD-01'];
  const others: Record<string, Finding['result']> = { 'C-WK-01': 'NOT_APPLICABLE', 'C-WK-03': 'UNDETERMINED' };
  const findings = CHECKS.map(({ id, pillar, scored }) =>
    finding({ checkId: id, pillar, scored, result: failing.includes(id) ? 'FAIL' : (others[id] ?? 'PASS') }),
  );
  /** Each result as its character, the pillars two blanks apart. */
  const drawn = (characters: Record<Finding['result'], string>): string =>
    [...Map.groupBy(findings, ({ pillar }) => pillar).values()]
      .map((group) => group.map(({ result }) => characters[result]).join(''))
      .join('  ');
  const pinsOf = (look: Partial<View>): string => SCAN_FORMATS.table(reportOf(findings), look).split('\n')[2]!;
  const ascii = drawn({ PASS: '|', FAIL: 'x', UNDETERMINED: '?', NOT_APPLICABLE: '.' });
  t.equal(pinsOf({ hasColour: false, isUnicode: false }), `  ${ascii}`);
  const unicode = drawn({ PASS: '┃', FAIL: '╻', UNDETERMINED: '┇', NOT_APPLICABLE: '·' });
  t.equal(pinsOf({ hasColour: false, isUnicode: true }), `  ${unicode.slice(0, -1)}╷`);
  t.match(pinsOf({ hasColour: true, isUnicode: true }), '\u001b[31m╻\u001b[0m');
  const lines = SCAN_FORMATS.table(reportOf(findings)).split('\n');
  t.match(lines[0], /^example\.com: \d+ .*\b4 .*\b1 /);
  t.match(lines[3], /^  Discovery (\d+) of \d+, Access 2 of \d+, Structured data 3 of \d+, Endpoints 1 of 3$/);
});

t.test('text: no line is wider than the terminal, whatever fails', async (t) => {
  const findings = CHECKS.flatMap((check) =>
    check.errorTypes.map((errorType) => ({
      ...findingFrom(check, { result: 'FAIL', detail: 'word '.repeat(60) }),
      errorType,
    })),
  );
  for (const columns of [40, 60, 80, 100]) {
    const wide = SCAN_FORMATS.table(reportOf(findings, { findings: [] }), { columns })
      .split('\n')
      .filter((line) => line.length > columns);
    t.same(wide, [], String(columns));
  }
});

t.test('github: a failure is an annotation, and nothing in it ends the command', async (t) => {
  const detail = 'a\r\n::error::b 100%';
  const findings = [finding({ checkId: 'C-LLMS-01', result: 'FAIL', detail }), ...FINDINGS.slice(1)];
  const lines = SCAN_FORMATS.github(reportOf(findings)).trimEnd().split('\n');
  t.same(lines, [
    `::warning title=C-LLMS-01%3A ${HEADLINE}::a%0D%0A::error::b 100%25`,
    `::notice title=C-FWD-01%3A ${cFwd01.failures.MISSING?.headline}::It answers 404.`,
    '::notice title=Agent readiness of example.com%3A 33 of 100::1 pass, 2 fail, 1 undetermined, 1 not applicable',
  ]);
  const comparedWith = (...before: Finding['result'][]) => {
    const earlier = before.map((result) => ({ checkId: 'C-LLMS-01', result }));
    return SCAN_FORMATS.github(reportOf(findings, { findings: earlier }));
  };
  t.match(comparedWith('PASS'), '::error title=C-LLMS-01', 'a new one');
  // One that is not new, that was never judged before, or that was not made before.
  for (const earlier of [comparedWith('FAIL'), comparedWith('UNDETERMINED'), comparedWith()])
    t.match(earlier, '::warning title=C-LLMS-01');
});

t.test('html: one file that loads nothing and takes text for text', async (t) => {
  const detail = '<img src=x onerror=alert(1)> & "quoted"';
  const findings = [
    finding({ checkId: 'C-LLMS-01', result: 'FAIL', detail, fix: `Do:\n\n${detail}` }),
    ...FINDINGS.slice(1),
  ];
  const report = reportOf(findings, EARLIER, ['33 < 90']);
  const html = SCAN_FORMATS.html(notedReport(report));
  t.match(html, /^<!doctype html>\n<html lang="en">/);
  t.match(html, /<title>[^<]* example\.com: 33 /);
  t.match(html, "default-src 'none'");
  t.notMatch(html, /<(img|script|link|iframe|object)\b/);
  t.match(html, '<p>&lt;img src=x onerror=alert(1)&gt; &amp; &quot;quoted&quot;</p>');
  t.match(html, ' 33 &lt; 90. ');
  t.match(html, NOTES[1].url);
  const open = [...html.matchAll(/<(section|ul|li|table|tr|td|p|h[1-4]|pre|main)\b/g)].length;
  t.equal(open, [...html.matchAll(/<\/(section|ul|li|table|tr|td|p|h[1-4]|pre|main)>/g)].length, 'each is closed');
});

t.test('no name of a scan comes out unescaped, in whichever format', async (t) => {
  const earlierOf = (label: string): EarlierRun => ({
    run: { score: 50, finishedAt: '2026-01-01T03:04:05Z', label },
    findings: FINDINGS,
  });
  for (const label of PAYLOADS.filter((payload) => payload.includes('<'))) {
    const report = reportOf(FINDINGS, earlierOf(label));
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
