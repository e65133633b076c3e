import { yieldToEventLoop } from '../../net/event-loop.js';
import { type Clock, laterThan } from '../../platform/clock.js';
import { newId } from '../../platform/ids.js';
import { inParallel } from '../../platform/in-parallel.js';
import { InputError } from '../../platform/input-error.js';
import { type StartTimer, startNodeTimer } from '../../platform/timer.js';
import { type Database, runApart, runOne } from '../../store/database.js';
import { execute, one, type Transaction } from '../../store/transaction.js';
import { findAccount, holdAccount, parseAccountId } from '../accounts/accounts.js';
import { type RateLimits, takeOrRefuse } from '../limits/rate-limits.js';
import {
  addSites,
  nameOf,
  type NewSite,
  newSite,
  type Obstacle,
  obstaclesOf,
  refusedBy,
  type SitesMaxOf,
} from './add-sites.js';
import { findExcluded } from './excluded-hosts.js';
import { refusalOf } from './site-input.js';
import { type Candidate, isCandidate, type LineState, type ListLine, readList } from './site-list.js';
import { selectSiteList, type SiteListRow, updateSiteList, upsertSiteList } from './site-list-statements.js';

/** The list that an account gave last. */
export interface KeptList {
  readonly id: string;
  readonly lines: readonly ListLine[];
  /** ISO 8601, UTC; null until its sites were added. */
  readonly addedAt: string | null;
  /** Whether names of it are being looked up. */
  readonly isLooking: boolean;
}

/** Names as they are looked up. */
interface Look {
  /** What is known of each line by now. */
  readonly lines: () => readonly ListLine[];
  readonly isEnded: () => boolean;
  readonly end: Promise<void>;
}

export interface SiteListsDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** Whether the guard lets an account add a site of this origin. */
  readonly vetSite: (origin: URL) => boolean | Promise<boolean>;
  readonly sitesMaxOf: SitesMaxOf;
  /** Without it, account holders give as many lists as they like. */
  readonly rateLimits?: RateLimits;
  /** For tests. */
  readonly startTimer?: StartTimer;
}

/** So many names are looked up at a time, and all of them in so long. */
const VETTED_AT_ONCE = 64;
const VETTING_MS = 20_000;
/** So long somebody waits for a list of them; after that it is kept every so often. */
const KEPT_EVERY_MS = 3000;
/** The last of them are kept then. */
const LOOKED_MS = VETTING_MS + 2000;

/** So many sites are added in one transaction, which on SQLite holds up all else: some hundredths of a second. */
const ADDED_AT_ONCE = 100;

const LISTS_AN_HOUR = 30;
const HOUR_MS = 3_600_000;

/** Adds many sites to an account at once. Every method rejects with an InputError for what it cannot take. */
export class SiteLists {
  constructor(private readonly deps: SiteListsDeps) {}

  /** What would come of each line, in their order. Nothing is added. */
  async look(accountId: string, text: string): Promise<readonly ListLine[]> {
    const look = await this.#look(accountId, await readList(text));
    await look.end;
    return look.lines();
  }

