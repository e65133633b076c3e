import { defineQuery } from '../../store/query.js';

/** What a run is named by, as it is stored. */
export interface RunLabelRow {
  readonly label: string | null;
  readonly commit_id: string | null;
}

export const insertRunLabel = defineQuery<
  never,
  { site_id: string; number: number; label: string | null; commit_id: string | null }
>((sql, { site_id, number, label, commit_id }) => sql('run_labels').insert({ site_id, number, label, commit_id }));

/** What a run of the site is named by that begins then or later, until another one is due. */
export interface NextLabelRow extends RunLabelRow {
  readonly due_at: string;
}

/** That of the last deployment which is live by now. */
export const selectNextLabel = defineQuery<NextLabelRow, { site_id: string; now: string }>((sql, { site_id, now }) =>
  sql('next_run_labels')
    .select('label', 'commit_id', 'due_at')
    .where({ site_id })
    .where('due_at', '<=', now)
    .orderBy('due_at', 'desc')
    .limit(1),
);

/** Of two with the same time the last one counts. */
export const upsertNextLabel = defineQuery<
  never,
  { site_id: string; due_at: string; label: string | null; commit_id: string | null }
>((sql, { site_id, due_at, label, commit_id }) =>
  sql('next_run_labels')
    .insert({ site_id, due_at, label, commit_id })
    .onConflict(['site_id', 'due_at'])
    .merge(['label', 'commit_id']),
);

export const deleteNextLabel = defineQuery<never, { site_id: string; due_at: string }>((sql, { site_id, due_at }) =>
  sql('next_run_labels').where({ site_id, due_at }).delete(),
);

/** The one that a run has taken, and those before it. */
export const deleteNextLabels = defineQuery<never, { site_id: string; upto: string }>((sql, { site_id, upto }) =>
  sql('next_run_labels').where({ site_id }).where('due_at', '<=', upto).delete(),
);
