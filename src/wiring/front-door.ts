import type { IncomingMessage, ServerResponse } from 'node:http';
import { pathOf } from '../platform/request-target.js';

/** Deals with a request; resolves when it is done, whether or not its client is still there. */
export type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface Rooms {
  /** `/api/…` and the probes. */
  readonly api: Handle;
  /** `/mcp` itself: what lies below it are pages. */
  readonly mcp: Handle;
  /** Everything else. */
  readonly web: Handle;
}

const OF_THE_API = /^\/(api\/|api$|healthz$|readyz$)/;

/** Leads each request to the room that answers it, by its path as it was sent. */
export function createFrontDoor({ api, mcp, web }: Rooms): Handle {
  return (request, response) => {
    const path = pathOf(request.url ?? '');
    // What is no path, such as the * of OPTIONS, is the API's to answer.
    if (path === '' || OF_THE_API.test(path)) return api(request, response);
    return (path === '/mcp' ? mcp : web)(request, response);
  };
}
