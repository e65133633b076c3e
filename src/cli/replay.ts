import { readFile, stat } from 'node:fs/promises';
import { parseSiteInput } from '../app/sites/site-input.js';
import { InputError } from '../platform/errors.js';
import { replayScan } from '../scanner/scan/recorded-scan.js';
import type { ScanReport } from '../scanner/scan/scan.js';
import { RECORDING_LIMITS } from '../scanner/limits.js';
import type { SavedRecording } from '../scanner/trace/recording.js';
import type { Output } from './command.js';

/**
 * Reads a file that `scan --record` wrote.
 * @param address the site, if given
 * @throws InputError if the file cannot be read, is no recording, or is the recording of another site
 */
export async function readReplay(file: string, address: string | undefined): Promise<SavedRecording> {
  const refuse = (reason: string): never => {
    throw new InputError(`--replay: ${file} cannot be replayed: ${reason}.`);
  };
  const found = await stat(file).catch(() => refuse('there is no such file'));
  if (!found.isFile()) refuse('it is not a regular file');
  if (found.size > RECORDING_LIMITS.bytesMax) refuse('it is larger than 64 MiB');
  const bytes = await readFile(file).catch(() => refuse('it is not readable'));
  // The module needs zod, which other scans do not load.
  const { readRecording } = await import('../scanner/trace/recording.js');
  const recording = readRecording(bytes, refuse);
  const { hostname } = parseSiteInput(recording.run.origin);
  if (address !== undefined && parseSiteInput(address).hostname !== hostname) {
    throw new InputError(`--replay: ${file} is a recording of ${hostname}. Leave the address out, or give that one.`);
  }
  return recording;
}

/** Judges a recording again. Warns if this version makes requests that were not recorded. */
export async function replay(
  recording: SavedRecording,
  version: string,
  output: Output,
  observers: Parameters<typeof replayScan>[1],
): Promise<ScanReport> {
  const { report, missingCount } = await replayScan(recording, observers);
  if (missingCount > 0) {
    const requests = missingCount === 1 ? 'one request that is' : `${missingCount} requests that are`;
    const recordedBy = recording.version;
    const versions = recordedBy === version ? '' : `: version ${recordedBy} recorded it, this is ${version}`;
    output.progress?.('');
    output.note(
      `This scan made ${requests} not in the file${versions}. These got no response, so findings may differ.`,
    );
  }
  return report;
}
