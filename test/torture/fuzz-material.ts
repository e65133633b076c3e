/** What single parts of a request are made of: the first of each list is the plainest. */

const wordsOf = (text: string): string[] => text.trim().split(/[ \n]+/);
const linesOf = (text: string): string[] => text.trim().split(/\n */);

export const METHODS = wordsOf('GET POST HEAD OPTIONS PUT DELETE PATCH TRACE PROPFIND SEARCH CONNECT');
export const ODD_METHODS = [...wordsOf('get Post FOO GETX PRI'), 'G\0T', ''];
export const ODD_VERSIONS = wordsOf('1.0 1.0 0.9 2.0 1.2 9 x');

/** Run numbers; the plain ones are few enough to exist. */
export const PLAIN_NUMBERS = wordsOf('1 2 3 4 5 %31 latest');
export const ODD_NUMBERS = [
  ...wordsOf(`0 -1 1.0 1e3 0x1 01 +1 %2531 %2B1 1%00 %001 %201 1%20 99999999999999999999 2147483647 2147483648
    9007199254740993 NaN Infinity null undefined __proto__ constructor -0 1_000 1,000 0b1 0o7 1;v=1 %D9%A1 %EF%BC%91
    \xd9\xa1 1%0A 1%0D%0A LATEST l%61test latest%00 . .. %2F1 1/ 1%2F 1// 1/.. % %z %3 %c0%b1 %ff * 1'-- 1%27%20OR%201=1 {own}`),
  ...['', '9'.repeat(400), '1'.repeat(7_000)],
];

export const ODD_SITES = [
  ...wordsOf(`{foreign} {unverified} {empty} {absent} site_ site x {own}%00 %00 {own}%20 ..%2F.. %2F %252F %252e%252e . .. %2e%2e
    % %zz %c0%af %ff %F0%9F%90%98 \xc3\xa9 site_%F0%9F%90%98%F0%9F%90%98%F0%9F%90%98%F0%9F%90%98%F0%9F%90%98 __proto__ latest * '
    {own};a=b {own},{foreign} site_AAAAAAAAAAAAAAAAAAAA site_11111111111111111111 {foreign} {unverified} {empty} {absent}`),
  ...['', 'x'.repeat(8_000), `site_${'a'.repeat(4_000)}`],
];

export const QUERIES = [
  '',
  ...wordsOf('? ?x=1 ?number=2 ?siteId={foreign} ?%00 ?a=%zz ?a[]=1&a[__proto__]=2 ?/../.. #x ?? ?\xff'),
];

