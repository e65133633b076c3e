/** What a process does: everything; answer requests only; or only perform what waits in the queue. */
export const ROLES = ['all', 'api', 'worker'] as const;
export type Role = (typeof ROLES)[number];