  /** @param known those whose names were looked up before */
  async #look(accountId: string, lines: readonly ListLine[], known: readonly ListLine[] = []): Promise<Look> {
    const { db, sitesMaxOf } = this.deps;
    const { id, plan } = await findAccount(db, accountId);
    const candidates = lines.filter(isCandidate);
    const barred = await findExcluded(db, candidates.map(nameOf));
    const obstacles = await runApart(db, obstaclesOf({ accountId: id, plan, sitesMaxOf }, candidates, barred));
    const verdicts = new Map(known.map((line) => [line, true]));
    let isEnded = false;
    return {
      lines: () => settleLines(lines, candidates, seenSoFar(candidates, obstacles, verdicts)),
      isEnded: () => isEnded,
      end: this.#vet(candidates, obstacles, verdicts).finally(() => (isEnded = true)),
    };
  }

  /** Adds those of the lines that can be, in one transaction: at a terminal nobody else waits. @param lines as {@link look} gave them */
  async add(accountId: string, lines: readonly ListLine[]): Promise<readonly ListLine[]> {
    const id = parseAccountId(accountId);
    return this.deps.db.transaction(() => this.#addSome(id, lines, Infinity));
  }

  /**
   * To be asked before a list is read from its form.
   * @throws TooSoonError when the account has given {@link LISTS_AN_HOUR} in this hour: they are read, and the names in them looked up
   */
  async takeTurn(accountId: string): Promise<void> {
    const { rateLimits } = this.deps;
    if (rateLimits) await takeList(rateLimits, accountId);
  }

  /** Keeps a list, for its holder to look at before it is added. Where its names take long, they are looked up after that, too. */
  async keep(accountId: string, text: string): Promise<KeptList> {
    return this.#keep(accountId, { lines: await readList(text), addedAt: null });
  }

  /** Looks up the names that were not looked up in time. @param id of the list that its holder saw */
  async lookAgain(accountId: string, id: string): Promise<void> {
    const list = await this.kept(accountId);
    if (list?.id !== id) throw anotherList();
    const lines = list.lines.map((line) => (isWaiting(line) ? { ...line, state: 'new' as const, why: null } : line));
    const known = lines.filter((_line, index) => list.lines[index]?.state === 'new');
    await this.#keep(accountId, { lines, addedAt: list.addedAt }, known);
  }

  async #keep(
    accountId: string,
    { lines, addedAt }: Pick<KeptList, 'lines' | 'addedAt'>,
    known?: readonly ListLine[],
  ): Promise<KeptList> {
    const { db, clock } = this.deps;
    const created_at = clock.now().toISOString();
    const look = await this.#look(accountId, lines, known);
    await this.#atMost(KEPT_EVERY_MS, look.end);
    const seen = look.lines();
    const added_at = seen.some(isCandidate) ? null : addedAt;
    const row = { id: newId('list'), lines: JSON.stringify(seen), created_at, added_at };
    const isGoingOn = !look.isEnded();
    await db.transaction(function* () {
      // Not in the midst of one that is being added.
      yield* holdAccount(accountId);
      yield* execute(upsertSiteList({ ...row, account_id: accountId }));
    });
    // Where it fails, or the process ends, the list says which names are left.
    if (isGoingOn) void this.#keepOn(accountId, row.id, look).catch(() => undefined);
    return listOf(row, clock.now());
  }

  async #keepOn(accountId: string, id: string, look: Look): Promise<void> {
    for (let isGoingOn = true; isGoingOn;) {
      await this.#atMost(KEPT_EVERY_MS, look.end);
      isGoingOn = !look.isEnded();
      if (!(await this.deps.db.transaction(() => keepSeen(accountId, id, look.lines())))) return;
    }
  }

  async #atMost(ms: number, end: Promise<void>): Promise<void> {
    const { startTimer = startNodeTimer } = this.deps;
    let cancel = (): void => undefined;
    const isOver = new Promise<void>((resolve) => (cancel = startTimer(resolve, ms)));
    await Promise.race([end, isOver]).finally(cancel);
  }

  /** The one that was given last; null where that is long ago. */
  async kept(accountId: string): Promise<KeptList | null> {
    const { db, clock } = this.deps;
    const row = await runOne(db, selectSiteList({ account_id: accountId }));
    return row ? listOf(row, clock.now()) : null;
  }

  /**
   * Adds what can be added of the list that is kept, some sites to a transaction, which keeps with the list what came of them: so the list says
   * what is done wherever it ends, and is continued from there. @param id of the list that its holder saw
   */
  async addKept(accountId: string, id: string): Promise<void> {
    while (!(await this.deps.db.transaction(() => this.#addSomeOfKept(accountId, id)))) await yieldToEventLoop();
  }

  /** @returns whether it has all been added */
  *#addSomeOfKept(accountId: string, id: string): Transaction<boolean> {
    // Two that confirm at once take turns here.
    yield* holdAccount(accountId);
    const row = yield* one(selectSiteList({ account_id: accountId }));
    if (row?.id !== id) throw anotherList();
    if (row.added_at !== null) return true;
    const lines = yield* this.#addSome(accountId, linesOf(row), ADDED_AT_ONCE);
    const isDone = !lines.some(isCandidate);
    const added_at = isDone ? this.deps.clock.now().toISOString() : null;
    yield* execute(updateSiteList({ account_id: accountId, id, lines: JSON.stringify(lines), added_at }));
    return isDone;
  }

  *#addSome(accountId: string, lines: readonly ListLine[], count: number): Transaction<readonly ListLine[]> {
    const { clock, sitesMaxOf } = this.deps;
    const candidates = lines.filter(isCandidate).slice(0, count);
    const made = candidates.map(({ origin, hostname, tags }) => newSite(origin, hostname, tags));
    const obstacles = yield* addSites({ accountId, sitesMaxOf }, made, clock.now());
    return settleLines(lines, candidates, obstacles, made);
  }

  /**
   * Looks up the names of as many as there is room for, the first of the list, and in place of those that are refused the next.
   * @param verdicts takes if each may be added, for so long
   */
  async #vet(
    candidates: readonly Candidate[],
    obstacles: readonly (Obstacle | null)[],
    verdicts: Map<ListLine, boolean>,
  ): Promise<void> {
    const { vetSite } = this.deps;
    const open = candidates.filter(
      (line, index) => ['over', undefined].includes(obstacles[index]?.kind) && !verdicts.has(line),
    );
    const room = obstacles.filter((obstacle) => obstacle === null).length;
    const end = new AbortController();
    const isOver = (): boolean => end.signal.aborted;
    let allowed = candidates.filter((line, index) => obstacles[index] === null && verdicts.has(line)).length;
    const vetAll = async (): Promise<void> => {
      while (!isOver() && allowed < room && open.length > 0) {
        await inParallel(open.splice(0, room - allowed), VETTED_AT_ONCE, async (line) => {
          if (isOver()) return;
          const isAllowed = await vetSite(new URL(line.origin));
          if (isOver()) return;
          verdicts.set(line, isAllowed);
          if (isAllowed) allowed += 1;
        });
      }
    };
    await this.#atMost(VETTING_MS, vetAll()).finally(() => end.abort());
  }
}

