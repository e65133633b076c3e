import t from 'tap';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { TRIED_TOKENS } from '../../../src/scanner/artifacts/agents.js';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import { gainsOf } from '../../../src/scanner/report/gain.js';
import { scoreOf } from '../../../src/scanner/report/score.js';
import { sampleFindings } from '../../../src/web/public/sample.js';
import { namedFailures, SEVERITIES } from '../../../src/scanner/verdict/failure.js';
import { splitFix } from '../../../src/scanner/verdict/fix-parts.js';
import { escapeMarkdown, formatSnippet } from '../../../src/scanner/report/markdown.js';
import { SCANNER_INFO_PATH } from '../../../src/scanner/artifacts/scanner.js';
import { STANDARDS } from '../../../src/scanner/verdict/standards.js';
import { RESULTS } from '../../../src/scanner/verdict/vocabulary.js';
import { StructuredData } from '../../../src/web/public/routes.js';
import { markdownPathOf, PUBLIC_PAGE_LIST, PUBLIC_PAGES } from '../../../src/web/server/paths.js';
import { formatPage } from '../../../src/web/public/long-page.js';
import { onSqlite } from '../../support/databases.js';
import type { HttpAnswer } from '../../support/http-client.js';
import { visitSite } from '../../support/visit-site.js';
import { PUBLIC_URL } from '../../support/services.js';
import { startWeb } from '../../support/web.js';

const BYTES_MAX = 60_000;
const MARKDOWN = { accept: 'text/markdown' };

