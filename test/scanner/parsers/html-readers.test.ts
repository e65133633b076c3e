import t from 'tap';
import { parsePage } from '../../../src/scanner/parsers/html.js';

/** The JSON-LD block behind what a case is about. */
const AFTER_JSON = '{"after":1}';
const AFTER = `<script type="application/ld+json">${AFTER_JSON}</script>`;

/**
 * Pages whose tags, text and scripts only a reader that follows the HTML standard tells apart, as parse5 8.1.1 reads them without
 * scripting: the text that is not in script, style, title or template, the blocks of JSON-LD (usually AFTER alone) and the title.
 */
const CASES: [html: string, text: string, more?: { jsonLd?: string[]; title?: string }][] = [
  [`<title>Home</title><svg><title/></svg>${AFTER}<p>seen`, 'seen', { title: 'Home' }],
  [`<svg viewBox="0 0 1 1"><style/><path d="M0 0"/></svg>${AFTER}<p>seen`, 'seen'],
  [`<svg><script/></svg>${AFTER}<p>seen`, 'seen'],
  [`<math><style/></math>${AFTER}<p>seen`, 'seen'],
  [`<math><script /></math>${AFTER}<p>seen`, 'seen'],
  [`<svg><textarea/><iframe/><xmp/></svg>${AFTER}<p>seen`, 'seen'],
  [`<svg><title lang=en/>${AFTER}</title></svg><p>seen`, 'seen'],
  [`<svg><g><style / ></style></g></svg>${AFTER}<p>seen`, 'seen'],
  [`<svg/><title>Home</title>${AFTER}<p>seen`, 'seen', { title: 'Home' }],
  [`<title/>Home ${AFTER}</title><p>seen`, 'seen', { jsonLd: [], title: `Home ${AFTER}` }],
  [`<style/>a{} ${AFTER}</style><p>seen`, 'seen', { jsonLd: [] }],
  [`<script/>a ${AFTER}<p>seen`, 'seen', { jsonLd: [] }],
  [`<svg></svg><style/>a{}${AFTER}</style><p>seen`, 'seen', { jsonLd: [] }],
  [`<svg><title><b>x</b><style/>a{}${AFTER}</style></title></svg><p>seen`, 'seen', { jsonLd: [] }],
  [`<svg><foreignObject><style/>${AFTER}</style><p>in</p></foreignObject></svg><p>seen`, 'in seen', { jsonLd: [] }],
  [`<svg><desc><i>a</i></desc><style/></svg>${AFTER}<p>seen`, 'a seen'],
  [`<math><mi><style/>a${AFTER}</style></mi></math><p>seen`, 'seen', { jsonLd: [] }],
  [
    `<math><annotation-xml encoding="text/html"><style/>a${AFTER}</style></annotation-xml></math><p>seen`,
    'seen',
    { jsonLd: [] },
  ],
  [
    `<math><annotation-xml><svg><desc><style/>a${AFTER}</style></desc></svg></annotation-xml></math><p>seen`,
    'seen',
    { jsonLd: [] },
  ],
  [`<svg><foreignObject><svg><title/></svg></foreignObject><style/></svg>${AFTER}<p>seen`, 'seen'],
  [`<svg><desc><p>a</desc></svg><p>b${AFTER}<p>seen`, 'a b seen'],
  [`<svg><font id="a"><style/></font></svg>${AFTER}<p>seen`, 'seen'],
  [`<svg><section><style/></section></svg>${AFTER}<p>seen`, 'seen'],
  [`<div><svg><path></div><style/>a${AFTER}</style><p>seen`, 'seen', { jsonLd: [] }],
  [`<a href="/"><svg><title>Home</title><path d=""></a><style/>a${AFTER}</style><p>seen`, 'seen', { jsonLd: [] }],
  [`<svg></section></q></a><style/></svg>${AFTER}<p>seen`, 'seen'],
  [`<a href="/"><svg><a></a><style/></svg></a>${AFTER}<p>seen`, 'seen'],
  [`<svg><title>Icon</svg>${AFTER}<p>seen`, 'seen'],
  [`<svg><style>a{}</svg>${AFTER}<p>seen`, 'seen'],
  [`<SVG><TITLE/></SVG>${AFTER}<P>seen`, 'seen'],
  [`<svg><style><![CDATA[ a > b { } </style> ]]></style><title/></svg>${AFTER}<p>seen`, 'seen'],
  [`<![CDATA[ a > seen ${AFTER} ]]><p>more`, 'seen ]]> more'],
  [`<p>one</p><![CDATA[ a <p>seen</p>${AFTER}`, 'one seen'],
  [
    `<svg><script type="application/ld+json"><![CDATA[{"a":"<b>&amp;</b>"}]]></script></svg>${AFTER}<p>seen`,
    'seen',
    { jsonLd: ['{"a":"<b>&amp;</b>"}', AFTER_JSON] },
  ],
  [
    `<svg><script type="application/ld+json">{"a":"x &amp; y"}</script></svg>${AFTER}<p>seen`,
    'seen',
    { jsonLd: ['{"a":"x & y"}', AFTER_JSON] },
  ],
  [`<script><!-- a </script>${AFTER}<p>seen`, 'seen'],
  [`<script><!-- --><script></script>${AFTER}<p>seen`, 'seen'],
  [`<script><!--><script></script>${AFTER}<script><!---><script></script><p>seen`, 'seen'],
  [`<script><!--<script></script></script>${AFTER}<p>seen`, 'seen'],
  [`<script><!--<script><script></script></script>${AFTER}<p>seen`, 'seen'],
  [`<script><!--<scripts></script>${AFTER}<p>seen`, 'seen'],
  [`<script><!--<script></scripts></script></script>${AFTER}<p>seen`, 'seen'],
  [`<script>a</script/><script>b</script x><script>c</script\n>${AFTER}<p>seen`, 'seen'],
  [`${AFTER}<p>seen</p><script>a</script`, 'seen'],
  [`<svg><script><!-- <script></script> --></script></svg>${AFTER}<p>seen`, 'seen'],
  ['<script type="application/ld+json">{"a":"x\0y"}</script><p>seen', 'seen', { jsonLd: ['{"a":"x\uFFFDy"}'] }],
  [
    '<title>a\0b</title><p>seen</p><script type="application/ld+json" id="\0">{}</script>',
    'seen',
    { jsonLd: ['{}'], title: 'a\uFFFDb' },
  ],
  [`<title>a</title><sc\0ript>x</sc\0ript>${AFTER}<p>seen`, 'x seen', { title: 'a' }],
  [`<svg><text>a\0b</text></svg>${AFTER}<p>seen`, 'a\uFFFDb seen'],
  [
    `<style><title/></style><xmp><svg></xmp><noembed><b></noembed><textarea><svg></textarea>${AFTER}<p>seen`,
    '<svg> <svg> seen',
  ],
  [`${AFTER}<p>seen</p><!-- <p>swallowed`, 'seen'],
  [`<svg><title>Icon</title></svg><title>Home</title>${AFTER}<p>seen`, 'seen', { title: 'Home' }],
  [`<template><script type="application/ld+json">{"no":1}</script></template>${AFTER}<p>seen`, 'seen'],
  [
    `${AFTER}<p>seen</p><plaintext><script type="application/ld+json">{"no":1}</script>`,
    'seen <script type="application/ld+json">{"no":1}</script>',
  ],
];

t.test('HTML is tokenized as other readers of the standard do it', async (t) => {
  for (const [html, text, more] of CASES) {
    const page = parsePage(html, new URL('https://www.fixture-site.com/'));
    const found = { jsonLd: page.jsonLd.map((block) => block.text), text: page.text, title: page.title };
    t.strictSame(found, { jsonLd: [AFTER_JSON], text, title: null, ...more }, html);
  }
});
