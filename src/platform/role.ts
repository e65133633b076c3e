/** What a process does: everything; only answer requests; or only perform queued work. */
export const ROLES = ['all', 'api', 'worker'] as const;
export type Role = (typeof ROLES)[number];
