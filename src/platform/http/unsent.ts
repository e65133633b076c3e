import type { Logger } from '../logging.js';

/** What a socket reports when it is the client that has gone. */
const HANG_UPS = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR']);

/** Logs what Koa could not send. A client that hangs up in the middle of an answer, such as a stream, is no fault of ours. */
export function logUnsent(logger: Logger): (cause: unknown) => void {
  return (cause) => {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    if (HANG_UPS.has(code)) logger.debug({ cause }, 'a client hung up');
    else logger.error({ cause }, 'an answer could not be sent');
  };
}
