import { isUtf8 } from 'node:buffer';
import type { RobotsReading, RobotsRule, RobotsTxt } from '../artifacts/robots.js';
import { parseRobots, parseText, readLoosely } from './robots.js';
import { isSameList, SharedParts } from './robots-sharing.js';
import { decodeBody } from './text.js';

/** What a file that names no other charset is bridged from: the web's fallback (WHATWG Encoding standard, "legacy"). */
const FALLBACK = 'windows-1252';
/** A note names no more of them. */
const OCTET_LINES_MAX = 100;

/**
 * Parses the body of robots.txt. It should be UTF-8, whatever charset a server adds to text files. Of one that is not, three readings
 * live: the octets as received, as Google compares them; U+FFFD in place of what is not UTF-8; and bridged to UTF-8 from the charset
 * that it may be in (RFC 9309 §2.2.2).
 * @param charset of the Content-Type field
 */
export async function readRobots(body: Uint8Array, charset: string | null): Promise<RobotsTxt> {
  const shared = new SharedParts();
  const { text } = await decodeBody(body, null);
  const robots = await parseRobots(text, shared);
  if (isUtf8(body)) return robots;
  const octets = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const named = charset === null || /^utf-?8$/i.test(charset) ? FALLBACK : charset;
  const received = await readBoth(withoutBomOctets(octets.toString('latin1')), 'latin1', shared);
  const decoded = [];
  for (const other of [octets.toString('utf8'), (await decodeBody(body, named)).text]) {
    decoded.push(other === text ? [robots, ...robots.others] : await readBoth(other, 'utf8', shared));
  }
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
async function readBoth(text: string, encoding: 'utf8' | 'latin1', shared: SharedParts): Promise<RobotsReading[]> {
  const read = await parseText(text, { encoding, shared });
  const loose = await readLoosely(text, read, { encoding, shared });
  return [{ groups: read.groups }, ...(loose ? [loose] : [])];
}

/** Google's parser skips a byte order mark, and the beginning of one. */
function withoutBomOctets(text: string): string {
  let at = 0;
  while (at < 3 && text[at] === '\u00ef\u00bb\u00bf'[at]) at += 1;
  return text.slice(at);
}

/** By what decides. Equal rules are one object. */
function isSameReading({ groups: some }: RobotsReading, { groups: others }: RobotsReading): boolean {
  return isSameList(some, others, (group, other) => {
    if (group === other) return true;
    if (group.parts.length !== other.parts.length) return false;
    return isSameList(group.tokens, other.tokens) && isSameList(group.rules, other.rules);
  });
}

/** The first lines of which these readings do not make the same rule. */
function listUnlike([first, ...others]: readonly RobotsReading[]): number[] {
  const rules = first ? rulesOf(first) : [];
  const lines = new Set(others.flatMap((other) => listUnlikeLines(rules, rulesOf(other))));
  return [...lines].sort((one, other) => one - other).slice(0, OCTET_LINES_MAX);
}

/** In the order of their lines, as they stand in the file. */
function rulesOf({ groups }: RobotsReading): RobotsRule[] {
  return groups.flatMap(({ rules }) => rules);
}

function listUnlikeLines(some: readonly RobotsRule[], others: readonly RobotsRule[]): number[] {
  const lines: number[] = [];
  for (let at = 0, otherAt = 0; lines.length < OCTET_LINES_MAX;) {
    const [rule, other] = [some[at], others[otherAt]];
    if (!rule && !other) break;
    const line = Math.min(rule?.line ?? Infinity, other?.line ?? Infinity);
    if (rule !== other) lines.push(line);
    if (rule?.line === line) at += 1;
    if (other?.line === line) otherAt += 1;
  }
  return lines;
}
