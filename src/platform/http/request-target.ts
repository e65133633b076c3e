/** The path of a request target, still percent-encoded, without its query. Empty for targets without a path, such as `*`. */
export function pathOf(target: string): string {
  if (target.startsWith('/')) return target.split(/[?#]/, 1)[0] ?? '';
  return URL.parse(target)?.pathname ?? '';
}

/** The query of a request target with its `?`, as sent; empty if there is none. */
export function queryOf(target: string): string {
  return /\?[^#]*/.exec(target)?.[0] ?? '';
}
