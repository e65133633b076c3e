import { createHash } from 'node:crypto';

/** As WARC 1.1 §5.8 labels it, in hexadecimal. */
export function digestOf(block: Uint8Array): string {
  return `sha256:${createHash('sha256').update(block).digest('hex')}`;
}

/** Those that other tools write when they copy a record. */
const ALGORITHMS = new Set(['md5', 'sha1', 'sha256', 'sha512']);

/**
 * Whether a labelled digest, in hexadecimal, base32 or base64 (RFC 4648 §4 to §6), is not that of the block. False where that cannot be told here: there is
 * none, or it is of another algorithm.
 */
export function isWrongDigest(labelled: string, block: Uint8Array): boolean {
  const [, label = '', value = ''] = /^([\w-]{1,20}):(\S{0,200})/.exec(labelled) ?? [];
  const algorithm = label.toLowerCase().replace(/^sha-/, 'sha');
  if (!ALGORITHMS.has(algorithm)) return false;
  const digest = createHash(algorithm).update(block).digest();
  const forms = [unpadded(digest.toString('base64')), digest.toString('base64url')];
  const given = unpadded(value);
  return !forms.includes(given) && ![digest.toString('hex'), base32Of(digest)].includes(given.toLowerCase());
}

function unpadded(text: string): string {
  return text.split('=', 1)[0] ?? '';
}

function base32Of(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => 'abcdefghijklmnopqrstuvwxyz234567'[parseInt(group.padEnd(5, '0'), 2)]).join('');
}
