import { readFileSync } from 'node:fs';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Gap } from '../../scanner/artifacts/evidence.js';
import type { Gain } from '../../scanner/report/gain.js';
import type { ScanReport } from '../../scanner/scan/scan.js';
import { MOVE_NOTE_ID, type Note } from '../../scanner/verdict/note.js';

/** A stored note. The note of a move also has the name of the new host, which is the site's word. */
type StoredNote = Note & { readonly movedTo?: string };

/** Advice with a run, as it is stored; no part of its response. */
export interface Advice {
  readonly notes: readonly StoredNote[];
  readonly gains: readonly Gain[];
  /** Why the home page could not be read. */
  readonly gap?: Gap;
}

export function adviceOf({
  notes,
  movedTo,
  gains,
  gap,
}: Pick<ScanReport, 'notes' | 'movedTo' | 'gains' | 'gap'>): Advice {
  const stored = notes.map((note) => (note.id === MOVE_NOTE_ID && movedTo !== null ? { ...note, movedTo } : note));
  return { notes: stored, gains, ...(gap && { gap }) };
}

/** Separates the notes, which hold only our own words, from the name of the new host. */
export function readNotes(stored: readonly StoredNote[]): Pick<ScanReport, 'notes' | 'movedTo'> {
  return {
    notes: stored.map(({ id, checkId, text, standard, url }) => ({ id, checkId, text, standard, url })),
    movedTo: stored.find(({ movedTo }) => movedTo !== undefined)?.movedTo ?? null,
  };
}

/**
 * What bodies of runs have in common, such as the texts of the checks: a body of 18 kB shrinks to some 300 bytes. Stored runs are read with
 * it, so it never changes, even if the texts do. A better one gets the next number.
 */
const DICTIONARY_1 = readFileSync(new URL('run-dictionary-1.txt', import.meta.url));

/** The first byte of a stored body: the number of its dictionary. The rest is compressed by Zstandard (RFC 8878). */
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

/** Most bodies with their advice fit in one. */
const CHUNK_BYTES = 32 * 1024;

/** Separates the response from the advice: serialized JSON has none. */
const NEWLINE = 0x0a;

const NO_ADVICE: Advice = { notes: [], gains: [] };

/** Compresses the serialized response of a run, followed by its advice. */
export function packRun(body: Uint8Array, advice = NO_ADVICE): Buffer {
  const hasAdvice = advice.notes.length + advice.gains.length > 0 || advice.gap !== undefined;
  const whole = hasAdvice ? Buffer.concat([body, Buffer.from(`\n${JSON.stringify(advice)}`)]) : body;
  return Buffer.concat([Buffer.of(VERSION), zstdCompressSync(whole, OPTIONS)]);
}

/**
 * Returns the response byte for byte as it was given to {@link packRun}, and the advice.
 * @throws Error if they are damaged
 */
export function unpackRun(packed: Uint8Array): { readonly body: Buffer; readonly advice: Advice } {
  const whole = decompress(packed);
  const end = whole.indexOf(NEWLINE);
  if (end === -1) return { body: whole, advice: NO_ADVICE };
  return { body: whole.subarray(0, end), advice: JSON.parse(whole.toString('utf8', end + 1)) as Advice };
}

/** Returns the response alone. @throws Error if it is damaged */
export function unpackBody(packed: Uint8Array): Buffer {
  const whole = decompress(packed);
  const end = whole.indexOf(NEWLINE);
  // A copy, since the body may stay in memory for long, and the decompressed buffer is larger.
  return Buffer.from(end === -1 ? whole : whole.subarray(0, end));
}

function decompress(packed: Uint8Array): Buffer {
  if (packed[0] !== VERSION) throw new Error(`the body of a run has the unknown form ${packed[0]}`);
  return zstdDecompressSync(packed.subarray(1), { dictionary: DICTIONARY_1, chunkSize: CHUNK_BYTES });
}
