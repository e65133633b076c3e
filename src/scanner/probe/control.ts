import { createHash, randomBytes } from 'node:crypto';
import { VERSION_ACCEPT } from '../artifacts/markdown.js';
import type { Part, Parts, Fetched, FetchOptions, SiteResponse, Visit } from '../client/visit.js';
import { type PathResponse, fingerprintOf } from './likeness.js';
import { pageOf } from './page.js';

/** Kinds of requests that are compared with a control: a random path that cannot exist, requested once per shape. */
export type ControlShape = 'txt' | 'md' | 'xml' | 'json' | 'well-known' | 'page';

/** The response at a path that cannot exist. Not sound: it failed in a way that says nothing about nonexistent paths. */
export type Control =
  | (PathResponse & {
      readonly isSound: true;
      /** For a page: it is an application shell. */
      readonly isShell: boolean;
    })
  | { readonly isSound: false; readonly status: number | null };

const PATHS: Readonly<Record<ControlShape, (name: string) => string>> = {
  txt: (name) => `/${name}.txt`,
  md: (name) => `/${name}.md`,
  xml: (name) => `/${name}.xml`,
  json: (name) => `/${name}.json`,
  'well-known': (name) => `/.well-known/${name}`,
  page: (name) => `/${name}`,
};

/** Accept headers of clients that are not browsers, since some servers send browsers a page instead. */
const ACCEPTS: Readonly<Partial<Record<ControlShape, string>>> = {
  txt: 'text/plain, text/markdown, */*;q=0.1',
  md: VERSION_ACCEPT,
};

/** Shapes of files that most sites do not have. */
const GUESSED_SHAPES: ReadonlySet<ControlShape> = new Set(['md', 'json', 'well-known']);

/** Bytes of a body that show whether it is HTML. */
const KIND_BYTES = 4096;
/** Not-found pages are stored whole up to this length, so that the names of links can be removed before comparing. */
const PAGE_BYTES_MAX = 262_144;

/** Returns a random seed for control paths, which a replay reuses. */
export function newControlSeed(): string {
  return randomBytes(16).toString('hex');
}

/** Derives a file name that no site has for each control: a letter and 24 hexadecimal characters. */
export function controlNames(seed: string): (control: string) => string {
  return (control) => `x${createHash('sha256').update(`${seed} ${control}`).digest('hex').slice(0, 24)}`;
}

/** Sends the control requests of one run: one per shape and origin, on first use. */
export class Controls {
  constructor(
    private readonly visit: Visit,
    private readonly randomName: (control: string) => string,
    private readonly parts: Parts,
  ) {}

  /** @param caller see {@link Parts} */
  of(origin: URL, shape: ControlShape, caller: Part | null, options: FetchOptions = {}): Promise<Control> {
    const key = `${shape} ${origin.origin}`;
    const request = async (part: Part): Promise<Control> => {
      const path = PATHS[shape](this.randomName(key));
      return toControl(
        path,
        shape,
        await this.visit.fetch(new URL(path, origin), {
          ...acceptOf(shape),
          part,
          priority: GUESSED_SHAPES.has(shape) ? 'guesses' : 'core',
          ...options,
        }),
      );
    };
    return this.parts.once(`control ${key}`, caller, request, { isControl: true });
  }
}

export function acceptOf(shape: ControlShape): Pick<FetchOptions, 'headers'> {
  const accept = ACCEPTS[shape];
  return accept === undefined ? {} : { headers: { accept } };
}

async function toControl(path: string, shape: ControlShape, fetched: Fetched): Promise<Control> {
  if ('failure' in fetched) return { isSound: false, status: null };
  const { response } = fetched;
  const isFailure = response.status === 429 || response.status >= 500 || response.challenge !== null;
  if (isFailure) return { isSound: false, status: response.status };
  if (shape === 'page' && response.body.length <= PAGE_BYTES_MAX) {
    return { isSound: true, path, response, isShell: isShellPage(response) };
  }
  const fingerprint = fingerprintOf({ path, response });
  const isShell = shape === 'page' && isShellPage(response);
  return { isSound: true, path, response: { ...response, body: startOf(response.body) }, fingerprint, isShell };
}

/** True for an application shell: a page whose content comes from scripts. */
export function isShellPage(response: SiteResponse): boolean {
  return pageOf(response)?.served.isShell === true;
}

/**
 * Copies the first bytes, which show the kind of a body. Controls live as long as the run, and whole bodies would take much memory.
 */
function startOf(body: Uint8Array): Uint8Array {
  return Uint8Array.from(body.subarray(0, KIND_BYTES));
}
