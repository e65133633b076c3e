import type { Range } from './named-values.js';

/** Parts of words and path segments: what stands between signs. */
const PART = /[A-Za-z0-9]{20,}/g;
/** Base64 for URLs (RFC 4648 §5) has signs of its own in it. */
const RUN = /[\w+-]{24,}={0,2}/g;
/** What leads to a page that is only for whom it was sent to. */
const LINK =
  /\/(?:[a-z]{1,16}[-_]){0,3}(?:reset|recover|recovery|confirm|confirmation|verify|verification|activate|activation|invite|invitation|unsubscribe|magic|token|otp|sso|share|signin|login)(?:[-_][a-z]{1,16}){0,3}\/([\w~=-]{16,})/gi;

const BITS_MIN = 3.5;
/** How often one kind of character follows another in random text, at the least; in words and slugs it is rarer. */
const CHANGES_SHARE_MIN = 0.45;

/** Hexadecimal digits, or capitals, small letters and digits at random, unlike any word. */
export function* findRandomParts(text: string): Generator<Range> {
  for (const { index, 0: part } of text.matchAll(PART)) {
    if (isHexadecimal(part) || (isOfAllKinds(part) && bitsOf(part) >= BITS_MIN)) yield [index, index + part.length];
  }
  for (const { index, 0: run } of text.matchAll(RUN)) {
    if (isOfAllKinds(run) && changesShareOf(run) >= CHANGES_SHARE_MIN) yield [index, index + run.length];
  }
  for (const { index, 0: whole, 1: segment = '' } of text.matchAll(LINK)) {
    const end = index + whole.length;
    if (isTokenOfLink(segment)) yield [end - segment.length, end];
  }
}

function isHexadecimal(part: string): boolean {
  return /^[0-9a-f]+$/i.test(part) && /\d/.test(part);
}

function isOfAllKinds(part: string): boolean {
  return /[A-Z]/.test(part) && /[a-z]/.test(part) && /\d/.test(part);
}

/** The entropy of its characters, in bits each. */
function bitsOf(part: string): number {
  const counts = new Map<string, number>();
  for (const character of part) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((bits, count) => bits - (count / part.length) * Math.log2(count / part.length), 0);
}

function changesShareOf(run: string): number {
  const kinds = run.replaceAll(/[A-Z]/g, 'A').replaceAll(/[a-z]/g, 'a').replaceAll(/\d/g, '0');
  let changes = 0;
  for (let at = 1; at < kinds.length; at += 1) if (kinds[at] !== kinds[at - 1]) changes += 1;
  return changes / run.length;
}

/** Here a token may be shorter, have no capitals, or have signs in it; a slug has words between these. */
function isTokenOfLink(segment: string): boolean {
  if (/^[0-9a-f-]+$/i.test(segment)) return /\d/.test(segment);
  if (/^[A-Za-z0-9]+$/.test(segment)) return isOfAllKinds(segment) || /\d.*\d/.test(segment);
  return isOfAllKinds(segment) && changesShareOf(segment) >= 0.35;
}
