import type { Knex } from 'knex';

/** How many runs finished on which day, and how many of them with a score, without reading a run. */
export async function addRunsByDay(sql: Knex): Promise<void> {
  await sql.schema.alterTable('runs', (table) => {
    table.index(['finished_at', 'score'], 'runs_by_day');
  });
}
