import { PassThrough } from 'node:stream';
import { ServiceError } from '../../platform/errors.js';
import { type PlaceLimits, Places } from '../../platform/http/places.js';
import type { LiveParts } from './components/progress.js';
import type { WebContext } from './context.js';

/** Events of the one kind of stream that our pages listen to (`data-live` in app.js). */
export interface LiveEvents {
  /** Puts in the parts of the page that have changed since the last time. */
  progress(parts: LiveParts): void;
  /** Leads the page to `href`, and ends the stream. */
  end(href: string): void;
}

/** Keeps proxies from closing a stream on which nothing happens. */
const HEARTBEAT_MS = 15_000;

/**
 * Answers with a stream of server-sent events (HTML Living Standard §9.2) until `end` is called or the client is gone.
 * @param start begins; the function that comes back ends what it began
 * @throws ServiceError overloaded when there are too many streams, of this client or in all
 */
export type StreamEvents = (ctx: WebContext, start: (events: LiveEvents) => () => void) => void;

export function createStreamEvents(limits: PlaceLimits): StreamEvents {
  const places = new Places(limits);
  return (ctx, start) => {
    const leave = places.take(ctx.ip);
    if (!leave) throw new ServiceError('overloaded');
    onGone(ctx, leave);
    stream(ctx, start);
  };
}

/**
 * Calls once when the answer is over. Node never closes an answer that still waits behind another of its connection when that breaks off,
 * nor one whose client had left before.
 */
function onGone({ req: { socket }, res }: WebContext, gone: () => void): void {
  if (socket.destroyed) {
    gone();
    return;
  }
  const once = (): void => {
    socket.off('close', once);
    res.off('close', once);
    gone();
  };
  socket.once('close', once);
  res.once('close', once);
}

function stream(ctx: WebContext, start: Parameters<StreamEvents>[1]): void {
  const stream = new PassThrough();
  const send = (event: string, data: object): void => {
    stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  ctx.status = 200;
  ctx.set('Cache-Control', 'no-store');
  // nginx would hold back what is smaller than its buffer.
  ctx.set('X-Accel-Buffering', 'no');
  ctx.body = stream;
  ctx.set('Content-Type', 'text/event-stream; charset=utf-8');
  const heartbeat = setInterval(() => stream.write(':\n\n'), HEARTBEAT_MS);
  const stops: (() => void)[] = [() => clearInterval(heartbeat)];
  const state = { isOver: false };
  const finish = (): void => {
    state.isOver = true;
    for (const stop of stops.splice(0)) stop();
  };
  onGone(ctx, finish);
  const sent = new Map<string, string>();
  const stop = start({
    progress: (parts) => {
      const changed = [...parts].filter(([id, html]) => sent.get(id) !== html);
      for (const [id, html] of changed) sent.set(id, html);
      if (changed.length > 0) send('progress', Object.fromEntries(changed));
    },
    end: (href) => {
      send('end', { href });
      stream.end();
      finish();
    },
  });
  // What began may have ended at once.
  if (state.isOver) stop();
  else stops.push(stop);
}
