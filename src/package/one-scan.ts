import type { Reach, ScanCommandDeps, ScanTask } from '../cli/scan-reach.js';
import type { ScanConfig } from '../config.js';
import { createResolver } from '../net/connect.js';
import { vetTarget, findLocalEndpoints } from '../net/guard.js';
import { InputError } from '../platform/input-error.js';
import type { Logger } from '../platform/logging.js';
import type { ScanTarget } from '../scanner/client/visit.js';
import { createScanners } from '../scanner/scan/scanner.js';
import { createScanning } from './scanning.js';

const nothing = (): void => undefined;

const SILENT: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing, fatal: nothing };

/** The configuration of one scan. */
export type OneScanConfig = Pick<ScanConfig, 'scanAllowCidrs' | 'scanAllowPorts'>;

/** Creates what `scan` needs, without a database or server. */
export async function createOneScan(
  config: OneScanConfig,
  version: string,
  reach: Reach = {},
): Promise<ScanCommandDeps> {
  const { scanAllowCidrs, scanAllowPorts } = config;
  const { local, preview, siteFields, listen } = reach;
  const settings = { scanAllowCidrs, scanAllowPorts, publicUrl: null, evidenceDays: 0 };
  const endpoints = local ? await findLocalEndpoints(local, createResolver()) : [];
  if (endpoints === null) {
    throw new InputError(
      `--local: ${local?.hostname} has no loopback or private address (the hosts file is not read). Give the address itself, such as http://127.0.0.1:4000, or leave --local out.`,
    );
  }
  const scanning = {
    ...createScanning(settings, SILENT, { endpoints }),
    version,
    ...(preview && { preview }),
    ...(siteFields && { siteFields }),
    ...(listen && { listeners: [listen] }),
  };
  const { scan, record, tryOverlay } = createScanners(scanning);
  const targetOf = ({ origin, pages }: ScanTask): ScanTarget => ({
    origin,
    isOwnershipVerified: false,
    ...(pages.length > 0 && { pages }),
  });
  return {
    vetTarget: (origin) => vetTarget(scanning, origin),
    scan: (task, onProgress) => scan(targetOf(task), onProgress, task.only),
    record: (task, onProgress) => record(targetOf(task), onProgress),
    tryOverlay: (task, overlay, onProgress) => tryOverlay(targetOf(task), overlay, onProgress),
  };
}
