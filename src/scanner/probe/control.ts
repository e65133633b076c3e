import { createHash, randomBytes } from 'node:crypto';
import type { ControlShape } from './collector.js';
import type { Part, Parts } from '../client/parts.js';
import { detectChallenge } from '../client/challenge.js';
import type { Asked } from './likeness.js';
import { fingerprintOf } from './likeness.js';
import { pageOf } from './page.js';
import { ResponseHeaders } from '../../net/transport.js';
import type { Fetched, SiteResponse, Visit } from '../client/visit.js';

/** The answer at a path that cannot exist. Unsound: it failed in a way that says nothing about nonexistent paths. */
export type Control =
  | (Asked & {
      readonly isSound: true;
      /** For a page: it is an application shell. */
      readonly isShell: boolean;
    })
  | { readonly isSound: false; readonly status: number | null };

const PATHS: Readonly<Record<ControlShape, (name: string) => string>> = {
  txt: (name) => `/${name}.txt`,
  xml: (name) => `/${name}.xml`,
  json: (name) => `/${name}.json`,
  'well-known': (name) => `/.well-known/${name}`,
  page: (name) => `/${name}`,
};

/** As much of a body as shows whether it is HTML. */
const KIND_BYTES = 4096;
/** A page for unknown addresses is kept whole up to this length, so that the names of links can be taken out of it. */
const PAGE_BYTES_MAX = 262_144;

/** What the names of one run's controls are made of: they cannot be guessed, and a replay makes the same ones. */
export function newControlSeed(): string {
  return randomBytes(16).toString('hex');
}

/** File names that no site has: 24 hexadecimal characters after a letter, for each control its own. */
export function controlNames(seed: string): (control: string) => string {
  return (control) => `x${createHash('sha256').update(`${seed} ${control}`).digest('hex').slice(0, 24)}`;
}

/** The controls of one run: one request for each shape and origin, sent on first use. */
export class Controls {
  constructor(
    private readonly visit: Visit,
    private readonly randomName: (control: string) => string,
    private readonly parts: Parts,
  ) {}

  /** @param asker see {@link Parts} */
  of(origin: URL, shape: ControlShape, asker: Part | null): Promise<Control> {
    const key = `${shape} ${origin.origin}`;
    const request = async (part: Part): Promise<Control> => {
      const path = PATHS[shape](this.randomName(key));
      return toControl(path, shape, await this.visit.fetch(new URL(path, origin), { part, isReference: true }));
    };
    return this.parts.once(`control ${key}`, asker, request, { isControl: true });
  }
}

async function toControl(path: string, shape: ControlShape, fetched: Fetched): Promise<Control> {
  // Unknown addresses lead to where the site has moved: whatever else an address answers is unlike that.
  if ('failure' in fetched && fetched.failure === 'moved')
    return { isSound: true, path, response: MOVED, isShell: false };
  if ('failure' in fetched) return { isSound: false, status: null };
  const { response } = fetched;
  const isFailure = response.status === 429 || response.status >= 500 || detectChallenge(response) !== null;
  if (isFailure) return { isSound: false, status: response.status };
  if (shape === 'page' && response.body.length <= PAGE_BYTES_MAX) {
    return { isSound: true, path, response, isShell: await isShellPage(response) };
  }
  const fingerprint = fingerprintOf({ path, response });
  const isShell = shape === 'page' && (await isShellPage(response));
  return { isSound: true, path, response: { ...response, body: startOf(response.body) }, fingerprint, isShell };
}

const MOVED: SiteResponse = {
  status: 301,
  url: new URL('about:blank'),
  hops: [],
  headers: new ResponseHeaders([]),
  body: new Uint8Array(),
  byteCount: 0,
  isOverLimit: false,
};

/** Whether an answer is an application shell: a page that its scripts make. */
export async function isShellPage(response: SiteResponse): Promise<boolean> {
  return (await pageOf(response))?.served.isShell === true;
}

/**
 * A copy of the bytes that show the kind of a body: controls live as long as the run, and five whole bodies would take much
 * memory.
 */
function startOf(body: Uint8Array): Uint8Array {
  return Uint8Array.from(body.subarray(0, KIND_BYTES));
}
