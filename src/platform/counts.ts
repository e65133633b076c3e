import { groupDigits } from '../scanner/artifacts/digits.js';

/** `1,234`. English, like everything else here. */
export function formatCount(count: number): string {
  return count < 1000 ? String(count) : groupDigits(count);
}

/** `1 run`, `2 runs`. */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
