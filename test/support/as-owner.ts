import { findOwnSite, type OwnSite, type SiteOfAccount } from '../../src/app/sites/site.js';
import type { Database } from '../../src/store/database.js';

/** Where the use cases named take a site that was loaded, these take its address. */
type ByAddress<T, Name extends keyof T> = Omit<T, Name> & {
  [K in Name]: T[K] extends (site: OwnSite, ...rest: infer Rest) => infer Outcome
    ? (at: SiteOfAccount, ...rest: Rest) => Outcome
    : never;
};

/** Loads the site that an address names before it calls the use case, as pages do. */
export function asOwner<T extends object, Name extends keyof T>(
  db: Database,
  service: T,
  ...names: readonly Name[]
): ByAddress<T, Name> {
  const get = (_: T, name: string | symbol): unknown => {
    const method: unknown = Reflect.get(service, name);
    if (typeof method !== 'function') return method;
    if (!names.some((one) => one === name)) return method.bind(service) as unknown;
    return async (at: SiteOfAccount, ...rest: unknown[]): Promise<unknown> =>
      method.call(service, await findOwnSite(db, at), ...rest) as unknown;
  };
  return new Proxy(service, { get }) as unknown as ByAddress<T, Name>;
}
