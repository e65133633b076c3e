/** The JSON-LD block behind what a case is about. */
const AFTER_JSON = '{"after":1}';
const AFTER = `<script type="application/ld+json">${AFTER_JSON}</script>`;

/** What a reader finds on a page: its blocks of JSON-LD, the text that is not in script, style, title or template, and its title. */
interface ReadPage {
  readonly jsonLd: readonly string[];
  readonly text: string;
  readonly title?: string;
}

interface ReadCase {
  readonly what: string;
  readonly html: string;
  /** By parse5 8.1.1 (npm), and by the others where `unlike` does not say otherwise. Scripting is off for all. */
  readonly read: ReadPage;
  /** By html5lib 1.1 (PyPI), and by golang.org/x/net/html 0.62.0, where they differ: an older standard, and faults of theirs. */
  readonly unlike?: Readonly<Record<string, ReadPage>>;
}

/** Pages whose tags, text and scripts only a reader that follows the HTML standard tells apart, and what three such readers answered. */
export const READ_CASES: readonly ReadCase[] = [
  {
    what: 'a title that closes itself in svg',
    html: `<title>Home</title><svg><title/></svg>${AFTER}<p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'seen', title: 'Home' },
  },
  {
    what: 'a style that closes itself in svg',
    html: `<svg viewBox="0 0 1 1"><style/><path d="M0 0"/></svg>${AFTER}<p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'seen' },
  },
  {
    what: 'a script that closes itself in svg',
    html: `<svg><script/></svg>${AFTER}<p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'seen' },
  },
  {
    what: 'a style that closes itself in math',
    html: `<math><style/></math>${AFTER}<p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'seen' },
  },
  {
    what: 'a script that closes itself in math',
    html: `<math><script /></math>${AFTER}<p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'seen' },
  },
  {
    what: 'a textarea and an iframe that close themselves in svg',
    html: `<svg><textarea/><iframe/><xmp/></svg>${AFTER}<p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'seen' },
  },
  {
    what: 'an attribute without quotes takes the slash',
    html: `<svg><title lang=en/>${AFTER}</title></svg><p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'seen' },
  },
  {
    what: 'white space between slash and end',
    html: `<svg><g><style / ></style></g></svg>${AFTER}<p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'seen' },
  },
  {
    what: 'an svg that closes itself',
    html: `<svg/><title>Home</title>${AFTER}<p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'seen', title: 'Home' },
  },
  {
    what: 'in HTML a title does not close itself',
    html: `<title/>Home ${AFTER}</title><p>seen`,
    read: { jsonLd: [], text: 'seen', title: `Home ${AFTER}` },
  },
  {
    what: 'in HTML a style does not close itself',
    html: `<style/>a{} ${AFTER}</style><p>seen`,
    read: { jsonLd: [], text: 'seen' },
  },
  {
    what: 'in HTML a script does not close itself',
    html: `<script/>a ${AFTER}<p>seen`,
    read: { jsonLd: [], text: 'seen' },
  },
  {
    what: 'behind the end of svg, HTML holds again',
    html: `<svg></svg><style/>a{}${AFTER}</style><p>seen`,
    read: { jsonLd: [], text: 'seen' },
  },
  {
    what: 'a title of svg holds HTML',
    html: `<svg><title><b>x</b><style/>a{}${AFTER}</style></title></svg><p>seen`,
    read: { jsonLd: [], text: 'seen' },
  },
  {
    what: 'foreignObject holds HTML',
    html: `<svg><foreignObject><style/>${AFTER}</style><p>in</p></foreignObject></svg><p>seen`,
    read: { jsonLd: [], text: 'in seen' },
  },
  {
    what: 'desc holds HTML, and svg goes on behind it',
    html: `<svg><desc><i>a</i></desc><style/></svg>${AFTER}<p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'a seen' },
  },
  {
    what: 'mi holds HTML',
    html: `<math><mi><style/>a${AFTER}</style></mi></math><p>seen`,
    read: { jsonLd: [], text: 'seen' },
  },
  {
    what: 'an annotation holds HTML where it says so',
    html: `<math><annotation-xml encoding="text/html"><style/>a${AFTER}</style></annotation-xml></math><p>seen`,
    read: { jsonLd: [], text: 'seen' },
  },
  {
    what: 'svg in an annotation',
    html: `<math><annotation-xml><svg><desc><style/>a${AFTER}</style></desc></svg></annotation-xml></math><p>seen`,
    read: { jsonLd: [], text: 'seen' },
  },
  {
    what: 'svg in foreignObject in svg',
    html: `<svg><foreignObject><svg><title/></svg></foreignObject><style/></svg>${AFTER}<p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'seen' },
  },
  {
    what: 'HTML left open in desc',
    html: `<svg><desc><p>a</desc></svg><p>b${AFTER}<p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'a b seen' },
  },
  {
    what: 'font without one does not',
    html: `<svg><font id="a"><style/></font></svg>${AFTER}<p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'seen' },
  },
  {
    what: 'a section does not break out',
    html: `<svg><section><style/></section></svg>${AFTER}<p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'seen' },
  },
  {
    what: 'an unclosed svg ends with the div around it',
    html: `<div><svg><path></div><style/>a${AFTER}</style><p>seen`,
    read: { jsonLd: [], text: 'seen' },
  },
  {
    what: 'an unclosed svg ends with the link around it',
    html: `<a href="/"><svg><title>Home</title><path d=""></a><style/>a${AFTER}</style><p>seen`,
    read: { jsonLd: [], text: 'seen' },
  },
  {
    what: 'an end tag of nothing that is open leaves svg as it is',
    html: `<svg></section></q></a><style/></svg>${AFTER}<p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'seen' },
  },
  {
    what: 'a link of svg ends before the link around it',
    html: `<a href="/"><svg><a></a><style/></svg></a>${AFTER}<p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'seen' },
  },
  {
    what: 'an unclosed title in svg',
    html: `<svg><title>Icon</svg>${AFTER}<p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'seen' },
  },
  {
    what: 'an unclosed style in svg',
    html: `<svg><style>a{}</svg>${AFTER}<p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'seen' },
  },
  { what: 'upper case', html: `<SVG><TITLE/></SVG>${AFTER}<P>seen`, read: { jsonLd: [AFTER_JSON], text: 'seen' } },
  {
    what: 'CDATA in svg is text',
    html: `<svg><style><![CDATA[ a > b { } </style> ]]></style><title/></svg>${AFTER}<p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'seen' },
  },
  {
    what: 'CDATA in HTML is a comment to the next >',
    html: `<![CDATA[ a > seen ${AFTER} ]]><p>more`,
    read: { jsonLd: [AFTER_JSON], text: 'seen ]]> more' },
  },
  {
    what: 'CDATA in HTML that never ends',
    html: `<p>one</p><![CDATA[ a <p>seen</p>${AFTER}`,
    read: { jsonLd: [AFTER_JSON], text: 'one seen' },
  },
  {
    what: 'JSON-LD in CDATA in svg',
    html: `<svg><script type="application/ld+json"><![CDATA[{"a":"<b>&amp;</b>"}]]></script></svg>${AFTER}<p>seen`,
    read: { jsonLd: ['{"a":"<b>&amp;</b>"}', AFTER_JSON], text: 'seen' },
    unlike: { 'x/net/html': { jsonLd: ['{"a":"<b>&</b>"}', AFTER_JSON], text: 'seen' } },
  },
  {
    what: 'JSON-LD in svg has character references',
    html: `<svg><script type="application/ld+json">{"a":"x &amp; y"}</script></svg>${AFTER}<p>seen`,
    read: { jsonLd: ['{"a":"x & y"}', AFTER_JSON], text: 'seen' },
  },
  {
    what: 'a comment in a script without a script in it',
    html: `<script><!-- a </script>${AFTER}<p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'seen' },
  },
  {
    what: 'a comment that ends before the inner script',
    html: `<script><!-- --><script></script>${AFTER}<p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'seen' },
  },
  {
    what: 'the shortest comments end at once',
    html: `<script><!--><script></script>${AFTER}<script><!---><script></script><p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'seen' },
  },
  {
    what: 'an inner script that ends twice',
    html: `<script><!--<script></script></script>${AFTER}<p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'seen' },
  },
  {
    what: 'an inner script that opens twice',
    html: `<script><!--<script><script></script></script>${AFTER}<p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'seen' },
  },
  {
    what: 'an inner name that only begins like script',
    html: `<script><!--<scripts></script>${AFTER}<p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'seen' },
  },
  {
    what: 'an inner end that only begins like script',
    html: `<script><!--<script></scripts></script></script>${AFTER}<p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'seen' },
  },
  {
    what: 'an end tag with a slash, a space, a line',
    html: `<script>a</script/><script>b</script x><script>c</script\n>${AFTER}<p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'seen' },
  },
  {
    what: 'an end tag that the page cuts',
    html: `${AFTER}<p>seen</p><script>a</script`,
    read: { jsonLd: [AFTER_JSON], text: 'seen' },
  },
  {
    what: 'a script in svg is not escaped',
    html: `<svg><script><!-- <script></script> --></script></svg>${AFTER}<p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'seen' },
  },
  {
    what: 'U+0000 in JSON-LD',
    html: '<script type="application/ld+json">{"a":"x\0y"}</script><p>seen',
    read: { jsonLd: ['{"a":"x\uFFFDy"}'], text: 'seen' },
  },
  {
    what: 'U+0000 in title and an attribute',
    html: '<title>a\0b</title><p>seen</p><script type="application/ld+json" id="\0">{}</script>',
    read: { jsonLd: ['{}'], text: 'seen', title: 'a\uFFFDb' },
  },
  {
    what: 'U+0000 in the name of a tag',
    html: `<title>a</title><sc\0ript>x</sc\0ript>${AFTER}<p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'x seen', title: 'a' },
  },
  {
    what: 'U+0000 in svg',
    html: `<svg><text>a\0b</text></svg>${AFTER}<p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'a\uFFFDb seen' },
  },
  {
    what: 'raw text of HTML',
    html: `<style><title/></style><xmp><svg></xmp><noembed><b></noembed><textarea><svg></textarea>${AFTER}<p>seen`,
    read: { jsonLd: [AFTER_JSON], text: '<svg> <svg> seen' },
  },
  {
    what: 'a comment that never ends',
    html: `${AFTER}<p>seen</p><!-- <p>swallowed`,
    read: { jsonLd: [AFTER_JSON], text: 'seen' },
  },
  {
    what: 'a title in a page with svg',
    html: `<svg><title>Icon</title></svg><title>Home</title>${AFTER}<p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'seen', title: 'Home' },
  },
  {
    what: 'JSON-LD in a template is inert',
    html: `<template><script type="application/ld+json">{"no":1}</script></template>${AFTER}<p>seen`,
    read: { jsonLd: [AFTER_JSON], text: 'seen' },
    unlike: {
      html5lib: { jsonLd: ['{"no":1}', AFTER_JSON], text: 'seen' },
      'x/net/html': { jsonLd: ['{"no":1}', AFTER_JSON], text: 'seen' },
    },
  },
  {
    what: 'plaintext',
    html: `${AFTER}<p>seen</p><plaintext><script type="application/ld+json">{"no":1}</script>`,
    read: { jsonLd: [AFTER_JSON], text: 'seen <script type="application/ld+json">{"no":1}</script>' },
  },
];
