import { isUtf8 } from 'node:buffer';
import type { RobotsReading, RobotsRule, RobotsTxt } from '../evidence/robots.js';
import { parseRobots, parseText, readLoosely } from './robots.js';
import { decodeBody } from './text.js';

/** What a file that names no other charset is bridged from: the web's fallback (WHATWG Encoding standard, "legacy"). */
const FALLBACK = 'windows-1252';
/** A note names no more of them. */
const OCTET_LINES_MAX = 100;

/**
 * Parses the body of robots.txt. It should be UTF-8, whatever charset a server adds to text files. Of one that is not, three readings
 * live: the octets as received, as Google compares them; U+FFFD in place of what is no UTF-8; and bridged to UTF-8 from the charset
 * that it may be in (RFC 9309 §2.2.2).
 * @param charset of the Content-Type field
 */
export async function readRobots(body: Uint8Array, charset: string | null): Promise<RobotsTxt> {
  const robots = await parseRobots((await decodeBody(body, null)).text);
  if (isUtf8(body)) return robots;
  const octets = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const named = charset === null || /^utf-?8$/i.test(charset) ? FALLBACK : charset;
  const received = await readBoth(withoutBomOctets(octets.toString('latin1')), 'latin1');
  const texts = [octets.toString('utf8'), (await decodeBody(body, named)).text];
  const decoded = [];
  for (const text of texts) decoded.push(await readBoth(text, 'utf8'));
  const others: RobotsReading[] = [];
  for (const reading of [...robots.others, ...received, ...decoded.flat()]) {
    if (![robots, ...others].some((known) => isSameReading(known, reading))) others.push(reading);
  }
  const google = received.at(-1);
  return {
    ...robots,
    google: others.find((reading) => google && isSameReading(reading, google)) ?? null,
    others,
    octetLines: listUnlike([received, ...decoded].flatMap(([exact]) => exact ?? [])),
  };
}

/** The text by full keys and, where that differs, by the beginnings of keys. */
async function readBoth(text: string, encoding: 'utf8' | 'latin1'): Promise<RobotsReading[]> {
  const read = await parseText(text, { encoding });
  const loose = await readLoosely(text, read, encoding);
  return [{ groups: read.groups }, ...(loose ? [loose] : [])];
}

/** Google's parser skips a byte order mark, and the beginning of one. */
function withoutBomOctets(text: string): string {
  let at = 0;
  while (at < 3 && text[at] === '\u00ef\u00bb\u00bf'[at]) at += 1;
  return text.slice(at);
}

function isSameReading({ groups: some }: RobotsReading, { groups: others }: RobotsReading): boolean {
  return (
    some.length === others.length &&
    some.every(({ tokens, parts, rules }, at) => {
      const other = others[at];
      if (other?.tokens.length !== tokens.length || other.parts.length !== parts.length) return false;
      if (other.rules.length !== rules.length) return false;
      return (
        tokens.every((token, index) => token === other.tokens[index]) &&
        rules.every((rule, index) => isSameRule(rule, other.rules[index]))
      );
    })
  );
}

function isSameRule(rule: RobotsRule, other: RobotsRule | undefined): boolean {
  return rule.line === other?.line && rule.allow === other.allow && rule.pattern === other.pattern;
}

/** The first lines of which these readings do not make the same rule. */
function listUnlike(readings: readonly RobotsReading[]): number[] {
  const [first = new Map<number, string>(), ...others] = readings.map(
    ({ groups }) => new Map(groups.flatMap(({ rules }) => rules.map(({ line, pattern }) => [line, pattern]))),
  );
  const lines = new Set([first, ...others].flatMap((patterns) => [...patterns.keys()]));
  const unlike = [...lines].filter((line) => others.some((patterns) => patterns.get(line) !== first.get(line)));
  return unlike.sort((one, other) => one - other).slice(0, OCTET_LINES_MAX);
}