/** What is in the way of each. A name that was not looked up is never added: it may lead to an address of ours. */
function seenSoFar(
  candidates: readonly Candidate[],
  obstacles: readonly (Obstacle | null)[],
  verdicts: ReadonlyMap<ListLine, boolean>,
): readonly InTheWay[] {
  return candidates.map((line, index) => {
    const [obstacle = null, verdict] = [obstacles[index], verdicts.get(line)];
    if (verdict === undefined) return obstacle ?? NOT_LOOKED_UP;
    return verdict ? null : refusedBy(new InputError(refusalOf(new URL(line.origin))));
  });
}

/** What was seen of a list since it was kept; what was added meanwhile stays so. @returns whether it is there still */
function* keepSeen(account_id: string, id: string, seen: readonly ListLine[]): Transaction<boolean> {
  yield* holdAccount(account_id);
  const row = yield* one(selectSiteList({ account_id }));
  if (row?.id !== id) return false;
  const lines = linesOf(row).map((line, index) => (isWaiting(line) ? (seen[index] ?? line) : line));
  const added_at = lines.some(isCandidate) ? null : row.added_at;
  yield* execute(updateSiteList({ account_id, id, lines: JSON.stringify(lines), added_at }));
  return true;
}

async function takeList(rateLimits: RateLimits, accountId: string): Promise<void> {
  await takeOrRefuse(
    rateLimits,
    { scope: 'site-list', subject: accountId, limit: LISTS_AN_HOUR, windowMs: HOUR_MS },
    (wait) => `This account has given ${LISTS_AN_HOUR} lists in an hour. Give the next in ${wait}.`,
  );
}

function anotherList(): InputError {
  return new InputError('Another list was given meanwhile. Look at it before you add its sites.');
}

function listOf(row: SiteListRow, now: Date): KeptList {
  const lines = linesOf(row);
  const isRecent = now.toISOString() < laterThan(new Date(row.created_at), LOOKED_MS);
  return {
    id: row.id,
    lines,
    addedAt: row.added_at,
    isLooking: isRecent && lines.some(({ state }) => state === 'late'),
  };
}

function linesOf({ lines }: Pick<SiteListRow, 'lines'>): readonly ListLine[] {
  return JSON.parse(lines) as ListLine[];
}

/** Whether more may come of it once names were looked up. */
function isWaiting({ state }: ListLine): boolean {
  return state === 'new' || state === 'late' || state === 'over';
}

/** What keeps a line from being added. */
type InTheWay = { readonly kind: LineState; readonly why: string | null } | null;

const NOT_LOOKED_UP: InTheWay = { kind: 'late', why: null };

/** @param made where they were added, in the order of the candidates */
function settleLines(
  lines: readonly ListLine[],
  candidates: readonly Candidate[],
  obstacles: readonly InTheWay[],
  made?: readonly NewSite[],
): readonly ListLine[] {
  const settled = new Map<ListLine, ListLine>(
    candidates.map((line, index) => {
      const obstacle = obstacles[index];
      if (obstacle) return [line, { ...line, state: obstacle.kind, why: obstacle.why }];
      return [line, made === undefined ? line : { ...line, state: 'added', siteId: made[index]?.id ?? null }];
    }),
  );
  return lines.map((line) => settled.get(line) ?? line);
}
