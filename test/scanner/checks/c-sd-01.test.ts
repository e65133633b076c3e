import t, { type Test } from 'tap';
import { cMd01 } from '../../../src/scanner/checks/c-md-01.js';
import { cSd01 } from '../../../src/scanner/checks/c-sd-01.js';
import { cSd03 } from '../../../src/scanner/checks/c-sd-03.js';
import type { Check } from '../../../src/scanner/verdict/check.js';
import { outcomeOf } from './expect-findings.js';
import { each, expectBlocks, judgeSite, ORGANIZATION, pageOf, PROSE, scriptOf } from './markup-sites.js';

t.test('C-SD-01: JSON-LD that uses schema.org', async (t) => {
  await expectBlocks(t, cSd01, 'PASS', [[ORGANIZATION, `[${'{},'.repeat(50_001)}{}]`]]);

  await expectBlocks(t, cSd01, 'FAIL FORMAT', each('{', '{} // comment', "{'a': 1}", '{{ jsonld }}'));
  const place = /^1 JSON-LD block is not valid JSON: home page, block 2, line 3 of the block \(byte 39\)\.$/;
  const faulty = '{\n  "@type": "Secret injected words",\n}';
  await expectBlocks(t, cSd01, 'FAIL FORMAT', [[ORGANIZATION, faulty]], place);

  await expectBlocks(t, cSd01, 'FAIL NO_JSONLD', each('', ' \n\t', '<!-- -->'));
  await expectBlocks(t, cSd01, 'FAIL NO_JSONLD', [[]], /^The HTML of the home page has no JSON-LD\.$/);
  const other = { '@context': 'https://example.com', '@type': 'Thing' };
  await expectBlocks(t, cSd01, 'FAIL NO_JSONLD', [[other]], /none uses schema\.org terms/);
  await expectBlocks(t, cSd01, 'UNDETERMINED', [['['.repeat(200) + ']'.repeat(200)]], /Too large to be read/);

  const home = pageOf([], { body: `<a href="/bread">Bread</a>${PROSE}` });
  const found = await judgeSite(cSd01, home, { '/bread': pageOf([{ '@type': 'Product', name: 'Bread' }]) });
  t.match(found, { result: 'PASS', detail: /^1 schema\.org item in JSON-LD, on 1 of 2 pages read\.$/ });
});

/** Judges an XHTML page. */
async function expectXhtml(t: Test, check: Check, outcome: string, head: string, body: string, says = /^/) {
  const page = `<html><head>${head}</head><body>${body}</body></html>`;
  const finding = await judgeSite(check, { type: 'application/xhtml+xml', body: page });
  t.equal(outcomeOf(finding), outcome, head + body);
  t.match(finding.detail ?? '', says, head + body);
}

t.test('XHTML is read as XML, and what is in XHTML that is none is not known', async (t) => {
  const script = '<script src="/app.js"/>';
  const organization = scriptOf(ORGANIZATION);
  const malformed = '<p>Text<br></p>';
  await expectXhtml(t, cSd01, 'PASS', script + organization, '<p>Text</p>');
  await expectXhtml(t, cSd01, 'FAIL NO_JSONLD', script, '<p>Text</p>');
  for (const head of [script, script + organization, scriptOf('{&quot;name&quot;: 1}')])
    await expectXhtml(t, cSd01, 'UNDETERMINED', head, malformed, /not well-formed XML.*: the home page\.$/);
  await expectXhtml(t, cSd01, 'PASS', organization, '<p>Caf&eacute;&nbsp;!</p>');
  for (const check of [cSd03, cMd01]) {
    for (const block of ['{"@context":"https://schema.org","@type":"Offer"}', '{&quot;name&quot;: 1}']) {
      const body = malformed + scriptOf('{"@type":"Thing","@context":"https://schema.org"}');
      await expectXhtml(t, check, 'UNDETERMINED', scriptOf(block), body, /not well-formed XML/);
    }
  }
});
