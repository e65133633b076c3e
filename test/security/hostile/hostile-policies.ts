import type { HostileText } from './hostile-text.js';
import { nameOf, repeat, series } from './hostile-text.js';

export const HOSTILE_ROBOTS: readonly HostileText[] = [
  repeat('empty lines', '\n'),
  repeat('carriage returns', '\r'),
  repeat('lines without a colon', 'a\n'),
  repeat('one line of words', 'a '),
  repeat('groups', 'User-agent: a\nDisallow: /\n'),
  series('groups with a signal', (index) => `User-agent: ${nameOf(index)}\nDisallow: /\nContent-Signal: search=yes\n`),
  series(
    'names of one group',
    (index) => `User-agent: ${nameOf(index)}\n`,
    '',
    'Disallow: /\nContent-Signal: search=yes\n',
  ),
  series('names between signals', (index) => `User-agent: ${nameOf(index)}\nContent-Signal: search=yes\n`),
  {
    name: 'one name again and again, with signals',
    make: (chars) =>
      'User-agent: *\n'.repeat(chars / 28) +
      `Content-Signal: ${'search=y, '.repeat(200)}\n`.repeat(chars / 4_040) +
      'User-agent: x\nDisallow: /\n',
  },
  series('rules', (index) => `Disallow: /${index.toString(36)}\n`, 'User-agent: *\n'),
  series('rules for each agent', (index) => `Disallow: /${index.toString(36)}\n`, everyAgent()),
  repeat('wildcards', 'Disallow: /*a*a*a*a*b\n', 'User-agent: *\n'),
  repeat('wildcards for each agent', 'Disallow: /*a*a*a*a*b\n', everyAgent()),
  repeat('one wildcard rule', '*a', 'User-agent: *\nDisallow: /', 'b$\n'),
  repeat('encoded rules', '%41', 'User-agent: *\nDisallow: /', '\n'),
  repeat('short encoded rules', 'Disallow: /%41\n', 'User-agent: *\n'),
  repeat('sitemaps', 'Sitemap: http://a\n'),
  series('different sitemaps', (index) => `Sitemap: http://a/${index}\n`),
  repeat('signals', 'Content-Signal: a\n', 'User-agent: *\n'),
  repeat('one signal', ',', 'User-agent: *\nContent-Signal: ', '\n'),
  repeat('byte order marks', '\uFEFF'),
  series(
    'groups with loose keys',
    (index) => `User-agent: ${nameOf(index)}\nDisallow all: /\u00e9${index}\nDisallow: /caf\u00e9${index}\nAllow: /x\n`,
  ),
  series(
    'groups for everybody with loose keys',
    (index) => `User-agent: *\nx:\nUser-agents: *\nDisallow all: /\u00e9${index}\nAllow: /\u00e9/index.htm\n`,
  ),
  series(
    'wildcards of one agent with loose keys',
    (index) => `Disallow: /*\u00e9*a*a*a*${index}b\nDisallow all: /*\u00e9*a*a*a*${index}b\n`,
    'User-agent: Googlebot\n',
  ),
  series(
    'names with loose keys',
    (index) => `User-agent: ${nameOf(index)}\n`,
    'User-agents: *\n',
    'Disallow: /\u00e9\n',
  ),
  series(
    'groups with a signal and loose keys',
    (index) =>
      `User-agent: ${nameOf(index)}\nDisallow: /\u00e9\nDisallow: /\nContent-Signal: search=yes\nAllowed:/x y\n`,
  ),
  repeat('NUL', '\0'),
];

/** A group of its own for each core agent, so that none shares its rules with another, and one that names them all. */
function everyAgent(): string {
  const agents = [
    'OAI-SearchBot',
    'Claude-SearchBot',
    'PerplexityBot',
    'Googlebot',
    'Bingbot',
    'Claude-User',
    'Applebot',
  ];
  const own = agents.map((agent) => `User-agent: ${agent}\nDisallow: /${agent}\n`).join('');
  return `${own}${agents.map((agent) => `User-agent: ${agent}\n`).join('')}`;
}
