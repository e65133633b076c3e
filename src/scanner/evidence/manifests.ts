import type { SafeText } from './safe-text.js';

/** What became of something that a manifest names: an endpoint, a card, a description. */
export interface TargetState {
  /** Which one, by its position: "remote 1", "entry 2", "the first interface". */
  readonly name: SafeText;
  /** `invalid`: it was read, but is not what the manifest says it is. `unknown`: it could not be established. */
  readonly state: 'alive' | 'invalid' | 'unreachable' | 'unknown';
  /** What was observed, to be read after the name: "answers with status 404". */
  readonly detail: SafeText;
}

/** What became of one well-known document. */
export type ManifestState =
  | { readonly kind: 'absent' }
  /** It is there and in order, but speaks of something else (an AI catalog without MCP entries). */
  | { readonly kind: 'unrelated'; readonly detail: SafeText }
  /** `detail` is a clause, read after the path: "could not be checked: it is larger than …". */
  | { readonly kind: 'unknown'; readonly detail: SafeText }
  /** Refused, broken or stalled at every try. `detail` is read after the path: "is refused with status 403". */
  | { readonly kind: 'unreachable'; readonly detail: SafeText }
  | ReadManifest;

export interface ReadManifest {
  readonly kind: 'read';
  /** What is wrong with the document, read after its path: "lacks version". Empty when it is valid. */
  readonly problems: readonly SafeText[];
  /** What is worth saying though it is no fault, as sentences. */
  readonly notes: readonly SafeText[];
  /** What it names and was asked, at most 3. Empty when it names nothing that can be asked. */
  readonly targets: readonly TargetState[];
}

export interface ManifestDocument {
  /** Its fixed path, or what stands for it. */
  readonly path: SafeText;
  readonly state: ManifestState;
}

export interface McpDiscovery {
  /** In the order of their precedence. */
  readonly documents: readonly ManifestDocument[];
  /** A Link header or `<link>` of the home page names an endpoint that answers JSON-RPC. Asked only when no document is there. */
  readonly isAdvertised: boolean;
}

export interface A2aDiscovery {
  /** In the order of their precedence: the first that is there counts. */
  readonly documents: readonly ManifestDocument[];
  /** A Link header or `<link>` of the home page names an agent card. */
  readonly isAdvertised: boolean;
}

export interface ApiMetadata {
  readonly documents: readonly ManifestDocument[];
  /** The site's own OpenAPI description at a usual path, or null. */
  readonly openApi: { readonly path: SafeText; readonly isNamed: boolean } | null;
}
