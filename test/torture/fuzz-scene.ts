import { gzipSync } from 'node:zlib';
import type { FuzzRequest } from './fuzz-requests.js';
import type { KeyBook, SiteBook, World } from './fuzz-world.js';

/** What the names in braces stand for. */
export type Scene = Readonly<Record<string, () => string>>;

/** A request as it goes over the wire, and what of it is plain to see. */
export interface Sent {
  readonly bytes: Buffer;
  readonly method: string;
  readonly target: string;
  /** Of all that there are, the first; undefined: there is none. */
  readonly authorization: string | undefined;
  readonly ifNoneMatch: readonly string[];
  readonly requestIds: readonly string[];
  /** The size of the body where its framing is sound. */
  readonly bodyBytes: number;
  /** Whether a server may refuse it as HTTP, or wait for more. */
  readonly isOdd: boolean;
}

/** The scene that all single requests share: a customer, a stranger, and keys of every kind. */
export async function setScene(world: World): Promise<Scene> {
  const owner = await world.addAccount('SCALE');
  const [own, empty, unverified] = [
    await world.addSite(owner),
    await world.addSite(owner),
    await world.addSite(owner, false),
  ];
  const stranger = await world.addAccount('MONITOR');
  const free = await world.addAccount('FREE');
  const spent = await world.addKey(stranger);
  await world.leave(spent, 0);
  const revoked = await world.addKey(owner);
  await world.revoke(revoked);
  return {
    ...namesOf(own, await world.addKey(owner)),
    ...{ empty: idOf(empty), unverified: idOf(unverified), foreign: idOf(await world.addSite(stranger)) },
    ...{ stranger: textOf(await world.addKey(stranger)), free: textOf(await world.addKey(free)) },
    ...{ spent: textOf(spent), revoked: textOf(revoked), unknown: world.unknownKey },
    absent: () => `site_${'z'.repeat(20)}`,
  };
}

/** The part of a scene that a sequence has for itself. */
export function namesOf(own: SiteBook, good: KeyBook): Scene {
  return { own: idOf(own), good: textOf(good), etag: () => own.etag || '"none"' };
}

const idOf = (site: SiteBook) => () => site.id;
const textOf = (key: KeyBook) => () => key.text;

const SOUND_METHODS = new Set([
  'GET',
  'POST',
  'HEAD',
  'OPTIONS',
  'PUT',
  'DELETE',
  'PATCH',
  'TRACE',
  'PROPFIND',
  'SEARCH',
]);
/** Node refuses heads over 16 KiB. */
const HEAD_BYTES_MAX = 15_000;

/** Puts things of the scene where their names are. */
export function fill(text: string, scene: Scene): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => scene[name]?.() ?? whole);
}

export function render(request: FuzzRequest, scene: Scene): Sent {
  const { method, version, body } = request;
  const target = fill(request.target, scene);
  const lines = request.lines.map(({ text }) => fill(text, scene));
  const authorization = request.authorization.map((text) => fill(text, scene));
  const framed = frame(body);
  const head = [
    `${method} ${target} HTTP/${version}`,
    ...['Host: readiness.test', ...lines, ...authorization.map((value) => `Authorization: ${value}`), ...framed.lines],
  ].join('\r\n');
  const valuesOf = (name: string) =>
    lines.filter((line) => line.toLowerCase().startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).trim());
  return {
    bytes: Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), framed.bytes]),
    ...{ method, target, authorization: authorization[0] },
    ...{ ifNoneMatch: valuesOf('if-none-match'), requestIds: valuesOf('x-request-id') },
    bodyBytes: framed.isSound && body.framing !== 'none' ? body.bytes : 0,
    isOdd:
      !framed.isSound ||
      !SOUND_METHODS.has(method) ||
      !/^\/[\x21-\x7e]*$/.test(target) ||
      (version !== '1.1' && (version !== '1.0' || body.framing !== 'none')) ||
      request.lines.some(({ isOdd }) => isOdd) ||
      head.length > HEAD_BYTES_MAX,
  };
}

/** What bodies are full of: each is repeated as often as it takes. */
export const CONTENTS = {
  text: '{"a":"\u0000é\r\n',
  gzip: gzipSync(Buffer.alloc(50_000)),
  bom: '\ufeff{}',
  utf16: Buffer.from('{"trigger":"API"}', 'utf16le'),
  'deep JSON': '[{"a":',
  'duplicate keys': '{"siteId":1,"siteId":2}',
  __proto__: '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{}}}',
  'another request': 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n',
} as const;

function frame({ framing, content: kind, bytes }: FuzzRequest['body']): {
  lines: string[];
  bytes: Buffer;
  isSound: boolean;
} {
  const content = Buffer.alloc(bytes, CONTENTS[kind]);
  const chunk = Buffer.concat([Buffer.from(`${bytes.toString(16)};a=b\r\n`), content, Buffer.from('\r\n')]);
  const end = Buffer.from('0\r\n\r\n');
  const whole = bytes === 0 ? end : Buffer.concat([chunk, end]);
  const length = (value: number) => [`Content-Length: ${value}`];
  const chunked = ['Transfer-Encoding: chunked'];
  switch (framing) {
    case 'none':
      return { lines: [], bytes: Buffer.alloc(0), isSound: true };
    case 'length':
      return { lines: length(bytes), bytes: content, isSound: true };
    case 'chunked':
      return { lines: chunked, bytes: whole, isSound: true };
    case 'short':
      return { lines: length(bytes + 9), bytes: content, isSound: false };
    case 'long':
      return { lines: length(Math.floor(bytes / 2)), bytes: content, isSound: false };
    case 'undeclared':
      return { lines: [], bytes: content, isSound: false };
    case 'bad chunk':
      return { lines: chunked, bytes: Buffer.concat([chunk, Buffer.from('zz\r\n')]), isSound: false };
    case 'cut chunks':
      return { lines: chunked, bytes: chunk.subarray(0, -3), isSound: false };
  }
}
