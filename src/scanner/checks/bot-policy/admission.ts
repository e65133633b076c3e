import { CORE_TOKENS } from '../../artifacts/agents/tokens.js';
import type { CoreToken } from '../../artifacts/agents/tokens.js';
import type { Home, Sample } from '../../artifacts/pages.js';
import type { RobotsFile } from '../../artifacts/robots.js';
import type { TokenGroup } from './readings.js';
import { decideUnanimously, isDisputed, groupTokens } from './readings.js';

/** A core token that robots.txt bars, and the line that bars it. */
export interface Barred {
  readonly token: CoreToken;
  readonly line: number;
}

/** The tokens that robots.txt bars from the home page, and those that it admits there but nowhere else. */
export interface Admission {
  readonly fromHome: readonly Barred[];
  readonly fromOthers: readonly Barred[];
  /** Tokens that one of the readings that count bars from the home page, and another one does not. */
  readonly disputed: readonly CoreToken[];
  /** False if robots.txt has more wildcards than we compare, so that further tokens may be barred. */
  readonly isCertain: boolean;
}

type Policy = Pick<RobotsFile, 'origin' | 'robots'>;
type FirstPage = Pick<Home, 'isElsewhere' | 'url'>;

/** What robots.txt means for the core tokens on the final home page and the other pages of the sample (C-BOT-01). */
export function findAdmission(file: Policy, home: FirstPage, sample: Sample | null): Admission {
  const tokenGroups = groupTokens(file.robots, CORE_TOKENS);
  const homeUrl = homeUrlOf(file, home);
  const fromHome = inOrder(tokenGroups.flatMap((tokenGroup) => listBarred(tokenGroup, [homeUrl])));
  const others = otherPagesOf(file, sample);
  const fromOthers = inOrder(
    tokenGroups
      .filter(({ tokens }) => !fromHome.some(({ token }) => tokens.includes(token)))
      .flatMap((tokenGroup) => listBarred(tokenGroup, others)),
  );
  const isCertain = tokenGroups.every((tokenGroup) =>
    [homeUrl, ...others].every((page) => decideUnanimously(tokenGroup, page).isCertain),
  );
  const disputed = tokenGroups.filter((tokenGroup) => isDisputed(tokenGroup, homeUrl)).flatMap(({ tokens }) => tokens);
  return { fromHome, fromOthers, disputed, isCertain };
}

/** As the list of agents has them, even where others share their groups. */
function inOrder(barred: readonly Barred[]): Barred[] {
  return CORE_TOKENS.flatMap((token) => barred.filter((one) => one.token === token));
}

/** The URL at which a reader first meets the home page on the site's host. */
export function homeUrlOf({ origin }: Pick<Policy, 'origin'>, home: FirstPage): URL {
  return home.isElsewhere ? new URL('/', origin) : home.url;
}

/**
 * Pages of another host have a separate robots.txt (RFC 9309 §2.3). If no page is left, the ones that we skipped because
 * robots.txt bars us stand in; otherwise a site that opens nothing but its home page would pass. They are joined by an address
 * that no rule names, so that a one-page site may close its few other pages. What would have been read counts next to the pages that were
 * chosen in its place: a choice bars nobody.
 */
function otherPagesOf({ origin }: Policy, sample: Sample | null): readonly URL[] {
  if (sample === null) return [];
  const others = [...sample.pages.slice(1).map(({ url }) => url), ...(sample.usual ?? [])];
  const own = others.filter((url) => url.origin === origin.origin);
  if (own.length > 0) return own;
  return sample.disallowed.length > 0 ? [new URL('/a-page-that-no-rule-names', origin), ...sample.disallowed] : [];
}

/** The tokens sharing these groups that may fetch none of these pages, with the line that decides for the first page. */
function listBarred(tokenGroup: TokenGroup<CoreToken>, pages: readonly URL[]): Barred[] {
  const decisions = pages.map((page) => decideUnanimously(tokenGroup, page));
  const line = decisions[0]?.rule?.line;
  if (line === undefined || decisions.some((decision) => decision.allowed)) return [];
  return tokenGroup.tokens.map((token) => ({ token, line }));
}
