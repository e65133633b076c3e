import { pageOf, parsePageOf } from '../app/sites/site-input.js';
import { distinctBy } from '../net/keyed.js';
import type { RefusalReason } from '../net/url-gate.js';
import { InputError } from '../platform/input-error.js';
import { SCAN_LIMITS } from '../scanner/artifacts/scanner.js';
import type { Overlay, Preview } from '../scanner/client/stand-in.js';
import type { Listener } from '../scanner/client/request.js';
import type { ScanProgress } from '../scanner/report/progress.js';
import type { Trial } from '../scanner/scan/recorded-scan.js';
import type { ScanReport } from '../scanner/scan/scan.js';
import type { Recording } from '../scanner/trace/recording.js';

export interface ScanTask {
  readonly origin: URL;
  /** Pages of the site that come first in the sample. */
  readonly pages: readonly URL[];
  /** Ids of the checks to make; undefined for all. */
  readonly only: readonly string[] | undefined;
}

/** How a scan reaches the site. */
export interface Reach {
  /** The user's own server, which need not be public. */
  readonly local?: URL;
  /** The preview that answers for the site. */
  readonly preview?: Preview;
  /** Header fields for the origin of the site or its preview. */
  readonly siteFields?: Readonly<Record<string, string>>;
  readonly listen?: Listener;
}

export interface ScanCommandDeps {
  /** Returns the reason why the guard refuses a target; null if it does not. */
  readonly vetTarget: (origin: URL) => Promise<RefusalReason | null>;
  readonly scan: (task: ScanTask, onProgress?: OnProgress) => Promise<ScanReport>;
  readonly record: (
    task: ScanTask,
    onProgress?: OnProgress,
  ) => Promise<{ readonly report: ScanReport; readonly recording: Recording }>;
  readonly tryOverlay: (task: ScanTask, overlay: Overlay, onProgress?: OnProgress) => Promise<Trial>;
}

export type OnProgress = (progress: ScanProgress) => void;

/**
 * Parses the pages to read: that of the address first, then the named ones.
 * @param address as it was given
 * @param pages paths or addresses
 * @param name of the option, for errors
 * @throws InputError if one is not a page of the site, or for too many
 */
export function parsePages(address: string, origin: URL, pages: readonly string[], name: string): readonly URL[] {
  const own = pageOf(address);
  const named = pages.map((text) => parsePageOf(origin, text.trim(), name));
  const distinct = distinctBy([...(own ? [own] : []), ...named], ({ href }) => href);
  const { chosenPagesMax: max } = SCAN_LIMITS;
  if (distinct.length > max)
    throw new InputError(`${name}: these are ${distinct.length} pages. Choose ${max} at most.`);
  return distinct;
}

/** Maps pages of a preview to pages of the site that it is judged as. */
export async function pagesAt(judgedAs: URL | null, pages: readonly URL[]): Promise<readonly URL[]> {
  if (judgedAs === null) return pages;
  const { moveTo } = await import('../scanner/client/stand-in.js');
  return pages.map((page) => moveTo(judgedAs, page));
}
