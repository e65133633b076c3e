import type { SiteAccess, ScanCommandDeps } from '../cli/site-access.js';
import type { ScanConfig } from '../config.js';
import { createResolver } from '../net/resolver.js';
import { vetTarget, findLocalEndpoints } from '../net/guard.js';
import { InputError } from '../platform/errors.js';
import { createScanners } from '../scanner/scan/scanner.js';
import { createScanning } from './scanning.js';

/** Creates the dependencies of `scan`, which needs no database or server. */
export async function createOneScan(
  config: ScanConfig,
  { local, ...access }: SiteAccess = {},
): Promise<ScanCommandDeps> {
  const settings = { ...config, publicUrl: null, evidenceDays: 0 };
  const endpoints = local ? await findLocalEndpoints(local, createResolver()) : [];
  if (endpoints === null) {
    throw new InputError(
      `--local: ${local?.hostname} has no loopback or private address (the hosts file is not read). Give the address itself, such as http://127.0.0.1:4000, or leave out --local.`,
    );
  }
  const scanning = { ...createScanning(settings, null, { endpoints }), ...access };
  return { vetTarget: (origin) => vetTarget(scanning, origin), ...createScanners(scanning) };
}
