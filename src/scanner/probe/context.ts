import { isPrivateHost } from '../../net/address.js';
import { type Evidence, type EvidenceKind, type EvidenceMap, missing, valueOf } from '../artifacts/evidence.js';
import type { LinkState } from '../artifacts/llms.js';
import { REDIRECTS_ELSEWHERE } from '../artifacts/pages.js';
import type { Outcome } from '../artifacts/resource.js';
import { ROBOTS_BYTES_MAX } from '../artifacts/robots.js';
import { isSameSite } from '../../net/url-gate.js';
import type { Fetched, FetchOptions, Part, ScanTarget, SiteResponse, Visit } from '../client/visit.js';
import { Parts, withCaller } from '../client/open-visit.js';
import { type Baseline, establishBaseline, PAGE_BYTES_MAX } from './page.js';
import { acceptOf, type Control, type ControlShape, requestControl } from './control.js';
import { judgeReply, probeLink, type ReadOptions } from './outcome.js';

/** Gathers one kind of evidence. Never throws because of the site. */
export type Collector<K extends EvidenceKind> = (context: CollectContext) => Promise<Evidence<EvidenceMap[K]>>;

export interface ContextDeps {
  readonly target: ScanTarget;
  readonly visit: Visit;
  readonly collectors: { readonly [K in EvidenceKind]?: Collector<K> };
  /** Returns a file name that cannot exist, for one control; see `controlNames`. */
  readonly randomName: (control: string) => string;
  /** When the run began; dates from the site are compared with it. */
  readonly now: Date;
  /** Work that collectors share, cached by name. */
  readonly parts?: Parts;
}

/** Maximum number of files that are requested before the home page's response shows which host serves them. */
const EARLY_FILES_MAX = 7;
/** Maximum number of linked pages that are requested to find one with status 200. */
const OTHER_PAGES_MAX = 3;

/** Creates the context of one run. It sends each request when a collector first needs the response. */
export function createContext({ parts = new Parts(), ...deps }: ContextDeps): CollectContext {
  return new CollectContext({ ...deps, parts, earlyFileCount: 0 }, null);
}

/** State that the parts of one run share. */
interface Shared extends Required<ContextDeps> {
  earlyFileCount: number;
}

/** The context that a collector works with. `part` is recorded as the sender of its requests. */
export class CollectContext {
  readonly target: ScanTarget;
  readonly visit: Visit;
  readonly now: Date;

  constructor(
    private readonly shared: Shared,
    private readonly part: Part | null,
  ) {
    this.target = shared.target;
    this.visit = withCaller(part, shared.visit);
    this.now = shared.now;
  }

  /** Returns the home page's response, or why no check can judge the site. */
  baseline(): Promise<Baseline> {
    return this.shared.parts.once('baseline', this.part, (part) =>
      establishBaseline(this.target, withCaller(part, this.shared.visit)),
    );
  }

