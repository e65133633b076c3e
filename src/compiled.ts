import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag, setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/** What is exported by a program that the build has made one script of, and what keeps what V8 compiled of it so far. */
export interface Compiled<Program> {
  readonly program: Program;
  readonly keep: () => void;
}

const CRC_BYTES = 4;

/**
 * Loads a program from its one script, with what was compiled of it when somebody used it like this before. Node's own cache holds what is
 * compiled as a module is loaded, so that every function that is called is compiled again at each start: two fifths of what a scan takes.
 * @param use names what the program is used for: one use calls other functions than another
 * @returns null where there is no such script: in a checkout that is not bundled
 */
export function loadCompiled<Program>(name: string, use: string, base: string): Compiled<Program> | null {
  const file = fileURLToPath(new URL(`${name}.cjs`, base));
  const source = read(file);
  if (!source) return null;
  // Until all is kept that the start needs: V8 forgets the code of functions that are not called for a while.
  setFlagsFromString('--no-flush-bytecode');
  const folder = new URL('../cache/', base);
  const place = new URL(`${use}-${process.version}-${process.arch}-${cachedDataVersionTag()}`, folder);
  const cachedData = readKept(fileURLToPath(place));
  // Every character of a bundle is of ASCII.
  const script = new Script(source.toString('latin1'), { filename: file, ...(cachedData && { cachedData }) });
  const module = { exports: {} };
  const wrapper = script.runInThisContext() as (...given: readonly unknown[]) => void;
  wrapper(module.exports, createRequire(base), module, base);
  let isKept = cachedData !== undefined && script.cachedDataRejected === false;
  return {
    program: module.exports as Program,
    keep: () => {
      if (!isKept) write(script.createCachedData(), folder, fileURLToPath(place));
      isKept = true;
      setFlagsFromString('--flush-bytecode');
    },
  };
}

function read(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** V8 trusts what it is given, so that a file that was not written to its end must not come to it. */
function readKept(file: string): Buffer | undefined {
  const kept = read(file);
  if (!kept || kept.length < CRC_BYTES) return undefined;
  const data = kept.subarray(0, -CRC_BYTES);
  return crc32(data) === kept.readUInt32LE(data.length) ? data : undefined;
}

/** Nothing is lost where it cannot be written. */
function write(data: Buffer, folder: URL, file: string): void {
  const crc = Buffer.alloc(CRC_BYTES);
  crc.writeUInt32LE(crc32(data));
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${file}.${process.pid}`, Buffer.concat([data, crc]));
    renameSync(`${file}.${process.pid}`, file);
  } catch {
    // The next start compiles again.
  }
}
