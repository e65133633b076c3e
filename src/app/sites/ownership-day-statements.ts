import { type Cleanup, defineCleanup } from '../../store/cleanup.js';
import { defineQuery } from '../../store/query.js';

/** What was seen on a UTC day on which proofs were looked for. */
export interface OwnershipDayRow {
  /** Digests of two different registrable domains whose proof was found. */
  readonly proof_domain: string | null;
  readonly other_proof_domain: string | null;
  readonly control_resolved: number;
}

const COLUMNS = ['proof_domain', 'other_proof_domain', 'control_resolved'];

/** More than 3, and more than 5 % of those that were asked: it is rather we who cannot read them. */
const IS_VOID = '(newly_unread > 3 AND newly_unread * 20 > asked)';

/** Adds what was asked for to the figures of the day, whose row it locks. @param proof_domain where the proof was found */
export const countAsked = defineQuery<
  OwnershipDayRow,
  { day: string; asked: number; newly_unread: number; proof_domain: string | null }
>((sql, { day, asked, newly_unread, proof_domain }) =>
  sql('ownership_days')
    .insert({ day, asked, newly_unread, proof_domain })
    .onConflict('day')
    .merge({
      asked: sql.raw('ownership_days.asked + excluded.asked'),
      newly_unread: sql.raw('ownership_days.newly_unread + excluded.newly_unread'),
      proof_domain: sql.raw('COALESCE(ownership_days.proof_domain, excluded.proof_domain)'),
      other_proof_domain: sql.raw(`CASE WHEN ownership_days.proof_domain <> excluded.proof_domain
        THEN COALESCE(ownership_days.other_proof_domain, excluded.proof_domain) ELSE ownership_days.other_proof_domain END`),
    })
    .returning(COLUMNS),
);

export const markControlResolved = defineQuery<never, { day: string }>((sql, { day }) =>
  sql('ownership_days').insert({ day, control_resolved: 1 }).onConflict('day').merge(['control_resolved']),
);

/** Takes one of the looks that a day has for sites that are not due. A row where there was one left. */
export const takeWitnessLook = defineQuery<{ day: string }, { day: string; limit: number }>((sql, { day, limit }) =>
  sql('ownership_days')
    .insert({ day, witnesses_asked: 1 })
    .onConflict('day')
    .merge({ witnesses_asked: sql.raw('ownership_days.witnesses_asked + 1') })
    .where('ownership_days.witnesses_asked', '<', limit)
    .returning('day'),
);

export const selectOwnershipDay = defineQuery<OwnershipDayRow, { day: string }>((sql, { day }) =>
  sql('ownership_days').select(COLUMNS).where({ day }),
);

/** A day that is over and counts: it is not void. */
export const selectCountedDay = defineQuery<OwnershipDayRow, { day: string }>((sql, { day }) =>
  sql('ownership_days').select(COLUMNS).where({ day, is_void: 0 }),
);

/** Judges the days that are over, each of them once. */
export const closeDays = defineQuery<
  { day: string; asked: number; newly_unread: number; is_void: number },
  { today: string }
>((sql, { today }) =>
  sql('ownership_days')
    .where('day', '<', today)
    .whereNull('is_void')
    .update({ is_void: sql.raw(`CASE WHEN ${IS_VOID} THEN 1 ELSE 0 END`) })
    .returning(['day', 'asked', 'newly_unread', 'is_void']),
);

/** How many days since one were void, by what is known of them so far. */
export const countVoidDays = defineQuery<{ count: number }, { since: string }>((sql, { since }) =>
  sql('ownership_days')
    .where('day', '>=', since)
    .whereRaw(IS_VOID)
    .select(sql.raw('CAST(count(*) AS integer) AS count')),
);

const DAY_MS = 86_400_000;

/** However long no process looks for proofs, the last day that it did still counts. */
export const OWNERSHIP_DAYS_KEPT = 400;

export const cleanUpOwnershipDays: Cleanup = defineCleanup<{ before: string }>(
  'ownership_days',
  ['day'],
  (rows, { before }) => rows.where('day', '<', before),
  (now) => ({ before: new Date(now.getTime() - OWNERSHIP_DAYS_KEPT * DAY_MS).toISOString() }),
);
