import t from 'tap';
import { drawPreview } from '../../../src/app/sharing/pages/preview.js';
import { renderPng } from '../../../src/app/sharing/png.js';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import type { Result } from '../../../src/scanner/verdict/vocabulary.js';
import { PAYLOADS } from '../../e2e/payloads.js';
import { finding } from '../../support/findings.js';

const FINISHED_AT = '2026-11-23T11:42:00.000Z';

function report(hostname: string, score: number | null = 67, results: readonly Result[] = []) {
  const findings = CHECKS.map(({ id, scored }, index) => ({
    ...finding({ checkId: id, result: results[index] ?? (score === null ? 'UNDETERMINED' : 'PASS') }),
    scored,
  }));
  return { hostname, origin: `https://${hostname}`, score, finishedAt: FINISHED_AT, findings, gains: [] };
}

t.test('a preview says host, score, what is left, the day, and draws every check', async (t) => {
  const svg = drawPreview(report('kilnstreet.example', 67, ['PASS', 'PASS', 'FAIL']));
  t.match(svg, 'width="1200" height="630"');
  for (const text of ['kilnstreet.example', '67', 'of 100', '1 thing to fix', 'Agent Readiness Scan, 23 Nov 2026']) {
    t.match(svg, `>${text}</text>`);
  }
  t.match(svg, '<path stroke="#c2301b" d="M15 12v9"></path>', 'a failure drops through the line');
  t.match(drawPreview(report('a.example', 100)), />100<\/text><text x="474"/);
  t.match(drawPreview(report('a.example', 7)), /<text x="234"/);
  t.match(drawPreview(report('a.example', 95, ['UNDETERMINED'])), '>1 check undetermined<');
  const none = drawPreview(report('a.example', null));
  for (const text of ['No score', 'which is not zero', 'Nothing could be judged']) t.match(none, `>${text}</text>`);
  t.notMatch(none, '#0d7a54');
});

t.test('a long name is set smaller, and cut at its beginning', async (t) => {
  const nameOf = (hostname: string) =>
    /font-size="(\d+)" font-weight="600" letter-spacing="-.5">([^<]*)</.exec(drawPreview(report(hostname)))?.slice(1);
  t.same(nameOf('kilnstreet.example'), ['44', 'kilnstreet.example']);
  t.same(nameOf(`${'a'.repeat(24)}.shops.example`), ['34', `${'a'.repeat(24)}.shops.example`]);
  const long = 'a-site-with-a-very-long-name.shops.platform-of-merchants.example';
  t.same(nameOf(long), ['34', '…ng-name.shops.platform-of-merchants.example']);
  const [px, wide = ''] = nameOf(`${'m'.repeat(63)}.example`) ?? [];
  t.equal(px, '34');
  t.match(wide, /^…m{29}\.example$/, 'so many m fill the line');
});

t.test('a name is in Unicode where the font can draw it, else in Punycode', async (t) => {
  const textOf = (hostname: string) => drawPreview(report(hostname));
  t.match(textOf('xn--bcher-kva.example'), '>bücher.example<');
  t.match(textOf('xn--r8jz45g.example'), '>xn--r8jz45g.example<');
  t.match(textOf('localhost:3000'), '>localhost:3000<');
  t.match(textOf('[2001:db8::1]:8443'), '>[2001:db8::1]:8443<');
  t.match(textOf('<script>&"'), '>&lt;script>&amp;');
});

t.test('no payload becomes markup of a preview, wherever it stands', async (t) => {
  const elementsOf = (svg: string) => [...new Set(svg.match(/<[a-z][^\s>]*/gi))].sort();
  t.equal(PAYLOADS.length, 40);
  for (const payload of PAYLOADS) {
    const { findings, ...rest } = report(payload);
    const said = findings.map((one) => ({ ...one, checkId: payload, title: payload, detail: payload, fix: payload }));
    for (const all of [findings, [...findings, ...said]]) {
      const svg = drawPreview({ ...rest, origin: payload, findings: all });
      t.same(elementsOf(svg), ['<g', '<path', '<rect', '<svg', '<text'], payload);
      t.notMatch(svg.replaceAll(/>[^<]*</g, '><'), /xss|\son\w+=|href=/, payload);
    }
  }
});

t.test('a preview becomes a PNG of its size with its words, in another thread', async (t) => {
  const png = Buffer.from(await renderPng(drawPreview(report('kilnstreet.example'))));
  t.equal(png.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n');
  t.same([png.readUInt32BE(16), png.readUInt32BE(20)], [1200, 630]);
  const empty = Buffer.from(
    await renderPng(drawPreview(report('kilnstreet.example')).replaceAll(/<text.*?<\/text>/g, '')),
  );
  t.ok(png.length > empty.length + 5000, 'words were drawn, with the fonts that come along');
  t.ok(png.length < 60_000, `${png.length} bytes`);
  await t.rejects(renderPng('no picture'));
});
