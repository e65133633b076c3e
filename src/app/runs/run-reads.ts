import type { Query } from '../../store/query.js';
import { type Database, runOne } from '../../store/database.js';
import { ServiceError } from '../../platform/errors.js';
import { keepCodings } from '../../platform/http/coding.js';
import type { StartTimer } from '../../platform/timer.js';
import type { Reading } from '../keys/charge-groups.js';
import { findRuns, type FoundRun } from './run-statements.js';
import type { RunTexts } from './run-texts.js';
import type { StoredRun } from './run.js';

/** What is held, codings included. */
export const HELD_BYTES_MAX = 32 * 1024 * 1024;

/** A run of a removed site is nowhere in memory after so long, and at most twice that. */
export const HELD_MS = 30_000;

interface Held {
  readonly run: StoredRun;
  bytes: number;
  /** The period in which it was last read. */
  period: number;
}

/** A run that is asked for; `number` is null for the latest. */
export class AskedRun implements Reading {
  found?: FoundRun | null;

  constructor(
    readonly siteId: string,
    readonly number: number | null,
    /** By its entity tag, the body need not be sent. */
    readonly held: StoredRun | undefined,
  ) {}

  together(asked: readonly AskedRun[]): Query<FoundRun> {
    const runs = asked.map(({ siteId, number, held }, place) => ({
      ...{ place, site_id: siteId, number: number ?? '', held: held?.etag ?? '' },
    }));
    return findRuns({ runs: JSON.stringify(runs) });
  }
}

/**
 * Reads finished runs. A run never changes, so the bytes that were sent are held with their codings; who owns the site, which run is its
 * latest and what its entity tag is are asked each time. What is not read goes, and the least recently used where there is no room.
 */
export class RunReads {
  /** The least recently used first. */
  readonly #held = new Map<string, Held>();
  #bytes = 0;
  #period = 0;
  #isTimerOn = false;

  constructor(
    private readonly db: Database,
    private readonly texts: RunTexts,
    private readonly startTimer: StartTimer,
  ) {}

  ask(siteId: string, number: number | null): AskedRun {
    return new AskedRun(siteId, number, this.#held.get(nameOf({ siteId, number }))?.run);
  }

  /** @throws ServiceError site_not_found, site_not_owned, and `absent` */
  async read(asked: AskedRun, accountId: string, absent: 'no_completed_run' | 'run_not_found'): Promise<StoredRun> {
    const found = asked.found === undefined ? await runOne(this.db, asked.together([asked])) : asked.found;
    if (!found) throw new ServiceError('site_not_found');
    const { owner_id, number, etag, body } = found;
    if (owner_id !== accountId) throw new ServiceError('site_not_owned');
    if (number === null || etag === null) throw new ServiceError(absent);
    const run =
      body === null ? asked.held : { siteId: asked.siteId, number, etag, body: await this.texts.unpack(body) };
    if (!run) throw new Error('the body of a run is missing');
    this.#hold(nameOf(asked), run);
    return run;
  }

  #hold(name: string, run: StoredRun): void {
    const known = this.#held.get(name);
    if (known) this.#drop(name, known);
    const held = known?.run === run ? known : { run, bytes: run.body.byteLength, period: 0 };
    held.period = this.#period;
    this.#held.set(name, held);
    this.#bytes += held.bytes;
    if (held !== known) {
      keepCodings(run.body, 'quick', (bytes) => {
        // It may be coded for one who asked before it was dropped.
        if (this.#held.get(name) !== held) return;
        held.bytes += bytes;
        this.#bytes += bytes;
        this.#makeRoom();
      });
    }
    this.#makeRoom();
    this.#dropLater();
  }

  #makeRoom(): void {
    for (const [name, held] of this.#held) {
      if (this.#bytes <= HELD_BYTES_MAX) return;
      this.#drop(name, held);
    }
  }

  #drop(name: string, { bytes }: Held): void {
    this.#held.delete(name);
    this.#bytes -= bytes;
  }

  #dropLater(): void {
    if (this.#isTimerOn) return;
    this.#isTimerOn = true;
    this.startTimer(() => {
      this.#isTimerOn = false;
      for (const [name, held] of this.#held) if (held.period < this.#period) this.#drop(name, held);
      this.#period += 1;
      if (this.#held.size > 0) this.#dropLater();
    }, HELD_MS);
  }
}

function nameOf({ siteId, number }: Pick<AskedRun, 'siteId' | 'number'>): string {
  return `${siteId} ${number ?? ''}`;
}
