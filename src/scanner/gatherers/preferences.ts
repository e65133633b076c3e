import { found, isMoved, valueOf } from '../artifacts/evidence.js';
import type { Home } from '../artifacts/pages.js';
import type { PreferenceFile, Preferences } from '../artifacts/preferences.js';
import type { Outcome } from '../artifacts/resource.js';
import { readableRobots, type RobotsFile } from '../artifacts/robots.js';
import { isRsl } from '../parsers/rsl.js';
import { parseReservation, parseTdmFile } from '../parsers/tdm.js';
import { toFileFacts } from '../probe/file-facts.js';
import { isHtmlBody } from '../probe/outcome.js';
import type { SiteResponse } from '../client/visit.js';
import type { CollectContext, Collector } from '../probe/collector.js';

const TDM_PATH = '/.well-known/tdmrep.json';
const TDM_RESERVATION = 'tdm-reservation';
const BYTES_MAX = 262_144;
/** Both files are read only for an unscored check: at most one request for each. */
const ONCE = { bodyBytesMax: BYTES_MAX, attempts: 'once' } as const;
/** RSL asks for an address; `License: MIT` is a name. */
const ADDRESS = /^(?:https?:\/)?\//i;
const RSL_TYPE = 'application/rsl+xml';

/** Preferences alongside those of robots.txt and the home page's own fields. They wait for the home page, like other forward signals. */
export const collectPreferences: Collector<'preferences'> = async (context) => {
  const [home, baseline] = await Promise.all([context.evidence('home'), context.baseline()]);
  if ('failed' in home) return home;
  if ('failed' in baseline) return baseline;
  const [tdm, license] = await Promise.all([readTdmFile(context), readLicense(context, home.ok)]);
  const headers = home.ok.isElsewhere ? [] : baseline.response.headers.all(TDM_RESERVATION);
  const metas = home.ok.page?.metas.get(TDM_RESERVATION) ?? [];
  return found<Preferences>({
    reservations: [
      ...headers.map((value) => ({ place: 'header', reservation: parseReservation(value) }) as const),
      ...metas.map((value) => ({ place: 'meta', reservation: parseReservation(value) }) as const),
    ],
    ...tdm,
    license,
  });
};

async function readTdmFile(context: CollectContext): Promise<Pick<Preferences, 'tdmFile' | 'isSiteReserved'>> {
  const validates = async (response: SiteResponse): Promise<boolean> =>
    typeof (await parseTdmFile((await toFileFacts(response)).text)) === 'object';
  const read = await context.readFile(TDM_PATH, 'well-known', { ...ONCE, validates });
  if (isMoved(read)) return { tdmFile: 'moved', isSiteReserved: false };
  const outcome = valueOf(read);
  if (outcome?.kind !== 'present') return { tdmFile: stateOf(outcome), isSiteReserved: false };
  // A page at this address is the site's way to say that there is nothing.
  if (isHtmlBody(outcome.value)) return { tdmFile: 'absent', isSiteReserved: false };
  const file = outcome.value.isOverLimit ? 'overLimit' : await parseTdmFile((await toFileFacts(outcome.value)).text);
  if (typeof file === 'object') return { tdmFile: 'read', ...file };
  return { tdmFile: file === 'malformed' ? 'malformed' : 'unread', isSiteReserved: false };
}

function stateOf(outcome: Exclude<Outcome<SiteResponse>, { kind: 'present' }> | null): PreferenceFile {
  // Object stores answer 403 for what does not exist.
  return outcome?.kind === 'absent' || outcome?.kind === 'blocked' ? 'absent' : 'unread';
}

/** Its content proves a license, so no control is needed, wherever it lies. */
async function readLicense(context: CollectContext, home: Home): Promise<PreferenceFile> {
  const url = licenseOf(home, valueOf(await context.evidence('robots')));
  if (url === null) return 'absent';
  if (context.isPrivateLink(url)) return 'unread';
  const fetched = await context.visit.fetch(url, { ...ONCE, accept: `${RSL_TYPE}, application/xml;q=0.9, */*;q=0.1` });
  if ('failure' in fetched) return fetched.failure === 'moved' ? 'moved' : 'unread';
  const { response } = fetched;
  // A page is a license for people.
  if (response.status === 404 || response.status === 410 || isHtmlBody(response)) return 'absent';
  if (response.status !== 200 || response.isOverLimit) return 'unread';
  return isRsl((await toFileFacts(response)).text) ? 'read' : 'malformed';
}

/** The address of the license: of the first usable `License:` line, else of the first link of its type. */
function licenseOf({ linkHeaders, page }: Home, robots: Outcome<RobotsFile> | null): URL | null {
  const file = readableRobots(robots);
  const address = file?.robots.licenses.find(({ value }) => ADDRESS.test(value));
  const url = file && address ? URL.parse(address.value, file.origin) : null;
  if (url !== null) return url;
  const links = [...linkHeaders, ...(page?.headLinks ?? [])];
  return links.find(({ rel, type }) => rel.includes('license') && type === RSL_TYPE)?.url ?? null;
}