  /** Returns evidence of another kind, which is collected on first use. */
  evidence<K extends EvidenceKind>(kind: K): Promise<Evidence<EvidenceMap[K]>> {
    return this.shared.parts.once(kind, this.part, (part) => new CollectContext(this.shared, part).#collect(kind));
  }

  /** True if a collector or check has asked for this evidence. */
  hasStarted(kind: EvidenceKind): boolean {
    return this.shared.parts.named([kind]).length > 0;
  }

  /**
   * Returns the origin of files such as /robots.txt: the home page's final origin if it is on the same site, else the original one. Waits
   * for the home page.
   */
  async fileOrigin(): Promise<URL> {
    const home = await this.#lookUpHome();
    const { origin } = this.target;
    return home && isSameSite(home.url, origin) ? new URL(home.url.origin) : origin;
  }

  /**
   * Like `read`, for a path on the file origin. The first few reads do not wait for the home page: they go to the target's origin, and
   * are repeated on the file origin only if it differs and redirects did not lead there.
   */
  async readFile(path: string, shape: ControlShape, options: ReadOptions = {}): Promise<Outcome<SiteResponse>> {
    if (this.shared.earlyFileCount >= EARLY_FILES_MAX) {
      return this.read(new URL(path, await this.fileOrigin()), shape, options);
    }
    this.shared.earlyFileCount += 1;
    const early = new URL(path, this.target.origin);
    const [reply, origin] = await Promise.all([this.#fetchWithControl(early, shape, options), this.fileOrigin()]);
    const file = new URL(path, origin);
    if (early.href === file.href || isRedirectedTo(reply.fetched, file)) return this.#judge(reply, shape, options);
    return this.read(file, shape, options);
  }

  /** Fetches a resource and compares it with the control of its shape. */
  async read(url: URL, shape: ControlShape, options: ReadOptions = {}): Promise<Outcome<SiteResponse>> {
    return this.#judge(await this.#fetchWithControl(url, shape, options), shape, options);
  }

  /**
   * True if a link leads into a private network, so that it cannot be followed from the internet. Always false if the site itself is in
   * one, or if the operator allows scans of it.
   */
  isPrivateLink(url: URL): boolean {
    return isPrivateHost(url) && !isPrivateHost(this.target.origin) && this.visit.refuses(url);
  }

  /** Returns the status of a page of the same origin that cannot exist; null without a response. */
  async controlStatus(url: URL, options: FetchOptions = {}): Promise<number | null> {
    const control = await this.#control(url, 'page', options);
    return control.isSound ? control.response.status : control.status;
  }

  /** Follows a link. Dead means 404 or 410 twice, no such host, or a proven soft 404. */
  probeLink(url: URL, options: FetchOptions = {}): Promise<LinkState> {
    const references = {
      // No control on other hosts: the few requests to them are for the links themselves.
      pageControl: async (link: URL) =>
        link.origin === (await this.fileOrigin()).origin ? this.#control(link, 'page') : null,
      home: () => this.#lookUpHome(),
    };
    return probeLink(this.visit, references, url, options);
  }

  /** Returns the control of this shape and origin, which is requested on first use. */
  #control(url: URL, shape: ControlShape, options: FetchOptions = {}): Promise<Control> {
    const { parts, visit, randomName } = this.shared;
    const key = `${shape} ${url.origin}`;
    const request = (part: Part) => requestControl(withCaller(part, visit), url, shape, randomName(key), options);
    return parts.once(`control ${key}`, this.part, request, { isControl: true });
  }

  /** Returns the home page's response without making the calling part depend on it. */
  async #lookUpHome(): Promise<SiteResponse | null> {
    const baseline = await new CollectContext(this.shared, null).baseline();
    return 'failed' in baseline ? null : baseline.response;
  }

  async #collect<K extends EvidenceKind>(kind: K): Promise<Evidence<EvidenceMap[K]>> {
    const collector: Collector<K> | undefined = this.shared.collectors[kind];
    if (!collector) throw new Error(`no collector for ${kind}`);
    const baselinePromise = new CollectContext(this.shared, null).baseline();
    // Starts before the baseline is known, since the first requests need only the host name.
    const collected = collector(this);
    collected.catch(() => undefined);
    const baseline = await baselinePromise;
    if ('failed' in baseline) return baseline;
    const hasMoved = !isSameSite(baseline.response.url, this.target.origin);
    return hasMoved && kind !== 'home' ? MOVED_AWAY : collected;
  }

  async #fetchWithControl(url: URL, shape: ControlShape, options: ReadOptions): Promise<FileAndControl> {
    const [fetched, control] = await Promise.all([
      this.visit.fetch(url, { ...acceptOf(shape), ...options }),
      this.#control(url, shape),
    ]);
    return { url, fetched, control };
  }

  #judge({ url, fetched, control }: FileAndControl, shape: ControlShape, options: ReadOptions) {
    const hasReadablePage = async (): Promise<boolean> => {
      // Pages of one origin say nothing about refusals by another.
      if (url.origin !== (await this.fileOrigin()).origin) return false;
      return this.shared.parts.once('readable page', this.part, (part) =>
        new CollectContext(this.shared, part).#findReadablePage(),
      );
    };
    return judgeReply({ path: url.pathname, shape, options, fetched, control, hasReadablePage });
  }

  /** True if robots.txt or one of the first pages linked from the home page returns 200; uses no control. */
  async #findReadablePage(): Promise<boolean> {
    const robots = await this.visit.fetch(new URL('/robots.txt', await this.fileOrigin()), {
      bodyBytesMax: ROBOTS_BYTES_MAX,
    });
    if (isOk(robots)) return true;
    const candidates = valueOf(await this.evidence('home'))?.candidates ?? [];
    const linked = candidates.filter(({ path }) => path === undefined).slice(0, OTHER_PAGES_MAX);
    const pages = linked.map(({ url }) => this.visit.fetch(url, { bodyBytesMax: PAGE_BYTES_MAX }));
    return (await Promise.all(pages)).some(isOk);
  }
}

/** The files that the old host of a moved site still serves do not count. */
const MOVED_AWAY = missing('NOT_APPLICABLE', REDIRECTS_ELSEWHERE);

/** A file's response, and the control of its shape. */
interface FileAndControl {
  readonly url: URL;
  readonly fetched: Fetched;
  readonly control: Control;
}

function isOk(fetched: Fetched): boolean {
  return 'response' in fetched && fetched.response.status === 200;
}

/** True if redirects led to exactly this file. */
function isRedirectedTo(fetched: Fetched, file: URL): boolean {
  return 'response' in fetched && fetched.response.url.href === file.href;
}
