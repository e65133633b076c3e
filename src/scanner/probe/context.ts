import type { Evidence, EvidenceKind, EvidenceMap } from '../artifacts/evidence.js';
import { valueOf } from '../artifacts/evidence.js';
import type { Outcome } from '../artifacts/resource.js';
import { ROBOTS_BYTES_MAX } from '../artifacts/robots.js';
import { isPrivateLiteral } from '../../net/private-literal.js';
import { isSameSite } from '../artifacts/site-address.js';
import type { Baseline } from './baseline.js';
import { establishBaseline, movedSite, PAGE_BYTES_MAX } from './baseline.js';
import type { CollectContext, Collector, ControlShape, ReadOptions } from './collector.js';
import type { Control } from './control.js';
import { acceptOf, Controls } from './control.js';
import { probeLink } from './link-probe.js';
import { judgeReply } from './outcome.js';
import { findSampleCandidates } from './sample-candidates.js';
import { type Part, Parts } from '../client/parts.js';
import {
  type Fetched,
  type FetchOptions,
  type ScanTarget,
  type SiteResponse,
  type Visit,
  withCaller,
} from '../client/visit.js';

export interface ContextDeps {
  readonly target: ScanTarget;
  readonly visit: Visit;
  readonly collectors: { readonly [K in EvidenceKind]?: Collector<K> };
  /** Returns a file name that cannot exist, for one control; see `controlNames`. */
  readonly randomName: (control: string) => string;
  /** When the run began; see CollectContext. */
  readonly now: Date;
  /** The parts of the run. */
  readonly parts?: Parts;
}

/** Files that are requested before the home page has shown which host they are on. */
const EARLY_FILES_MAX = 7;
/** Pages that are tried to find out whether the site returns 200 for anything but its home page. */
const OTHER_PAGES_MAX = 3;

/** Creates the context of one run, which requests everything when a collector first needs it. */
export function createContext({ parts = new Parts(), ...deps }: ContextDeps): CollectContext {
  const controls = new Controls(deps.visit, deps.randomName, parts);
  return new PartContext({ ...deps, parts, controls, earlyFileCount: 0 }, null);
}

/** State that the parts of one run share. */
interface Shared extends Required<ContextDeps> {
  readonly controls: Controls;
  earlyFileCount: number;
}

/** The context of one part of a run, which is recorded as the sender of its requests. */
class PartContext implements CollectContext {
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

  baseline(): Promise<Baseline> {
    return this.shared.parts.once('baseline', this.part, (part) => {
      const baseline = establishBaseline(this.target, withCaller(part, this.shared.visit));
      this.visit.noteMove(baseline.then((answer) => movedSite(answer, this.target)).catch(() => null));
      return baseline;
    });
  }

