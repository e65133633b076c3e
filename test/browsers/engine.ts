/** The part of a browser that the journey needs. Scripts in the page do the rest. */
export interface Engine {
  readonly name: string;
  /** Resolves once the page is loaded. */
  goto(url: string): Promise<void>;
  /** Returns the value of an expression, passed as JSON. */
  evaluate<T>(expression: string): Promise<T>;
  close(): Promise<void>;
}

export interface EngineKind {
  readonly name: string;
  /** Names what must be installed; null if nothing is missing. */
  readonly missing: () => string | null;
  readonly start: () => Promise<Engine>;
}
