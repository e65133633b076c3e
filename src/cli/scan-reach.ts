import { InputError } from '../platform/input-error.js';
import { REFUSALS, type RefusalReason } from '../net/refusal.js';
import type { Listener } from '../scanner/client/events.js';
import { pageOf, parseSiteInput, type SiteAddress } from '../app/sites/site-input.js';
import type { Reach, ScanCommandDeps } from './scan-deps.js';
import type { ScanOptions } from './scan-options.js';
import { readSiteFields } from './site-fields.js';

/** The site that is judged in place of the one that is asked. @throws InputError */
export function parseJudgedAs({ as, record, replay }: Pick<ScanOptions, 'as' | 'record' | 'replay'>): URL | null {
  if (as === undefined) return null;
  if (record !== undefined || replay !== undefined) {
    throw new InputError(
      '--as judges a preview by the addresses of its site, which a record must not say answered: it goes with neither --record nor --replay.',
    );
  }
  const { origin } = parseOrigin(as);
  if (pageOf(as) !== null) throw new InputError('--as takes the origin of the site, such as https://www.example.com.');
  return origin;
}

function parseOrigin(as: string): SiteAddress {
  try {
    return parseSiteInput(as);
  } catch (error) {
    throw error instanceof InputError ? new InputError(`--as: ${error.message}`) : error;
  }
}

/** The address that was given. */
interface Asked {
  readonly origin: URL;
  /** On the command line, rather than in a file. */
  readonly isNamed: boolean;
  /** See {@link parseJudgedAs}. */
  readonly site: URL | null;
}

/** What is judged, and how it is reached. */
export function reachOf({ origin, site }: Pick<Asked, 'origin' | 'site'>, isLocal = false): Reach {
  return { ...(isLocal && { local: origin }), ...(site && { preview: { site, servedBy: origin } }) };
}

/** Only the person at the command line opens a private network or sends a header: a file never does. */
export async function readReach(
  { isNamed, ...asked }: Asked,
  { local, header = [], basic, replay }: ScanOptions,
  readPassword: () => Promise<string>,
  listen: Listener | undefined,
): Promise<Reach> {
  if (replay !== undefined && (local || header.length > 0 || basic !== undefined)) {
    throw new InputError('--replay asks no site: leave --local, --header and --basic out.');
  }
  if (!isNamed && (local || header.length > 0 || basic !== undefined)) {
    throw new InputError('--local, --header and --basic need the address next to them: it is not taken from a file.');
  }
  const siteFields = await readSiteFields(header, basic, readPassword);
  return {
    ...reachOf(asked, local),
    ...(siteFields && { siteFields }),
    ...(listen && { listen }),
  };
}

/** What reaches the site, or its preview. @throws InputError for one that must not be scanned */
export async function openReach(
  site: URL,
  reach: Reach,
  createDeps: (reach: Reach) => Promise<ScanCommandDeps>,
): Promise<ScanCommandDeps> {
  const { servedBy = site } = reach.preview ?? {};
  const deps = await createDeps(reach);
  const refusal = await deps.vetTarget(servedBy);
  if (refusal !== null) throw await describeRefusal(servedBy, refusal);
  if (reach.preview === undefined) return deps;
  return {
    ...deps,
    scan: (...given) => deps.scan(...given).catch(refuseMoved),
    tryOverlay: (...given) => deps.tryOverlay(...given).catch(refuseMoved),
  };
}

/** @throws InputError for a preview that is to be asked by https, else what was thrown */
async function refuseMoved(error: unknown): Promise<never> {
  const { PreviewMovedError } = await import('../net/preview.js');
  if (!(error instanceof PreviewMovedError)) throw error;
  throw new InputError(`The preview redirects to its https address: give that one, ${error.to}.`);
}

async function describeRefusal(origin: URL, refusal: RefusalReason): Promise<InputError> {
  const { isLocalOrigin } = await import('../net/local-endpoints.js');
  const hint = isLocalOrigin(origin) ? ' To scan a server of your own, add --local.' : '';
  return new InputError(`${origin.host} is refused: ${REFUSALS[refusal]}.${hint}`);
}
