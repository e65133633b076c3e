import type { Database } from '../../store/database.js';
import { joinQueries, type Query } from '../../store/query.js';
import { one } from '../../store/transaction.js';
import { type ChargedKey, chargeKey, type ChargeParams } from './key-usage-statements.js';

/** What a request reads once it is paid for: on PostgreSQL asked for in the same statement as the charge. */
export interface Reading {
  /** What was found; undefined where nothing has been asked yet, so that the reader asks. */
  found?: object | null;
  /** @returns one statement for all of these: its rows say by `asked` whose each is */
  together(readings: readonly Reading[]): Query<{ readonly asked: number }>;
}

interface Waiting {
  readonly params: ChargeParams;
  readonly reading: Reading | undefined;
  readonly resolve: (key: ChargedKey | undefined) => void;
  readonly reject: (error: unknown) => void;
}

type GroupedRow = ChargedKey & { readonly asked?: number | null };

/**
 * Charges the requests of a key that come in one turn of the event loop by one statement, and on SQLite those of all keys in one
 * transaction: a commit takes longer than all else in a read. Each is answered after the commit. While a statement of a key is under way, its
 * next requests gather, since they would wait for its row anyway.
 */
export class ChargeGroups {
  /** By key and month. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #underWay = new Set<string>();
  #isDue = false;

  /** @param whyNot what every charge is refused with at the moment; undefined: none is */
  constructor(
    private readonly db: Database,
    private readonly whyNot: () => Error | undefined,
  ) {}

  take(params: ChargeParams, reading?: Reading): Promise<ChargedKey | undefined> {
    return new Promise((resolve, reject) => {
      const name = `${params.digest} ${params.month}`;
      const group = this.#waiting.get(name) ?? [];
      this.#waiting.set(name, group);
      group.push({ params, reading, resolve, reject });
      this.#chargeSoon();
    });
  }

  /** Once all requests of this turn have been read. */
  #chargeSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      const due = [...this.#waiting].filter(([name]) => !this.#underWay.has(name));
      for (const [name] of due) {
        this.#waiting.delete(name);
        this.#underWay.add(name);
      }
      void this.#chargeAll(due);
    });
  }

  async #chargeAll(due: readonly (readonly [name: string, group: readonly Waiting[]])[]): Promise<void> {
    const areTogether = this.db.dialect === 'sqlite' && due.length > 1 && !this.whyNot();
    const rows = areTogether ? await this.#chargeInOne(due.map(([, group]) => group)) : null;
    await Promise.all(
      due.map(async ([name, group], index) => {
        if (rows)
          await this.#answer(
            group,
            [rows[index]].filter((row) => row !== undefined),
          );
        else await this.#charge(group);
        this.#underWay.delete(name);
        if (this.#waiting.has(name)) this.#chargeSoon();
      }),
    );
  }

  /** All keys, or none: null where it failed, which charged nothing. */
  #chargeInOne(groups: readonly (readonly Waiting[])[]): Promise<(ChargedKey | undefined)[] | null> {
    const work = function* () {
      const rows = [];
      for (const group of groups) rows.push(yield* one(chargeOf(group)));
      return rows;
    };
    return this.db.transaction(work, 'process').catch(() => null);
  }

  /** One key. Never rejects. */
  async #charge(group: readonly Waiting[]): Promise<void> {
    const readings = group.flatMap(({ reading }) => reading ?? []);
    const [first] = this.db.dialect === 'postgres' ? readings : [];
    const charge: Query<GroupedRow> = chargeOf(group);
    const refusal = this.whyNot();
    try {
      if (refusal) throw refusal;
      await this.#answer(group, await this.db.run(first ? joinQueries(charge, first.together(readings)) : charge));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  /** A group that is not charged as a whole may still be in part: the last requests of a month. */
  async #answer(group: readonly Waiting[], rows: readonly GroupedRow[]): Promise<void> {
    const [row] = rows;
    if (!row && group.length > 1) {
      await Promise.all(group.map((waiting) => this.#charge([waiting])));
      return;
    }
    let asked = 0;
    for (const [index, { reading, resolve }] of group.entries()) {
      // Those of a SQLite database find for themselves.
      if (row && reading && row.asked !== undefined) {
        reading.found = rows.find((found) => found.asked === asked) ?? null;
        asked += 1;
      }
      resolve(row && { ...row, used: row.used - group.length + 1 + index });
    }
  }
}

function chargeOf(group: readonly Waiting[]): Query<ChargedKey> {
  const latest = group.at(-1);
  if (!latest) throw new Error('a group of nobody');
  // A key that is good for the latest of them is for all.
  return chargeKey({ ...latest.params, count: group.length });
}
