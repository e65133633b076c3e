import { readFileSync } from 'node:fs';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Answer } from '../../scanner/artifacts/answer.js';
import type { ScanReport } from '../../scanner/scan/scan.js';

/** Advice that is stored with a run but is not part of its response. */
export type Advice = Pick<ScanReport, 'notes' | 'gains' | 'movedTo' | 'gap'>;

/**
 * Text that run bodies share, such as the texts of checks, so that 18 kB shrink to about 300 bytes. Stored runs need it, so it never
 * changes, even if the texts do. A better dictionary gets the next number.
 */
const DICTIONARY_1 = readFileSync(new URL('run-dictionary-1.txt', import.meta.url));

/** First byte of compressed data: the number of the dictionary. The rest is Zstandard (RFC 8878). */
const VERSION = 1;

const OPTIONS = {
  dictionary: DICTIONARY_1,
  params: {
    [constants.ZSTD_c_compressionLevel]: 9,
    [constants.ZSTD_c_checksumFlag]: 1,
    // Enough for the dictionary. The level's own tables are larger than the processor's cache and cost a fifth more.
    [constants.ZSTD_c_hashLog]: 15,
    [constants.ZSTD_c_chainLog]: 15,
  },
};

/** Most bodies and their advice fit in one chunk. */
const CHUNK_BYTES = 32 * 1024;

/** Separates the response from the advice, because serialized JSON contains no newline. */
const NEWLINE = 0x0a;

const NO_ADVICE: Advice = { notes: [], gains: [], movedTo: null };

/** Compresses the serialized response of a run, followed by its advice. */
export function packRun(body: Uint8Array, report: Partial<Advice> = NO_ADVICE): Buffer {
  const { notes, gains, movedTo, gap } = { ...NO_ADVICE, ...report };
  const hasAdvice = notes.length + gains.length > 0 || movedTo !== null || gap !== undefined;
  const advice = JSON.stringify({ notes, gains, ...(movedTo !== null && { movedTo }), gap });
  return compress(hasAdvice ? Buffer.concat([body, Buffer.from(`\n${advice}`)]) : body);
}

function compress(data: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(VERSION), zstdCompressSync(data, OPTIONS)]);
}

/**
 * Returns the response, byte for byte as {@link packRun} got it, and the advice.
 * @throws Error if the data is damaged
 */
export function unpackRun(packed: Uint8Array): { readonly body: Buffer; readonly advice: Advice } {
  const data = decompress(packed);
  const end = data.indexOf(NEWLINE);
  if (end === -1) return { body: data, advice: NO_ADVICE };
  const advice = JSON.parse(data.toString('utf8', end + 1)) as Partial<Advice>;
  return { body: data.subarray(0, end), advice: { ...NO_ADVICE, ...advice } };
}

/** Returns only the response. @throws Error if the data is damaged */
export function unpackBody(packed: Uint8Array): Buffer {
  const data = decompress(packed);
  const end = data.indexOf(NEWLINE);
  // A copy, because the body may be cached and the decompressed buffer is larger.
  return Buffer.from(end === -1 ? data : data.subarray(0, end));
}

function decompress(packed: Uint8Array): Buffer {
  if (packed[0] !== VERSION) throw new Error(`a stored run has the unknown format ${packed[0]}`);
  return zstdDecompressSync(packed.subarray(1), { dictionary: DICTIONARY_1, chunkSize: CHUNK_BYTES });
}

/** Compresses the answer of a run for its text column: 1.5 kB shrink to about 100 characters. */
export function packAnswer(answer: Answer | null): string | null {
  return answer && compress(Buffer.from(JSON.stringify(answer))).toString('base64');
}

/** Reverses {@link packAnswer}. */
export function unpackAnswer(packed: string | null): Answer | null {
  return packed === null ? null : (JSON.parse(decompress(Buffer.from(packed, 'base64')).toString()) as Answer);
}
