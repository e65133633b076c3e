import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { answer, cacheCodings, entityTagOf } from '../../platform/http/answer.js';
import type { WebContext } from './page.js';

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

/** Files of the folder `assets`, by their name under `/assets/`. */
const NAMES: ReadonlySet<string> = new Set([
  'style.css',
  'print.css',
  'contrast.css',
  'hanken-grotesk.woff2',
  'favicon.svg',
  'favicon.ico',
  'apple-touch-icon.png',
  'og.png',
  'app.js',
]);

/** Assets by name, read and compressed at first use. */
const loaded = new Map<string, Asset>();

/** Returns the URL of an asset, which changes with its content. */
export function assetUrl(name: string): string {
  const asset = load(name);
  if (!asset) throw new Error(`there is no asset ${name}`);
  return `/assets/${name}?v=${versionOf(asset)}`;
}

/** Sends the asset; returns false if there is none. */
export function sendAsset(ctx: WebContext, name: string): boolean {
  const asset = load(name);
  if (!asset) return false;
  // Browsers must revalidate a URL with a wrong version, such as an outdated one.
  const isVersioned = ctx.query.v === versionOf(asset);
  ctx.set('Cache-Control', isVersioned ? `public, max-age=${YEAR_S}, immutable` : 'no-cache');
  ctx.set('ETag', asset.etag);
  answer(ctx, 200, asset.type, asset.body);
  return true;
}

function versionOf({ etag }: Asset): string {
  return etag.slice(1, 11);
}

function load(name: string): Asset | undefined {
  const cached = loaded.get(name);
  if (cached || !NAMES.has(name)) return cached;
  const extension = extname(name);
  const file = readFileSync(new URL(`../assets/${name}`, import.meta.url));
  const body = extension === '.css' ? Buffer.from(addVersions(file.toString())) : file;
  cacheCodings(body, 'best');
  const asset = { type: TYPES[extension] ?? 'application/octet-stream', etag: entityTagOf(body), body };
  loaded.set(name, asset);
  return asset;
}

/** Replaces the names of fonts in a style sheet with their versioned URLs. */
function addVersions(css: string): string {
  return css.replaceAll(/url\(([a-z0-9-]+\.woff2)\)/g, (_, name: string) => `url(${assetUrl(name)})`);
}
