import { found, valueOf } from '../artifacts/evidence.js';
import type { Home, PreferenceFile, Preferences } from '../artifacts/pages.js';
import { readableRobots, type RobotsOutcome } from '../artifacts/robots.js';
import type { SiteResponse } from '../client/visit.js';
import { isRsl, parseReservation, parseTdmFile } from '../parsers/preference-files.js';
import type { CollectContext, Collector } from '../probe/context.js';
import { isHtmlBody } from '../probe/outcome.js';
import { toFileFacts } from '../probe/page.js';

const TDM_PATH = '/.well-known/tdmrep.json';
const TDM_RESERVATION = 'tdm-reservation';
/** Only an unscored check reads these files, so each gets one request. */
const ONCE = { bodyBytesMax: 262_144, attempts: 'once' } as const;
/** RSL requires a URL; `License: MIT` is a name. */
const URL_START = /^(?:https?:\/)?\//i;
const RSL_TYPE = 'application/rsl+xml';

/** Collects preferences outside robots.txt. Waits for the home page, so that its requests never delay those of scored checks. */
export const collectPreferences: Collector<'preferences'> = async (context) => {
  const [home, baseline] = await Promise.all([context.evidence('home'), context.baseline()]);
  if ('failed' in home) return home;
  if ('failed' in baseline) return baseline;
  const [tdmFile, license] = await Promise.all([readTdmFile(context), readLicense(context, home.ok)]);
  const headers = baseline.response.headers.all(TDM_RESERVATION);
  const metas = home.ok.page?.metas.get(TDM_RESERVATION) ?? [];
  return found<Preferences>({
    reservations: [
      ...headers.map((value) => ({ source: 'header', reservation: parseReservation(value) }) as const),
      ...metas.map((value) => ({ source: 'meta', reservation: parseReservation(value) }) as const),
    ],
    tdmFile,
    license,
  });
};

async function readTdmFile(context: CollectContext): Promise<PreferenceFile> {
  const validates = (response: SiteResponse): boolean => parseTdmFile(toFileFacts(response).text) === 'read';
  const outcome = await context.readFile(TDM_PATH, 'well-known', { ...ONCE, validates, priority: 'guesses' });
  // Object stores answer 403 for missing files.
  if (outcome.kind === 'absent' || outcome.kind === 'blocked') return 'absent';
  if (outcome.kind !== 'present') return 'unread';
  // An HTML page here means that the site has no such file.
  if (isHtmlBody(outcome.value)) return 'absent';
  return outcome.value.isOverLimit ? 'unread' : parseTdmFile(toFileFacts(outcome.value).text);
}

/** Reads the license. Its content proves that it is one, so no control is needed. */
async function readLicense(context: CollectContext, home: Home): Promise<PreferenceFile> {
  const url = findLicense(home, valueOf(await context.evidence('robots')));
  if (url === null) return 'absent';
  if (context.isPrivateLink(url)) return 'unread';
  const fetched = await context.visit.fetch(url, {
    ...ONCE,
    headers: { accept: `${RSL_TYPE}, application/xml;q=0.9, */*;q=0.1` },
  });
  if ('failure' in fetched) return 'unread';
  const { response } = fetched;
  // An HTML page is a license for people, not for agents.
  if (response.status === 404 || response.status === 410 || isHtmlBody(response)) return 'absent';
  if (response.status !== 200 || response.isOverLimit) return 'unread';
  return isRsl(toFileFacts(response).text) ? 'read' : 'malformed';
}

/** Returns the URL in the first usable `License:` line, else in the first link to an RSL license, else null. */
function findLicense({ linkHeaders, page }: Home, robots: RobotsOutcome | null): URL | null {
  const file = readableRobots(robots);
  const line = file?.robots.licenses.find(({ value }) => URL_START.test(value));
  const url = file && line ? URL.parse(line.value, file.origin) : null;
  if (url !== null) return url;
  const links = [...linkHeaders, ...(page?.headLinks ?? [])];
  return links.find(({ rel, type }) => rel.includes('license') && type === RSL_TYPE)?.url ?? null;
}