  evidence<K extends EvidenceKind>(kind: K): Promise<Evidence<EvidenceMap[K]>> {
    return this.shared.parts.once(kind, this.part, (part) => new PartContext(this.shared, part).#collect(kind));
  }

  async fileOrigin(): Promise<URL> {
    const baseline = await this.#lookUpBaseline();
    const { origin } = this.target;
    if ('failed' in baseline || !isSameSite(baseline.response.url, origin)) return origin;
    return new URL(baseline.response.url.origin);
  }

  async readFile(
    path: string,
    shape: ControlShape,
    options: ReadOptions = {},
  ): Promise<Evidence<Outcome<SiteResponse>>> {
    if (this.shared.earlyFileCount >= EARLY_FILES_MAX) {
      return this.read(new URL(path, await this.fileOrigin()), shape, options);
    }
    this.shared.earlyFileCount += 1;
    const early = new URL(path, this.target.origin);
    const [asked, origin] = await Promise.all([this.#askWithControl(early, shape, options), this.fileOrigin()]);
    const file = new URL(path, origin);
    if (early.href === file.href || isRedirectedTo(asked.fetched, file)) return this.#judge(asked, shape, options);
    return this.read(file, shape, options);
  }

  async read(url: URL, shape: ControlShape, options: ReadOptions = {}): Promise<Evidence<Outcome<SiteResponse>>> {
    return this.#judge(await this.#askWithControl(url, shape, options), shape, options);
  }

  isPrivateLink(url: URL): boolean {
    return isPrivateLiteral(url) && !isPrivateLiteral(this.target.origin) && this.visit.refuses(url);
  }

  async controlStatus(url: URL, options: FetchOptions = {}): Promise<number | null> {
    const control = await this.shared.controls.of(url, 'page', this.part, options);
    return control.isSound ? control.response.status : control.status;
  }

  probeLink(url: URL, options: FetchOptions = {}): ReturnType<CollectContext['probeLink']> {
    const references = {
      // Requests to other hosts are few, and are for the links themselves.
      pageControl: async (link: URL) =>
        link.origin === (await this.fileOrigin()).origin ? this.shared.controls.of(link, 'page', this.part) : null,
      home: async () => {
        const baseline = await this.#lookUpBaseline();
        return 'failed' in baseline ? null : baseline.response;
      },
    };
    return probeLink(this.visit, references, url, options);
  }

  /** Reads the baseline without making the calling part depend on it. */
  #lookUpBaseline(): Promise<Baseline> {
    return new PartContext(this.shared, null).baseline();
  }

  async #collect<K extends EvidenceKind>(kind: K): Promise<Evidence<EvidenceMap[K]>> {
    const collector: Collector<K> | undefined = this.shared.collectors[kind];
    if (!collector) throw new Error(`no collector for ${kind}`);
    const asked = this.#lookUpBaseline();
    // Starts before the baseline is known, since the first requests need only the host name.
    const collected = collector(this);
    collected.catch(() => undefined);
    const baseline = await asked;
    return 'failed' in baseline ? baseline : collected;
  }

  async #askWithControl(url: URL, shape: ControlShape, options: ReadOptions): Promise<FileAndControl> {
    const [fetched, control] = await Promise.all([
      this.visit.fetch(url, { ...acceptOf(shape), ...options }),
      this.shared.controls.of(url, shape, this.part),
    ]);
    return { url, fetched, control };
  }

  #judge({ url, fetched, control }: FileAndControl, shape: ControlShape, options: ReadOptions) {
    const answersElsewhere = async (): Promise<boolean> => {
      // This host's answers say nothing about the refusals of another host.
      if (url.origin !== (await this.fileOrigin()).origin) return false;
      return this.shared.parts.once('elsewhere', this.part, (part) =>
        new PartContext(this.shared, part).#askElsewhere(),
      );
    };
    return judgeReply({ path: url.pathname, shape, options, fetched, control, answersElsewhere });
  }

  /** True if robots.txt or one of the first pages linked from the home page returns 200; uses no control. */
  async #askElsewhere(): Promise<boolean> {
    const robots = await this.visit.fetch(new URL('/robots.txt', await this.fileOrigin()), {
      bodyBytesMax: ROBOTS_BYTES_MAX,
    });
    if (isOk(robots)) return true;
    const home = valueOf(await this.evidence('home'));
    const candidates = home?.page ? findSampleCandidates(home.page, home.url).slice(0, OTHER_PAGES_MAX) : [];
    const pages = candidates.map(({ url }) => this.visit.fetch(url, { bodyBytesMax: PAGE_BYTES_MAX }));
    return (await Promise.all(pages)).some(isOk);
  }
}

/** The response for a file, and the control of its shape. */
interface FileAndControl {
  readonly url: URL;
  readonly fetched: Fetched;
  readonly control: Control;
}

function isOk(fetched: Fetched): boolean {
  return 'response' in fetched && fetched.response.status === 200;
}

/** True if redirects led from another host to exactly this file. */
function isRedirectedTo(fetched: Fetched, file: URL): boolean {
  return 'response' in fetched && fetched.response.url.href === file.href;
}
