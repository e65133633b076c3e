import t from 'tap';
import { cMd01 } from '../../../src/scanner/checks/c-md-01.js';
import { cSd01 } from '../../../src/scanner/checks/c-sd-01.js';
import { cSd02 } from '../../../src/scanner/checks/c-sd-02.js';
import { cSd03 } from '../../../src/scanner/checks/c-sd-03.js';
import { cSd04 } from '../../../src/scanner/checks/c-sd-04.js';
import { findingOf } from '../../support/collect.js';
import { ORGANIZATION, PROSE, judge, judgeSite, pageOf, scriptOf } from './markup-sites.js';

t.test('C-SD-01', async (t) => {
  t.test('passes with one schema.org node on any sampled page', async (t) => {
    t.match(await judge(cSd01, ORGANIZATION), { result: 'PASS', errorType: null });
    const home = pageOf([], { body: `<a href="/bread">Bread</a>${PROSE}` });
    const finding = await judgeSite(cSd01, home, { '/bread': pageOf([{ '@type': 'Product', name: 'Bread' }]) });
    t.match(finding, { result: 'PASS', detail: '1 schema.org item in JSON-LD, on 1 of 2 pages read.' });
  });

  t.test('fails with FORMAT where a block is not JSON, whatever the others hold', async (t) => {
    const finding = await judge(cSd01, ORGANIZATION, '{\n  "@type": "Secret injected words",\n}');
    t.match(finding, { result: 'FAIL', errorType: 'FORMAT' });
    t.equal(finding.detail, '1 JSON-LD block is not valid JSON: home page, block 2, line 3 of the block (byte 39).');
    for (const text of ['{', '{} // comment', "{'a': 1}", '{{ jsonld }}']) {
      t.match(await judge(cSd01, text), { errorType: 'FORMAT' }, JSON.stringify(text));
    }
  });

  t.test('notes a block with nothing in it', async (t) => {
    for (const text of ['', ' \n\t', '<!-- -->']) {
      t.match(
        await judge(cSd01, ORGANIZATION, text),
        { result: 'PASS', detail: /Empty, to be filled or removed: home page, block 2\.$/ },
        JSON.stringify(text),
      );
      t.match(await judge(cSd01, text), { errorType: 'NO_JSONLD' }, 'alone it says nothing');
    }
  });

  t.test('does not mind a BOM, CDATA or comment marks', async (t) => {
    const json = '{"@context":"https://schema.org","@type":"Thing","name":"A"}';
    for (const text of [`\uFEFF${json}`, `//<![CDATA[\n${json}\n//]]>`, `<!--\n${json}\n-->`]) {
      t.match(await judge(cSd01, text), { result: 'PASS' });
    }
  });

  t.test('fails with NO_JSONLD where there is none, and notes other markup', async (t) => {
    t.match(await judge(cSd01), {
      errorType: 'NO_JSONLD',
      detail: 'The home page has no JSON-LD in its served HTML.',
    });
    t.match(await judge(cSd01, { '@context': 'https://example.com', '@type': 'Thing' }), {
      errorType: 'NO_JSONLD',
      detail: /none uses schema\.org terms/,
    });
    const microdata = '<div itemscope itemtype="https://schema.org/Person"><b itemprop="name">A</b></div>';
    t.match(await judgeSite(cSd01, pageOf([], { body: microdata + PROSE })), {
      detail: /Microdata is on the home page/,
    });
  });

  t.test('is undetermined where all of it is past our limits', async (t) => {
    t.match(await judge(cSd01, '['.repeat(200) + ']'.repeat(200)), {
      result: 'UNDETERMINED',
      detail: /Too large to be read/,
    });
    t.match(await judge(cSd01, ORGANIZATION, `[${'{},'.repeat(50_001)}{}]`), { result: 'PASS' });
  });

  t.test('reads XHTML as XML, and does not know what is in XHTML that is none', async (t) => {
    const judgeXhtml = (head: string, body = '<p>Text</p>') =>
      findingOf(cSd01, {
        routes: {
          '/': { type: 'application/xhtml+xml', body: `<html><head>${head}</head><body>${body}</body></html>` },
        },
      });
    const script = '<script src="/app.js"/>';
    t.match(await judgeXhtml(script + scriptOf(ORGANIZATION)), { result: 'PASS' });
    t.match(await judgeXhtml(script), { errorType: 'NO_JSONLD' });
    const unclear = { result: 'UNDETERMINED', detail: /not well-formed XML.*: the home page\.$/ };
    t.match(await judgeXhtml(script, '<p>Text<br></p>'), unclear);
    t.match(await judgeXhtml(script + scriptOf(ORGANIZATION), '<p>Text<br></p>'), unclear);
    t.match(await judgeXhtml(scriptOf('{&quot;name&quot;: 1}'), '<p>Text<br></p>'), unclear);
    t.match(
      await judgeXhtml(scriptOf(ORGANIZATION), '<p>Caf&eacute;&nbsp;!</p>'),
      { result: 'PASS' },
      'entities of HTML',
    );
  });

  t.test('no other check says that malformed XHTML is too large, or broken JSON-LD', async (t) => {
    const body = (script: string) =>
      `<html><head>${scriptOf(script)}</head><body><p>Text<br></p>${scriptOf('{"@type":"Thing","@context":"https://schema.org"}')}</body></html>`;
    for (const check of [cSd03, cMd01])
      for (const script of ['{"@context":"https://schema.org","@type":"Offer"}', '{&quot;name&quot;: 1}']) {
        const routes = { '/': { type: 'application/xhtml+xml', body: body(script) } };
        t.match(
          await findingOf(check, { routes }),
          { result: 'UNDETERMINED', detail: /not well-formed XML/ },
          check.id,
        );
      }
  });

  t.test('is not applicable where the home page is not an HTML page', async (t) => {
    for (const check of [cSd01, cSd02, cSd03, cSd04]) {
      const finding = await findingOf(check, { routes: { '/': { type: 'application/json', body: '{}' } } });
      t.match(finding, { result: 'NOT_APPLICABLE' }, check.id);
    }
  });
});
