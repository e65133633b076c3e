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

/** What the site's next run after a deployment is named by. */
export interface NextLabelRow extends RunLabelRow {
  readonly named_at: string;
}

export const selectNextLabel = defineQuery<NextLabelRow, { site_id: string }>((sql, { site_id }) =>
  sql('next_run_labels').select('label', 'commit_id', 'named_at').where({ site_id }),
);

/** The last one counts. */
export const upsertNextLabel = defineQuery<
  never,
  { site_id: string; label: string | null; commit_id: string | null; named_at: string }
>((sql, { site_id, label, commit_id, named_at }) =>
  sql('next_run_labels')
    .insert({ site_id, label, commit_id, named_at })
    .onConflict('site_id')
    .merge(['label', 'commit_id', 'named_at']),
);

/** Unless the site's next run has been named again. */
export const deleteNextLabel = defineQuery<never, { site_id: string; named_at: string }>((sql, { site_id, named_at }) =>
  sql('next_run_labels').where({ site_id, named_at }).delete(),
);
