import { createHash } from 'node:crypto';
import { InputError } from './input-error.js';

/** What a link of a chain holds: docs/run-chain.md has the encoding. */
export interface DigestedLink {
  /** The first line: which chain it is. */
  readonly format: string;
  readonly epochId: string;
  /** Whose chain it is. */
  readonly ownerId: string;
  readonly number: number;
  readonly reference: string;
  /** The digest of the link before; null: there is none. */
  readonly before: string | null;
  readonly content: Uint8Array | string;
}

/** SHA-256 in hexadecimal digits. None of the lines holds a line feed, so no two contents are encoded alike. */
export function digestLink({ format, epochId, ownerId, number, reference, before, content }: DigestedLink): string {
  const lines = [format, epochId, ownerId, number, reference, before ?? `first of ${ownerId}`];
  return createHash('sha256')
    .update(`${lines.join('\n')}\n`)
    .update(content)
    .digest('hex');
}

/** @throws InputError for what is not a digest of a link */
export function requireDigest(text: string): void {
  if (!/^[0-9a-f]{64}$/.test(text)) {
    throw new InputError('A digest is 64 hexadecimal digits in lower case, as in the log line of a run.');
  }
}