/** Ways to bend a path: what is replaced, and by what. */
const BENDS: readonly (readonly [RegExp, string])[] = [
  ...([
    [/$/, '/'],
    [/^/, '/'],
    [/\/runs/, '/./runs'],
    [/\/runs/, '/x/../runs'],
    [/\//g, '%2F'],
    [/^\//, ''],
  ] as const),
  ...([
    [/\/runs/, '%2Fruns'],
    [/runs/, 'r%75ns'],
    [/api/, 'API'],
    [/api/, '%61pi'],
    [/v1/, 'v2'],
    [/\/runs/, '%252Fruns'],
  ] as const),
  ...([
    [/^/, 'http://readiness.test'],
    [/^/, 'http://[::'],
    [/^/, 'ftp://a@b:99999'],
    [/$/, '%00'],
    [/$/, ' x'],
  ] as const),
  ...([
    [/\/runs/, '\\runs'],
    [/^.*$/s, '*'],
    [/^.*$/s, '/'],
    [/^.*$/s, ''],
    [/^.*$/s, '//'],
    [/\/api/, '/%2e/api'],
  ] as const),
];
export const PATH_BENDS = BENDS.map(
  ([pattern, text]) =>
    (path: string) =>
      path.replace(pattern, text),
);

export const AUTHORIZATIONS = [
  ...linesOf(`Bearer {good}
    Bearer {stranger}
    Bearer {free}
    Bearer {revoked}
    Bearer {spent}
    Bearer {unknown}
    Bearer
    bearer {good}
    BEARER\t{good}
    Bearer  {good}
    Bearer {good} {good}
    Bearer {good},
    Bearer {good}x
    Bearer "{good}"
    Bearer=%20{good}
    {good}
    Basic dTpw
    Basic {good}
    Bearer ars_short
    Bearer \xff\xfe
    Bearer __proto__
    Bearer ' OR 1=1
    Digest a="b"`),
  ...['', 'Bearer ', 'Bearer {good}\xa0', `Bearer ${'x'.repeat(6_000)}`],
];

/** Header lines that any server has to put up with. */
export const PLAIN_LINES = [
  ...linesOf(`Accept: */*
    Accept: text/html
    Accept: application/xml;q=0, */*;q=0
    Accept: \xff
    Accept-Encoding: gzip, br
    Range: bytes=0-0
    Range: bytes=9-1
    Range: x
    Expect: 100-continue
    Expect: 200-ok
    Upgrade: h2c
    Upgrade: websocket
    If-None-Match: *
    If-None-Match: *
    If-None-Match: *
    If-None-Match: {etag}
    If-None-Match: W/{etag}
    If-None-Match: "a", {etag}
    If-None-Match: "
    If-None-Match:
    If-Match: "x"
    If-Modified-Since: Fri, 31 Feb 2026 25:00:00 GMT
    If-Range: "x"
    X-Request-Id: abc-1
    X-Request-Id: a b
    X-Request-Id: \xe9
    X-Request-Id: {"a":1}
    X-Request-Id:
    Connection: close
    Connection: keep-alive
    Connection: Upgrade
    Connection: Authorization
    Keep-Alive: timeout=-1
    X-HTTP-Method-Override: DELETE
    X-Forwarded-For: 1.2.3.4, x
    X-Forwarded-Host: evil
    Forwarded: for="_x"
    Cookie: a=b; =; __proto__=1
    Content-Type: text/html
    Content-Type: x
    Content-Encoding: gzip
    Content-Encoding: br, gzip, x
    Content-Type: application/json; charset=utf-16
    Content-Type: application/json; charset="
    Content-Type: multipart/form-data
    Accept-Charset: utf-7
    X-Forwarded-For: 127.0.0.1
    X-Forwarded-Proto: javascript
    X-Original-URL: /api/v1/openapi.json
    X-Rewrite-URL: /healthz
    Origin: https://evil.test
    Access-Control-Request-Method: POST
    __proto__: 1
    constructor: x
    X-Odd: \x80\xff
    TE: trailers
    Trailer: Authorization`),
  ...[`If-None-Match: ${'"a",'.repeat(2_000)}`, `X-Request-Id: ${'a'.repeat(65)}`, `X-Big: ${'b'.repeat(5_000)}`],
];

/** Header lines for which a server may refuse the request, or wait for more of it. */
export const ODD_LINES = [
  ...linesOf(`Host: other
    Host: readiness.test
    Host : x
    X-Bad: \x01
    X-Bad: a\0b
    Bad Name: x
    : x
    NoColon
    Content-Length: 0
    Content-Length: 5
    Content-Length: -1
    Content-Length: +5
    Content-Length: 0x5
    Content-Length: 1e1
    Content-Length: 5, 5
    Content-Length: 70000
    Content-Length: 99999999999999999999
    Content-Length:
    Content-Length : 5
    Content-Length: 5\x0b
    Transfer-Encoding: chunked
    Transfer-Encoding: CHUNKED
    Transfer-Encoding: gzip
    Transfer-Encoding: identity
    Transfer-Encoding: chunked, identity
    Transfer-Encoding: gzip, chunked
    Transfer-Encoding: xchunked
    Transfer-Encoding : chunked
    Transfer-Encoding:\x0bchunked
    \xffX: 1
    X\0: 1`),
  ...[' folded', '\tfolded', 'X: a\rb', 'X: a\nb', `X-Huge: ${'h'.repeat(20_000)}`],
  Array.from({ length: 2_500 }, (_, index) => `a${index % 10}:`).join('\r\n'),
];
