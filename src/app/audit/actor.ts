import { AsyncLocalStorage } from 'node:async_hooks';
import ipaddr from 'ipaddr.js';

/** Who makes a change: the account's holder on the pages, the operator by command line, the service itself, or somebody unknown. */
export interface Actor {
  readonly actor: 'holder' | 'operator' | 'service' | 'unknown';
  /** The client's IP address; null where there is no client. */
  readonly address: string | null;
  /** What the client calls itself: its header User-Agent. */
  readonly userAgent?: string;
}

/** Said by what may have been begun by a request: a job that it announced. */
export const SERVICE: Actor = { actor: 'service', address: null };
const actors = new AsyncLocalStorage<Actor>();

/**
 * Does the work in the name of the actor. Each way into the program says once who comes in by it, so that no use case has to be
 * told, and none can forget to say.
 */
export function actAs<T>(actor: Actor, work: () => T): T {
  return actors.run(actor, work);
}

/** The service itself, unless {@link actAs} says otherwise. */
export function currentActor(): Actor {
  return actors.getStore() ?? SERVICE;
}

/** The account's holder at this address; one that is none, as a proxy may pass it on, is not kept. */
export function holderAt(address: string, userAgent = ''): Actor {
  return { actor: 'holder', address: ipaddr.isValid(address) ? ipaddr.process(address).toString() : null, userAgent };
}

export const OPERATOR: Actor = { actor: 'operator', address: null };
