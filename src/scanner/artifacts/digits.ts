/** `12,345`. What V8 formats numbers with takes longer to make than a page takes to read. */
export function groupDigits(n: number): string {
  return Number.isSafeInteger(n) ? String(n).replace(/\d(?=(?:\d{3}){1,5}$)/g, '$&,') : n.toLocaleString('en');
}
