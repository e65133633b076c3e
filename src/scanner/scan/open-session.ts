import { openVisit, type VisitOptions } from '../client/open-visit.js';
import { COLLECTORS } from '../gatherers/collectors.js';
import { createContext } from '../probe/context.js';
import { controlNames } from '../probe/control.js';
import type { ExchangeLog } from '../trace/exchanges.js';
import type { ScanSession } from './scan.js';

export interface SessionOptions extends VisitOptions {
  /** Set to store the evidence behind findings. */
  readonly log?: ExchangeLog;
}

/** Opens a visit with the context of the collectors. @param controlSeed see {@link controlNames} */
export function openSession(options: SessionOptions, now: Date, controlSeed: string): ScanSession {
  const { target, log, listeners = [] } = options;
  const visit = openVisit(log ? { ...options, watch: log.watch, listeners: [...listeners, log.listen] } : options);
  const context = createContext({
    target,
    visit,
    collectors: COLLECTORS,
    now,
    randomName: controlNames(controlSeed),
    ...(log && { parts: log.parts }),
  });
  return { visit, context, ...(log && { log }), close: () => visit.close() };
}
