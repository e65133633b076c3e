import { AsyncLocalStorage } from 'node:async_hooks';
import ipaddr from 'ipaddr.js';

/** Who makes a change: the account's owner on the pages, the operator on the command line, the service itself, or an unknown person. */
export interface Actor {
  readonly actor: 'holder' | 'operator' | 'service' | 'unknown';
  /** The client's IP address; null if there is no client. */
  readonly address: string | null;
  /** The client's User-Agent header. */
  readonly userAgent?: string;
}

/** The actor of background jobs. */
export const SERVICE: Actor = { actor: 'service', address: null };
export const OPERATOR: Actor = { actor: 'operator', address: null };

const actors = new AsyncLocalStorage<Actor>();

/** Runs `work` as the actor. Each entry point of the program sets its actor once. */
export function actAs<T>(actor: Actor, work: () => T): T {
  return actors.run(actor, work);
}

/** Returns the actor of {@link actAs}; by default the service. */
export function currentActor(): Actor {
  return actors.getStore() ?? SERVICE;
}

/** Returns the account's owner as an actor. An address that is no IP address, passed on by a proxy, is left out. */
export function holderAt(address: string, userAgent = ''): Actor {
  return { actor: 'holder', address: ipaddr.isValid(address) ? ipaddr.process(address).toString() : null, userAgent };
}
