/** Rules (below `User-agent: *` where they begin with `*`), the path that is asked for, and whether three readers allow it. */
type Row = readonly [body: string, path: string, answers: string];

/**
 * What others' readers answer for Googlebot: grobotstxt 1.0.3 (github.com/jimsmart/grobotstxt, a port of the parser that Google
 * published), then Protego 0.7.0, which is given a file that is not UTF-8 as Windows-1252, or as UTF-16 by its byte order mark, and last
 * whether a token of another vendor may fetch the path: it is only charged where no reader opens it. Asked on 23 November 2026; the
 * files are ours. Each character of a body is one octet.
 */
const ROWS: Readonly<Record<string, readonly Row[]>> = {
  index: [
    ['*\nDisallow: /\nAllow: /index.html', '/', 'yyy'],
    ['*\nDisallow: /\nAllow: /index.html', '/?x=1', 'nnn'],
    ['*\nDisallow: /\nAllow: /index.html', '/index.html', 'yyy'],
    ['*\nDisallow: /docs/\nAllow: /docs/index.htm', '/docs/', 'yny'],
    ['*\nDisallow: /docs/\nAllow: /docs/index.html5?v=1', '/docs/', 'yny'],
    ['*\nDisallow: /docs/\nAllow: /docs/index.html', '/docs/intro', 'nnn'],
    ['*\nDisallow: /docs\nAllow: /docs/index.html', '/docs', 'nnn'],
    ['*\nDisallow: /docs/\nAllow: /docs/index.php', '/docs/', 'nnn'],
    ['*\nDisallow: /docs/\nAllow: /docs/Index.html', '/docs/', 'nnn'],
    ['*\nDisallow: /a/\nAllow: /a/index.html/x', '/a/', 'nnn'],
    ['*\nDisallow: /index.html', '/', 'yyy'],
    ['*\nDisallow: /$\nAllow: /index.html', '/', 'yyy'],
    ['*\nDisallow: /do*s/\nAllow: /docs/index.html', '/docs/', 'yyy'],
    ['*\nDisallow: /docs/*\nAllow: /*/index.html', '/docs/', 'nnn'],
    ['*\nDisallow: /d\nAllow: /*/index.htm', '/d/', 'yny'],
  ],
  keys: [
    ['*\nDisallow: /\nAllowed: /', '/', 'yny'],
    ['*\nDisallowed: /', '/', 'nyy'],
    ['*\nDisallow all: /', '/', 'nyy'],
    ['*\nDisallow-all: /x', '/x', 'nyy'],
    ['*\nDisallow all /', '/', 'yyy'],
    ['*\nDisallows /', '/', 'nyy'],
    ['User-agents: *\nDisallow: /', '/', 'nyy'],
    ['*\nDisallow: /\nUser-agents: Googlebot\nUser-agents: Bingbot\nAllow: /', '/', 'yyy'],
    ['User-agent: Googlebot\nUser-agent: Bingbot\nUser-agents: Other\nDisallow: /', '/', 'nnn'],
    [
      'User-agent: Googlebot\nUser-agent: Bingbot\nCrawl-delay: 1\nDisallow: /x\nUser-agents: Other\nDisallow: /',
      '/',
      'yny',
    ],
    ['*\nDissallow-it: /', '/', 'nyy'],
    ['*\nNot allowed: /\nDisallow: /', '/', 'nnn'],
    ['*\nDisallow: /\nAllowance: /p', '/p', 'yny'],
  ],
  characters: [
    ['*\nDisallow: /a b', '/a%20b', 'yny'],
    ['*\nDisallow: /say"hi"', '/say%22hi%22', 'yny'],
    ['*\nDisallow: /{id}', '/%7Bid%7D', 'yny'],
    ['*\nDisallow: /a|b', '/a%7Cb', 'yny'],
    ['*\nDisallow: /<tag>', '/%3Ctag%3E', 'yny'],
    ['*\nDisallow: /a\\b', '/a%5Cb', 'yny'],
    ['*\nDisallow: /^a', '/%5Ea', 'yny'],
    ['*\nDisallow: /`a', '/%60a', 'yny'],
    ['*\nDisallow: /a%20b%7C', '/a%20b%7C', 'nnn'],
    ['*\nDisallow: /x\nAllow: /x y', '/x%20y', 'nyy'],
    ['*\nDisallow: /x\nDisallow: /x y', '/x%20y', 'nnn'],
  ],
};

export const ROBOTS_ANSWERS = Object.values(ROWS).flatMap((rows) =>
  rows.map(([body, path, answers]) => {
    const [google, protego, others] = Array.from(answers, (answer) => answer === 'y');
    return { body: body.replace(/^\*/, 'User-agent: *'), path, google, protego, others };
  }),
);
