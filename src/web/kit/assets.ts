import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { entityTagOf, isNotModified } from '../../platform/http/conditional.js';
import type { WebContext } from './context.js';

/** A file that never changes under its address. */
interface Asset {
  readonly type: string;
  readonly etag: string;
  readonly identity: Buffer;
  readonly isCompressed: boolean;
  /** What it was asked for in. */
  readonly coded: Map<Coding, Buffer>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/** What compresses nothing more. */
const COMPRESSED = new Set(['.png', '.woff2']);

/** The smallest first. */
const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** Browsers name gzip first, and mean nothing by it. */
export function chooseCoding(ctx: WebContext): Coding | undefined {
  return CODINGS.find((name) => ctx.acceptsEncodings(name));
}

const YEAR_S = 31_536_000;

/** The highest takes seconds for the largest of our files, and wins next to nothing. */
export const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Our static files: read once, and compressed once by each coding, at their first use. */
export class Assets {
  readonly #files = new Map<string, URL>();
  readonly #loaded = new Map<string, Asset>();

  /** @param files by the path under `/assets/` at which each is served */
  constructor(files: Readonly<Record<string, URL>>) {
    for (const [path, file] of Object.entries(files)) this.#files.set(path, file);
  }

  /** The address of an asset, which changes with its content. */
  urlOf(path: string): string {
    const asset = this.#load(path);
    if (!asset) throw new Error(`there is no asset ${path}`);
    return `/assets/${path}?v=${asset.etag.slice(1, 11)}`;
  }

  /** Answers with the asset; false when there is none of this path. */
  send(ctx: WebContext, path: string): boolean {
    const asset = this.#load(path);
    if (!asset) return false;
    const { type, etag } = asset;
    // An address without the right version, typed in or out of date, is asked about again.
    const isVersioned = ctx.query.v === etag.slice(1, 11);
    ctx.set('Cache-Control', isVersioned ? `public, max-age=${YEAR_S}, immutable` : 'no-cache');
    if (!asset.isCompressed) ctx.vary('Accept-Encoding');
    if (isNotModified(ctx, etag)) return true;
    const coding = asset.isCompressed ? undefined : chooseCoding(ctx);
    if (coding) ctx.set('Content-Encoding', coding);
    ctx.body = coding ? codedBy(coding, asset) : asset.identity;
    ctx.set('Content-Type', type);
    return true;
  }

  #load(path: string): Asset | undefined {
    const file = this.#files.get(path);
    if (!file) return undefined;
    let asset = this.#loaded.get(path);
    if (!asset) {
      const kind = extname(path);
      const identity = kind === '.css' ? this.#linked(readFileSync(file, 'utf8')) : readFileSync(file);
      const type = TYPES[kind] ?? 'application/octet-stream';
      const isCompressed = COMPRESSED.has(kind);
      asset = { type, etag: entityTagOf(identity), identity, isCompressed, coded: new Map() };
      this.#loaded.set(path, asset);
    }
    return asset;
  }

  /** A style sheet whose files have addresses that change with their content. */
  #linked(css: string): Buffer {
    return Buffer.from(css.replaceAll(/url\(([a-z0-9-]+\.woff2)\)/g, (_, name: string) => `url(${this.urlOf(name)})`));
  }
}

function codedBy(coding: Coding, { identity, coded }: Asset): Buffer {
  const body = coded.get(coding) ?? (coding === 'br' ? brotliCompressSync(identity, BROTLI) : gzipSync(identity));
  coded.set(coding, body);
  return body;
}

/** The files next to this module. */
export const OWN_ASSETS: Readonly<Record<string, URL>> = Object.fromEntries(
  [
    'style.css',
    'print.css',
    'contrast.css',
    'compare.css',
    'home.css',
    'door.css',
    'reading.css',
    'hanken-grotesk.woff2',
    'favicon.svg',
    'favicon.ico',
    'apple-touch-icon.png',
    'og.png',
    'app.js',
    'api-reference.js',
    'api-reference.css',
    'components.css',
  ].map((name) => [name, new URL(`assets/${name}`, import.meta.url)]),
);
