/** One browser engine, as much of it as the journey needs: the page itself does the rest by script. */
export interface Engine {
  readonly name: string;
  /** Resolves once the page is loaded. */
  goto(url: string): Promise<void>;
  /** The value of an expression, as JSON can carry it. */
  evaluate<T>(expression: string): Promise<T>;
  close(): Promise<void>;
}

/** An engine that may be installed here. */
export interface EngineKind {
  readonly name: string;
  /** What is missing to drive it, in words; null where nothing is. */
  readonly missing: () => string | null;
  readonly start: () => Promise<Engine>;
}
