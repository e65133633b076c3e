import { COLLECTORS } from '../gatherers/collectors.js';
import { createContext } from '../probe/context.js';
import { controlNames } from '../probe/control.js';
import { openVisit, type VisitOptions } from '../client/open-visit.js';
import type { OpenedVisit } from './scan.js';

/** A visit with the context that collectors work with. @param controlSeed see {@link controlNames} */
export function openContext(options: VisitOptions, now: Date, controlSeed: string): OpenedVisit {
  const { target, attribution } = options;
  const visit = openVisit(options);
  const context = createContext({
    ...{ target, visit, collectors: COLLECTORS, now },
    randomName: controlNames(controlSeed),
    ...(attribution && { attribution }),
  });
  return { visit, context, ...(attribution && { attribution }), close: () => visit.close() };
}
