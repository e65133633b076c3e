import { InputError } from '../platform/input-error.js';
import { changesOf, listNotTried } from '../scanner/report/trial.js';
import type { Assumption } from '../scanner/trace/overlay.js';
import type { Trial } from '../scanner/scan/overlay-scan.js';
import type { ScanDocument } from './report/scan-document.js';
import type { ScanOptions } from './scan-options.js';
import { formatJson } from './table.js';

/** @throws InputError for options that say something else about what is scanned */
export function refuseWithOverlay(options: ScanOptions): void {
  const { overlay, cleanUrls } = options;
  if (overlay === undefined) {
    if (cleanUrls) throw new InputError('--clean-urls says how --overlay serves its files: give both.');
    return;
  }
  const others = (['record', 'replay', 'compare', 'only', 'skip'] as const).filter(
    (name) => options[name] !== undefined,
  );
  if (others.length > 0) {
    throw new InputError(`--overlay compares the whole site with itself: leave --${others.join(' and --')} out.`);
  }
}

/** What files would change. */
export function formatTrial(before: ScanDocument, after: ScanDocument, assumed: Trial['assumed']): string {
  const changes = changesOf(before.findings, after.findings);
  const notTried = listNotTried(before.findings, after.findings);
  return formatJson({ before, after, changes, assumed, notTried });
}

/** What a trial assumes and does not prove, in sentences. */
export function describeTrial({ assumed, before, after }: Trial): string[] {
  const notTried = listNotTried(before.findings, after.findings);
  return [
    'As if the files were served: nothing was changed.',
    ...assumed.map(({ path, status }) => `Assumed: ${path} is served; ${describeStatus(status)}.`),
    ...(notTried.length > 0 ? [`Not tried, since a rule of the server decides: ${notTried.join(', ')}.`] : []),
  ];
}

function describeStatus(status: Assumption['status']): string {
  return status === null ? 'nothing answers there today' : `it answers ${status} today`;
}
