/** Files as if they were served, and what would be said with them. */
export interface Overlay {
  /** The file that is served at this path of the site, which is percent-encoded; null: none. */
  readonly fileAt: (pathname: string) => OverlayFile | null;
  /** The header fields that are set for this path, names in lower case; a value null takes one away. */
  readonly fieldsFor: (pathname: string) => readonly (readonly [name: string, value: string | null])[];
}

export interface OverlayFile {
  readonly body: Uint8Array;
  /** Its Content-Type. */
  readonly type: string;
}

/** One file, as if it were served at this path, which is percent-encoded. */
export function overlayOfFile(pathname: string, file: OverlayFile): Overlay {
  const paths = pathsServing(decodePath(pathname), false);
  return { fileAt: (asked) => (paths.includes(decodePath(asked)) ? file : null), fieldsFor: () => [] };
}

/** Where a file is served. @param isClean whether `/about` is `about.html` */
export function pathsServing(path: string, isClean: boolean): string[] {
  if (path.endsWith('/index.html')) return [path, path.slice(0, -'index.html'.length)];
  return isClean && path.endsWith('.html') ? [path, path.slice(0, -'.html'.length)] : [path];
}

/** An invalid encoding stays as it is. */
export function decodePath(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

/** A path where a file was put in place of something else than nothing: that the site would serve it there is assumed. */
export interface Assumption {
  readonly path: string;
  /** What it answers today; null: nothing. */
  readonly status: number | null;
}
