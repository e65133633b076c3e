import { readFile, stat } from 'node:fs/promises';
import { parseSiteInput } from '../app/sites/site-input.js';
import { InputError } from '../platform/errors.js';
import { type ReplayObservers, replayScan } from '../scanner/scan/recorded-scan.js';
import type { ScanReport } from '../scanner/scan/scan.js';
import { RECORDING_LIMITS } from '../scanner/limits.js';
import type { SavedRecording } from '../scanner/trace/recording.js';
import type { Output } from './command.js';

/**
 * Reads a file that `scan --record` wrote.
 * @param address the site that the user named, if any; the recording must be of that site
 * @throws InputError if the file cannot be read, is not a recording, or is a recording of another site
 */
export async function readReplay(file: string, address: string | undefined): Promise<SavedRecording> {
  const refuse = (reason: string): never => {
    throw new InputError(`--replay: ${file} cannot be replayed: ${reason}.`);
  };
  const stats = await stat(file).catch(() => refuse('there is no such file'));
  if (!stats.isFile()) refuse('it is not a regular file');
  if (stats.size > RECORDING_LIMITS.bytesMax) refuse('it is larger than 64 MiB');
  const bytes = await readFile(file).catch(() => refuse('it is not readable'));
  // Imported here because it loads zod, which other scans do not need.
  const { readRecording } = await import('../scanner/trace/recording.js');
  const recording = readRecording(bytes, refuse);
  const { hostname } = parseSiteInput(recording.run.origin);
  if (address !== undefined && parseSiteInput(address).hostname !== hostname) {
    throw new InputError(`--replay: ${file} is a recording of ${hostname}. Leave the address out, or name that site.`);
  }
  return recording;
}

/** Runs the checks on a recording. Warns if this version makes requests that are not in it. */
export async function replay(
  recording: SavedRecording,
  version: string,
  output: Output,
  observers: ReplayObservers,
): Promise<ScanReport> {
  const { report, missingCount } = await replayScan(recording, observers);
  if (missingCount > 0) {
    const requests = missingCount === 1 ? 'one request that is' : `${missingCount} requests that are`;
    const recordedBy = recording.version;
    const versions = recordedBy === version ? '' : `: version ${recordedBy} recorded it, this is ${version}`;
    output.progress?.('');
    output.note(
      `This scan made ${requests} not in the file${versions}. Without responses to all requests, findings may differ.`,
    );
  }
  return report;
}
