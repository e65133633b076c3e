import type { SafeText } from './safe-text.js';

/** The state of something that a manifest names: an endpoint, a card, a description. */
export interface TargetState {
  /** Names the target by its position: "remote 1", "entry 2", "the first interface". */
  readonly name: SafeText;
  /** `invalid`: it was read, but is not what the manifest says. `unknown`: its state could not be established. */
  readonly state: 'alive' | 'invalid' | 'unreachable' | 'unknown';
  /** The observation, phrased to follow the name: "answers with status 404". */
  readonly detail: SafeText;
  readonly metadata?: readonly NamedMetadata[];
}

/** Metadata of a protected resource, as named by a challenge (RFC 9728 §5.1) of `resource`. */
export interface NamedMetadata {
  readonly url: URL;
  readonly resource: URL;
}

export type ManifestState<T = unknown> = { readonly kind: 'absent' } | UnreadManifest | ReadManifest<T>;

/**
 * missing: absent, although robots.txt, a header, a `<link>` or a challenge names it. unrelated: valid, but about something else, such as an
 * AI catalog without MCP entries. unannounced: no success, and nothing that agents read names it. unreachable: refused, broken or stalled
 * on every try. unknown: nothing is proven.
 */
interface UnreadManifest {
  readonly kind: 'missing' | 'unrelated' | 'unannounced' | 'unreachable' | 'unknown';
  /** Follows the path: "is refused with status 403"; for `unknown`, follows "could not be checked: ". */
  readonly detail: SafeText;
}

export interface ReadManifest<T = unknown> {
  readonly kind: 'read';
  /** Faults of the document, phrased to follow its path: "lacks version". Empty if it is valid. */
  readonly problems: readonly SafeText[];
  /** Other observations, as sentences. */
  readonly notes: readonly SafeText[];
  /** The probed targets of the document, at most 3. Empty if it names nothing that can be probed. */
  readonly targets: readonly TargetState[];
  /** What could be read, even if there are problems; null if nothing could. */
  readonly value: T | null;
}

export interface ManifestDocument<T = unknown> {
  /** Its fixed path, or else a description, with a pointer to its response. */
  readonly path: SafeText;
  readonly state: ManifestState<T>;
}

export interface CatalogEntry {
  /** "entry 2". */
  readonly name: SafeText;
  /** Type and subtype in lower case, without parameters; empty if it names none. */
  readonly mediaType: string;
  /** URL of the resource; null if it is in `data`, not a web address, or a template. */
  readonly url: URL | null;
  /** URL of the catalog, which is the base for relative URLs in `data`. */
  readonly file: URL;
  /** JSON Pointer to the entry in the catalog. */
  readonly pointer: string;
  /** The resource itself as JSON, or null. */
  readonly data: unknown;
  /** Faults of the entry, phrased to follow the catalog's path: "entry 2 lacks "type"". */
  readonly problems: readonly SafeText[];
}

/** A catalog. Its problems exclude those of its entries. */
export interface CatalogDocument extends ManifestDocument<readonly CatalogEntry[]> {
  /** `predecessor`: the earlier AI catalog, which ARD clients need not read. */
  readonly format: 'ard' | 'predecessor';
  /** True if robots.txt or the home page names it, so that it must exist. */
  readonly isAnnounced: boolean;
}

/** The catalogs of resources for agents (ARD, AI Catalog), in order of precedence. */
export interface AgentCatalogs {
  readonly documents: readonly CatalogDocument[];
}

export interface McpDiscovery {
  /** In order of precedence. */
  readonly documents: readonly ManifestDocument[];
  /** The endpoint that a Link header or `<link>` of the home page names, if it answers JSON-RPC. Tried only if no document exists. */
  readonly endpoint: URL | null;
  /** The metadata that the challenges of the home page's endpoints name. */
  readonly metadata: readonly NamedMetadata[];
}

export interface A2aDiscovery {
  /** In order of precedence: the first that exists counts; if a catalog announces them, the first without problems. */
  readonly documents: readonly ManifestDocument[];
  /** The source that names the documents; null if we only tried their well-known addresses. */
  readonly announcedBy: 'home' | 'catalog' | null;
}

export interface ApiMetadata {
  readonly documents: readonly ManifestDocument[];
  /** The path of an OpenAPI description at one of the usual paths, or null. Many frameworks publish one by default. */
  readonly openApi: SafeText | null;
}
