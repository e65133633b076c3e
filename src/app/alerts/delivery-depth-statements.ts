import { defineQuery } from '../../store/query.js';

/** How many messages of alerts wait: `retrying` are those of them that have failed at least once. Looks at what waits alone. */
export const countWaitingDeliveries = defineQuery<{ waiting: number; retrying: number }>((sql) =>
  sql('deliveries')
    .select(sql.raw('coalesce(sum(CASE WHEN attempts = 0 THEN 1 ELSE 0 END), 0) AS waiting'))
    .select(sql.raw('coalesce(sum(CASE WHEN attempts > 0 THEN 1 ELSE 0 END), 0) AS retrying'))
    .whereNotNull('next_attempt_at'),
);
