import { defineQuery } from '../../store/query.js';

export interface ChosenPagesRow {
  /** JSON array of paths. */
  readonly paths: string;
}

export const selectChosenPages = defineQuery<ChosenPagesRow, { site_id: string }>((sql, { site_id }) =>
  sql('chosen_pages').select('paths').where({ site_id }),
);

export const upsertChosenPages = defineQuery<never, { site_id: string; paths: string }>((sql, { site_id, paths }) =>
  sql('chosen_pages').insert({ site_id, paths }).onConflict('site_id').merge(['paths']),
);
