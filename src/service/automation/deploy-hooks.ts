import type { SiteOfAccount } from '../sites.js';

/** The secret address of a site that a deployment calls, without the secret. */
export interface DeployHook {
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** What a call of the hook has set off. */
export interface DeployCall {
  readonly siteId: string;
  readonly hostname: string;
  /** When the run begins at the earliest. */
  readonly runAfter: Date;
  /** The number of the site's latest run at the time of the call, 0 before its first: the run to look for has a higher one. */
  readonly latestNumber: number;
}

/** The methods for an account reject with ServiceError site_not_found, for another account's site too. */
export interface DeployHooks {
  find(request: SiteOfAccount): Promise<DeployHook | null>;
  /** Makes the site's address, or a new one in its place: the one before stops working. @returns the secret, shown this once */
  create(request: SiteOfAccount): Promise<{ readonly hook: DeployHook; readonly token: string }>;
  remove(request: SiteOfAccount): Promise<void>;
  /**
   * Queues a POST_DEPLOY run; several calls close together make one.
   * @param waitS seconds until the deployment is live
   * @throws ServiceError not_found for an unknown token, domain_not_verified, daily_runs_exceeded
   */
  call(token: string, waitS: number): Promise<DeployCall>;
  /** How the site stands: for whoever waits for the run. @throws ServiceError not_found */
  status(token: string): Promise<DeployStatus>;
}

export interface DeployStatus {
  readonly siteId: string;
  readonly hostname: string;
  /** `waiting`: not begun yet, `running`: in hand, `idle`: none waits. */
  readonly state: 'waiting' | 'running' | 'idle';
  readonly latest: {
    readonly number: number;
    readonly score: number | null;
    readonly trigger: string;
    readonly finishedAt: string;
  } | null;
}

/** Seconds that a deployment may take until it is live. */
export const DEPLOY_WAIT_S = { standard: 10, max: 600 } as const;
