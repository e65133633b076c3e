import { yieldToEventLoop } from '../../net/event-loop.js';
import type { Clock } from '../../platform/clock.js';
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
import { type Candidate, isCandidate, type ListLine, readList } from './site-list.js';
import { selectSiteList, type SiteListRow, updateSiteList, upsertSiteList } from './site-list-statements.js';

/** The list that an account gave last. */
export interface KeptList {
  readonly id: string;
  readonly lines: readonly ListLine[];
  /** ISO 8601, UTC; null until its sites were added. */
  readonly addedAt: string | null;
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

/** So many names are looked up at a time, and all of them in so long: nobody waits longer for an answer. */
const VETTED_AT_ONCE = 64;
const VETTING_MS = 20_000;

/** So many sites are added in one transaction, which on SQLite holds up all else: some hundredths of a second. */
const ADDED_AT_ONCE = 100;

const LATE = 'Its name could not be looked up in time. Give it again.';

const LISTS_AN_HOUR = 30;
const HOUR_MS = 3_600_000;

/** Adds many sites to an account at once. Every method rejects with an InputError for what it cannot take. */
export class SiteLists {
  constructor(private readonly deps: SiteListsDeps) {}

  /** What would come of each line, in their order. Nothing is added. */
  async look(accountId: string, text: string): Promise<readonly ListLine[]> {
    const { db, sitesMaxOf } = this.deps;
    const { id, plan } = await findAccount(db, accountId);
    const lines = await readList(text);
    const candidates = lines.filter(isCandidate);
    const barred = await findExcluded(db, candidates.map(nameOf));
    const obstacles = await runApart(db, obstaclesOf({ accountId: id, plan, sitesMaxOf }, candidates, barred));
    return settleLines(lines, candidates, await this.#vet(candidates, obstacles));
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

  /** Keeps a list, for its holder to look at before it is added. */
  async keep(accountId: string, text: string): Promise<KeptList> {
    const { db, clock } = this.deps;
    const lines = await this.look(accountId, text);
    const id = newId('list');
    const row = { id, created_at: clock.now().toISOString(), added_at: null };
    const kept = upsertSiteList({ ...row, account_id: accountId, lines: JSON.stringify(lines) });
    await db.transaction(function* () {
      // Not in the midst of one that is being added.
      yield* holdAccount(accountId);
      yield* execute(kept);
    });
    return { id, lines, addedAt: null };
  }

  /** The one that was given last; null where that is long ago. */
  async kept(accountId: string): Promise<KeptList | null> {
    const row = await runOne(this.deps.db, selectSiteList({ account_id: accountId }));
    return row ? listOf(row) : null;
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
    const lines = yield* this.#addSome(accountId, listOf(row).lines, ADDED_AT_ONCE);
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
   * Looks up the names of as many as there is room for, the first of the list, and in place of those that are refused the next. What cannot be
   * looked up in time is refused: a name that leads to an address of ours is never added.
   * @returns what is in the way of each then
   */
  async #vet(
    candidates: readonly Candidate[],
    obstacles: readonly (Obstacle | null)[],
  ): Promise<readonly (Obstacle | null)[]> {
    const { vetSite, startTimer = startNodeTimer } = this.deps;
    const verdicts = new Map<Candidate, boolean>();
    const open = candidates.filter((_line, index) => ['over', undefined].includes(obstacles[index]?.kind));
    const room = obstacles.filter((obstacle) => obstacle === null).length;
    const end = new AbortController();
    const isOver = (): boolean => end.signal.aborted;
    let allowed = 0;
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
    let cancel = (): void => undefined;
    const isLate = new Promise<void>((resolve) => (cancel = startTimer(resolve, VETTING_MS)));
    await Promise.race([vetAll(), isLate]);
    end.abort();
    cancel();
    return candidates.map((line, index) => {
      const [obstacle = null, verdict] = [obstacles[index], verdicts.get(line)];
      if (verdict === undefined) return obstacle ?? refusedBy(new InputError(LATE));
      return verdict ? null : refusedBy(new InputError(refusalOf(new URL(line.origin))));
    });
  }
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

function listOf({ id, lines, added_at: addedAt }: SiteListRow): KeptList {
  return { id, lines: JSON.parse(lines) as ListLine[], addedAt };
}

/** @param made where they were added, in the order of the candidates */
function settleLines(
  lines: readonly ListLine[],
  candidates: readonly Candidate[],
  obstacles: readonly (Obstacle | null)[],
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
