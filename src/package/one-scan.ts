import type { ScanCommandDeps } from '../cli/scan.js';
import type { ScanConfig } from '../config.js';
import { vetTarget } from '../net/vet-target.js';
import type { Logger } from '../platform/logging.js';
import type { Listener } from '../scanner/client/events.js';
import type { ScanTarget } from '../scanner/client/visit.js';
import { createRecordingScanner, createScanner } from '../scanner/scan/scanner.js';
import { createScanning } from './scanning.js';

const nothing = (): void => undefined;

/** A scan says what it has to say in its report. */
const SILENT: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing, fatal: nothing };

/** What one scan needs of the configuration. */
export type OneScanConfig = Pick<ScanConfig, 'scanAllowCidrs' | 'scanAllowPorts'>;

/** What `scan` works with: neither a database nor a server, so that no page explains the scanner either. */
export function createOneScan(config: OneScanConfig, version: string, listen?: Listener): ScanCommandDeps {
  const { scanAllowCidrs, scanAllowPorts } = config;
  const scanning = {
    ...createScanning({ scanAllowCidrs, scanAllowPorts, publicUrl: null, evidenceDays: 0, signingKey: null }, SILENT),
    ...(listen && { listeners: [listen] }),
  };
  const scan = createScanner(scanning);
  const record = createRecordingScanner(scanning, version);
  const targetOf = (origin: URL): ScanTarget => ({ origin, isOwnershipVerified: false });
  return {
    vetTarget: (origin) => vetTarget(scanning, origin),
    scan: (origin, onProgress, only) => scan(targetOf(origin), onProgress, only),
    record: (origin, onProgress) => record(targetOf(origin), onProgress),
  };
}
