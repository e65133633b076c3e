import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { answer, cacheCodings, entityTagOf } from '../../platform/http/answer.js';
import type { WebContext } from './context.js';

/** A file whose content never changes at its URL. */
interface Asset {
  readonly type: string;
  readonly etag: string;
  readonly body: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

const YEAR_S = 31_536_000;

/** Static files, read and compressed at first use. */
export class Assets {
  readonly #files = new Map<string, URL>();
  readonly #loaded = new Map<string, Asset>();

  /** @param files by the path under `/assets/` at which each is served */
  constructor(files: Readonly<Record<string, URL>>) {
    for (const [path, file] of Object.entries(files)) this.#files.set(path, file);
  }

  /** Returns the URL of an asset, which changes with its content. */
  urlOf(path: string): string {
    const asset = this.#load(path);
    if (!asset) throw new Error(`there is no asset ${path}`);
    return `/assets/${path}?v=${asset.etag.slice(1, 11)}`;
  }

  /** Sends the asset; returns false if there is none. */
  send(ctx: WebContext, path: string): boolean {
    const asset = this.#load(path);
    if (!asset) return false;
    const { type, etag, body } = asset;
    // An address without the right version, typed in or out of date, is asked about again.
    const isVersioned = ctx.query.v === etag.slice(1, 11);
    ctx.set('Cache-Control', isVersioned ? `public, max-age=${YEAR_S}, immutable` : 'no-cache');
    ctx.set('ETag', etag);
    answer(ctx, 200, type, body);
    return true;
  }

  #load(path: string): Asset | undefined {
    const file = this.#files.get(path);
    if (!file) return undefined;
    let asset = this.#loaded.get(path);
    if (!asset) {
      const kind = extname(path);
      const body = kind === '.css' ? this.#linked(readFileSync(file, 'utf8')) : readFileSync(file);
      cacheCodings(body, 'best');
      asset = { type: TYPES[kind] ?? 'application/octet-stream', etag: entityTagOf(body), body };
      this.#loaded.set(path, asset);
    }
    return asset;
  }

  /** A style sheet whose files have addresses that change with their content. */
  #linked(css: string): Buffer {
    return Buffer.from(css.replaceAll(/url\(([a-z0-9-]+\.woff2)\)/g, (_, name: string) => `url(${this.urlOf(name)})`));
  }
}

/** The files next to this module. */
export const OWN_ASSETS: Readonly<Record<string, URL>> = Object.fromEntries(
  [
    'style.css',
    'print.css',
    'contrast.css',
    'hanken-grotesk.woff2',
    'favicon.svg',
    'favicon.ico',
    'apple-touch-icon.png',
    'og.png',
    'app.js',
  ].map((name) => [name, new URL(`../assets/${name}`, import.meta.url)]),
);
