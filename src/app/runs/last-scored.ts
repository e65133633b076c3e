/** Where a site was out of reach for so many runs, its last score says nothing any more. */
export const UNSCORED_RUNS_MAX = 50;

/**
 * SQL of the number of a site's last run that has a score, null where there is none among the last: it binds how many these are.
 * @param sites the name of the table of sites in the statement
 * @param latest the number of the last one of them
 */
export function lastScored(sites: string, upto = `${sites}.run_counter`, latest = `${sites}.run_counter`): string {
  return `(SELECT r.number FROM runs AS r WHERE r.site_id = ${sites}.id AND r.number <= ${upto}
    AND r.number > ${latest} - ? AND r.score IS NOT NULL ORDER BY r.number DESC LIMIT 1)`;
}
