import type { Clock } from '../domain/clock.js';

/** The time of the machine. */
export const systemClock: Clock = { now: () => new Date() };