onSqlite(async (t, engine) => {
  const db = await engine.openDb(t);
  const web = await startWeb(t, db);
  const visitor = web.newVisitor();

  const linkTo = (headers: HttpAnswer['headers'], relation: string) =>
    new RegExp(`<([^>]+)>; rel="${relation}"`).exec(headers.link ?? '')?.[1];

  for (const page of PUBLIC_PAGE_LIST) {
    const { path, title, description } = page;
    t.test(`${path} is a whole page in HTML, and the same in Markdown, also at an address of its own`, async (t) => {
      const html = await visitor.get(path);
      t.match(html, { status: 200, headers: { 'content-type': 'text/html; charset=utf-8', vary: /Accept/ } });
      t.ok(html.text.length <= BYTES_MAX, `${html.text.length} bytes`);
      const metas = { description, 'og:title': title, 'og:description': description, 'og:url': PUBLIC_URL + path };
      for (const [name, content] of Object.entries(metas)) t.match(html.text, `="${name}" content="${content}"`, name);
      t.match(html.text, `<link rel="canonical" href="${PUBLIC_URL}${path}"`);
      t.equal([...html.text.matchAll(/<h1/g)].length, 1);
      t.notMatch(html.text, / style=| on[a-z]+=|<style|<script(?! type="(?:module" src|application\/ld\+json"))/);
      const ids = [...html.text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
      t.equal(new Set(ids).size, ids.length, 'no id twice');
      for (const [link, id] of html.text.matchAll(/href="#([^"]*)"/g)) t.ok(ids.includes(id), link);
      const blocks = [...html.text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)];
      const nodes = blocks.flatMap(([, json = '']) => (JSON.parse(json) as { '@graph': object[] })['@graph']);
      t.match(nodes[0], { '@type': path === '/' ? 'WebSite' : 'WebPage', url: PUBLIC_URL + path });
      t.equal(linkTo(html.headers, 'describedby'), '/llms.txt');
      t.equal(linkTo(html.headers, 'alternate'), markdownPathOf(page));

      const markdown = await visitor.get(path, MARKDOWN);
      t.match(markdown, { status: 200, headers: { 'content-type': 'text/markdown; charset=utf-8', vary: /Accept/ } });
      t.match(markdown.text, /^# .+\n\n> .+\n\n/);
      t.notMatch(markdown.text, /\]\(\//, 'whole addresses');
      const [, heading = ''] = /^# (.+)/.exec(markdown.text) ?? [];
      t.ok(html.text.includes(`<h1>${heading}</h1>`), 'the same heading');
      const twin = await visitor.get(markdownPathOf(page));
      t.match(twin, { headers: { 'content-type': 'text/markdown; charset=utf-8' }, text: markdown.text });
      t.equal(linkTo(twin.headers, 'canonical'), path);
      const current = { 'if-none-match': markdown.headers.etag ?? '' };
      t.match(await visitor.get(path, { ...MARKDOWN, ...current }), { status: 304, headers: { vary: /Accept/ } });
      t.equal((await visitor.get(path, current)).status, 200, 'the HTML is another text');
    });
  }

  t.test('each failure has a page with its example, which the page of all checks leads to', async (t) => {
    const { text: all } = await visitor.get('/checks');
    for (const check of CHECKS) {
      for (const { errorType, headline, fix } of namedFailures(check)) {
        const path = `/checks/${check.id}/${errorType}`;
        t.ok(all.includes(`href="${path}"`), path);
        const html = await visitor.get(path);
        t.equal(html.status, 200, path);
        t.ok(html.text.length <= BYTES_MAX, `${path}: ${html.text.length} bytes`);
        const markdown = await visitor.get(path, MARKDOWN);
        t.equal(markdown.headers['content-type'], 'text/markdown; charset=utf-8');
        t.ok(markdown.text.startsWith(`# ${escapeMarkdown(headline)}\n\n> `), path);
        const words = unquoted(visibleText(html.text));
        for (const part of splitFix(fix))
          for (const line of part.text.split('\n'))
            t.ok(words.includes(unquoted(line.replace(/^- /, ''))), `${path}: ${line}`);
        const headings = [...html.text.matchAll(/<h2>([^<]+)<\/h2>/g)].map(([, heading]) => heading);
        const examples = headings.filter((heading) => markdown.text.includes(`\n\n## ${heading}\n\n`));
        t.notMatch(headings.join(', '), /with (by|in) /, path);
        t.equal(html.text.split('<dt>Judged by').length, 2, path);
        t.ok(examples.length >= 2, `${path}: an example that fails, and one that passes`);
      }
    }
    t.notMatch((await visitor.get('/nowhere')).text, 'og:title', 'only pages that are indexed have one');
    for (const path of ['/checks/C-LLMS-04/MISSING', '/checks/C-NONE-01/MISSING', '/checks/C-LLMS-01/constructor'])
      t.equal((await visitor.get(path)).status, 404, path);
  });

  t.test('addresses that moved lead to where their content is now', async (t) => {
    for (const [from, location] of Object.entries({ standards: '/checks', status: '/about', reference: '/docs/api' }))
      t.match(await visitor.get(`/${from}`), { status: 308, headers: { location } });
  });

  t.test('Markdown is for those who ask for it by name', async (t) => {
    t.equal(markdownPathOf(PUBLIC_PAGES.home), '/index.md');
    t.equal(markdownPathOf(PUBLIC_PAGES.api), '/docs/api.md');
    const cases: Readonly<Record<string, string>> = {
      'text/html,application/xhtml+xml,*/*;q=0.8': 'text/html',
      '*/*': 'text/html',
      'text/*': 'text/html',
      '': 'text/html',
      'image/png': 'text/html',
      'text/markdown': 'text/markdown',
      'text/markdown, text/html;q=0.8, */*;q=0.1': 'text/markdown',
      'text/markdown;q=0.5, text/html': 'text/html',
      'text/markdown;q=0, */*': 'text/html',
      'TEXT/MARKDOWN, */*;q=0.1': 'text/markdown',
      'text/markdown;charset=utf-8': 'text/markdown',
      'text/markdown; charset=UTF-8; q=0.9, text/html; charset=utf-8; q=0.8': 'text/markdown',
      'text/html;charset=utf-8, text/markdown;q=0.9': 'text/html',
    };
    for (const [accept, type] of Object.entries(cases)) {
      const { headers } = await visitor.get('/about', { accept });
      t.equal(headers['content-type'], `${type}; charset=utf-8`, JSON.stringify(accept));
    }
  });

  t.test('what a page links within the site is there', async (t) => {
    const known = new Set<string>([
      ...PUBLIC_PAGE_LIST.flatMap((page) => [page.path, markdownPathOf(page) ?? page.path]),
      ...CHECKS.flatMap((check) => namedFailures(check).map(({ errorType }) => `/checks/${check.id}/${errorType}`)),
      ...['/sign-in', '/sign-up', '/llms.txt', '/readyz', '/api/v1/openapi.json'],
    ]);
    for (const { path } of PUBLIC_PAGE_LIST) {
      const { text } = await visitor.get(path);
      for (const [, href = ''] of text.matchAll(/<a [^>]*href="(\/[^"]*)"/g)) {
        const [target = '', fragment] = href.replace(/\?.*/, '').split('#');
        t.ok(known.has(target), `${path} links ${href}`);
        if (fragment !== undefined) t.match((await visitor.get(target)).text, `id="${fragment}"`, href);
      }
    }
  });

  t.test('the home page asks for a site to scan, and leads agents to what is theirs', async (t) => {
    const { text, headers } = await visitor.get('/');
    t.match(text, /<form method="post" action="\/scan"[^>]*>.*<input type="text" id="site" name="site"/);
    const relations = [...(headers.link ?? '').matchAll(/<(\/[^>]+)>; rel="([^"]+)"/g)].map(([, , rel]) => rel);
    t.same(relations, ['describedby', 'alternate', 'ard', 'api-catalog', 'service-desc', 'service-doc']);
  });

  t.test('every check has its place, with all that the registry says of it', async (t) => {
    const { text: html } = await visitor.get('/checks');
    const { text: markdown } = await visitor.get('/checks', MARKDOWN);
    const words = visibleText(html);
    for (const { id, title, explanation, failures, judgedBy } of CHECKS) {
      t.match(html, `<article id="${id.toLowerCase()}"`, id);
      t.match(markdown, `### ${escapeMarkdown(title)}\n\n`, id);
      for (const part of [id, title, ...explanation.split(/(?<=\.) /)]) {
        t.ok(words.includes(squeeze(part)), `${id}: ${part}`);
        t.ok(markdown.includes(part === id ? id : escapeMarkdown(part)), `${id}: ${part}`);
      }
      const entry = html.slice(html.indexOf(`<article id="${id.toLowerCase()}"`)).split('</article>', 1)[0] ?? '';
      for (const standard of judgedBy) t.match(entry, `href="${STANDARDS[standard].url}"`, `${id} ${standard}`);
      for (const failure of namedFailures({ failures })) {
        const { errorType: type, severity, headline } = failure;
        const { word, meaning } = SEVERITIES[severity];
        const [, ofSeverity = ''] = entry.split(new RegExp(`<dt class="is-[fun]">${word}</dt>`));
        t.ok(ofSeverity.split('</div>')[0]?.includes(`href="/checks/${id}/${type}">${headline}</a>`), `${id} ${type}`);
        t.ok(words.includes(`${word}: ${meaning}`), `${word}, once for all`);
        t.ok(markdown.includes(`- [${escapeMarkdown(headline)}](${PUBLIC_URL}/checks/${id}/${type})`), `${id} ${type}`);
      }
    }
    for (const result of Object.keys(RESULTS)) t.match(markdown, `\`${result}\``);
    t.match(words, 'rounded half up');
  });

  t.test('constant pages are made once: coded, with an entity tag, and never with a member’s name', async (t) => {
    const failure = '/checks/C-BOT-01/BLOCKED';
    const respelled = await visitor.get('/checks/%43-BOT-01/BLOCKED');
    t.match(respelled, { status: 200, headers: { etag: undefined } }, 'other spellings of a path fill no memory');
    for (const path of [...PUBLIC_PAGE_LIST.map((page) => page.path), failure]) {
      for (const [accepted, coding] of Object.entries({ gzip: 'gzip', 'gzip, br': 'br', identity: undefined })) {
        const { headers } = await visitor.get(path, { 'accept-encoding': accepted });
        t.equal(headers['content-encoding'], coding, path);
      }
      const plain = await visitor.get(path, { 'accept-encoding': 'identity' });
      t.match(plain.headers, { 'cache-control': 'private, no-cache', vary: /(?=.*Cookie).*Accept-Encoding/ }, path);
      const { etag = '' } = plain.headers;
      const again = await visitor.get(path, { 'if-none-match': etag });
      t.match(again, { status: 304, text: '' }, path);

      const member = await web.newMember();
      const theirs = await member.get(path, { 'if-none-match': etag, 'accept-encoding': 'gzip, br' });
      t.match(theirs, { status: 200, headers: { 'cache-control': 'no-store' } }, path);
      t.equal(theirs.headers['content-encoding'], 'br');
      t.match((await member.get(path)).text, 'Sign out');
      t.equal((await visitor.get(path, { 'accept-encoding': 'identity' })).text, plain.text, path);
    }
  });

  t.test('accuracy is a page with its tables as tables', async (t) => {
    const { text } = await visitor.get('/accuracy');
    t.equal([...text.matchAll(/<table/g)].length, 2);
    const markdown = (await visitor.get('/accuracy', MARKDOWN)).text;
    t.match(markdown, '| C-BOT-01 ');
    // A new check has no labelled case yet.
    for (const { id } of CHECKS.filter((check) => markdown.includes(`| ${check.id} `)))
      t.match(text, `<th scope="row">${id}</th>`);
    t.ok(text.indexOf('C-LLMS-02<') < text.indexOf('C-BOT-01<'), 'others’ files come first');
    t.notMatch(text, /make accuracy|\| ---/, 'nothing for contributors, and no raw table');
  });

  t.test(
    'the sample report says what the registry says, and its points add up to the score once all are fixed',
    async (t) => {
      const findings = sampleFindings(CHECKS);
      const { text } = await visitor.get('/');
      const [, slip = ''] = text.split('aria-label="A sample report"');
      t.match(slip, `<b class="num">${scoreOf(findings)}</b>`);
      const links = [
        ...slip.matchAll(/<a href="\/checks\/([^/]+)\/([^"]+)">([^<]+)<\/a><span class="num soft">\+(\d)/g),
      ];
      t.equal(links.length, 3, 'every failure that it counts');
      const gains = gainsOf(CHECKS, findings);
      for (const [, id, type, headline, points] of links) {
        const check = CHECKS.find((one) => one.id === id);
        t.equal(check && namedFailures(check).find(({ errorType }) => errorType === type)?.headline, headline);
        t.equal(Number(points), gains.find(({ checkId }) => checkId === id)?.points, String(id));
      }
      const total = links.reduce((sum, [, , , , points]) => sum + Number(points), scoreOf(findings) ?? 0);
      t.match(slip, `>All 3 fixed: ${total}<`);
      for (const { id } of CHECKS) t.match(text, new RegExp(`<li><a href="/checks#${id.toLowerCase()}" title=`), id);
    },
  );

  t.test('the page about the scanner shows the User-Agent that is sent', async (t) => {
    const { visit } = visitSite({}, { infoUrl: PUBLIC_URL + SCANNER_INFO_PATH });
    t.match(visit.userAgent, /^AgentReadinessScan\/1\.0 \(\+https:\/\/readiness\.test\/about\)$/);
    t.ok(visibleText((await visitor.get('/about')).text).includes(visit.userAgent));
    const names = `as ${TRIED_TOKENS.join(', ').replace(/, ([^,]*)$/, ' and $1')},`;
    for (const words of [visit.userAgent, names]) t.match((await visitor.get('/about', MARKDOWN)).text, words);
  });

  t.test('the operator can be reached, or it is said that not', async (t) => {
    const contactOf = async (contact: string | null): Promise<string> => {
      const { text } = await (await startWeb(t, db, { contact })).newVisitor().get('/about');
      return text.slice(text.indexOf('id="contact"')).split('</main>', 1)[0] ?? '';
    };
    t.match(await contactOf(null), /^(?!.*mailto:).*<code>readiness\.test<\/code>/s);
    t.match(await contactOf('mailto:ops@fixture-site.com'), 'href="mailto:ops@fixture-site.com"');
    t.match(await contactOf('https://fixture-site.com/contact'), 'href="https://fixture-site.com/contact"');
  });

  t.test('limits and times are in figures', async (t) => {
    const terms = [
      ['/about', 'Requests 150', 'Data 64 MiB', 'Time 45 seconds', '20 links', '1 hour', 'version 0.0.0-test'],
      ['/privacy', '1 hour', '7 days', '30 days'],
    ] as const;
    for (const [path, ...figures] of terms) {
      const words = visibleText((await visitor.get(path)).text);
      for (const figure of figures) t.ok(words.includes(figure), figure);
      t.notMatch(words, /\{\w+\}/, 'each placeholder of the text has a value');
    }
    const { text } = await (await startWeb(t, db, { evidenceDays: 0 })).newVisitor().get('/privacy');
    t.match(visibleText(text), /^(?!.*Evidence behind).*No evidence is stored:/s, 'without evidence');
  });
});

t.test('structured data cannot end its element', async (t) => {
  const html = renderToString(h(StructuredData, { nodes: [{ name: '</script><img src=x onerror=alert(1)>"\'&' }] }));
  t.equal([...html.matchAll(/<\/?(script|img)/g)].length, 2);
  const json = html.slice(html.indexOf('>') + 1, html.lastIndexOf('</script>'));
  t.match(JSON.parse(json), { '@graph': [{ name: '</script><img src=x onerror=alert(1)>"\'&' }] });
});

t.test('Markdown keeps what it is made of', async (t) => {
  t.equal(formatSnippet('a ``` b'), '````\na ``` b\n````');
  t.equal(formatSnippet('x', 'a name'), '```text a name\nx\n```');
  t.equal(escapeMarkdown('put <head> and "*" in_a [b] `c`'), 'put \\<head> and `"*"` in\\_a \\[b\\] \\`c\\`');
  t.equal(escapeMarkdown('write & as &amp; and ~~so~~'), 'write \\& as \\&amp; and \\~\\~so\\~\\~');
  const page = formatPage({ heading: 'H', lead: 'L', body: '\n[a](/b)\n' }, 'https://c.com');
  t.equal(page, '# H\n\n> L\n\n[a](https://c.com/b)\n');
});

function visibleText(html: string): string {
  const text = html.replace(/<script.*?<\/script>/gs, '').replace(/<[^>]*>/g, ' ');
  return squeeze(
    text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
  );
}

/** Removes what typography changes: quotation marks, apostrophes, and spaces around quoted code. */
function unquoted(text: string): string {
  return text.replaceAll(/[\s"'“”’]/g, '');
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/^- /, '').trim();
}
