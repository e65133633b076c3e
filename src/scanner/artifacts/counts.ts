/** Formats `1,234`. Avoids `Intl`, whose formatter is slow to create. */
export function formatCount(count: number): string {
  return Number.isSafeInteger(count)
    ? String(count).replace(/\d(?=(?:\d{3}){1,5}$)/g, '$&,')
    : count.toLocaleString('en');
}

/** Formats `1 run`, `2 runs`. */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats `a, b and c`. */
export function formatList(items: readonly (string | number)[]): string {
  const last = String(items.at(-1) ?? '');
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`;
}
