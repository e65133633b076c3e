import type { FetchFailure } from './failure.js';

/** Smaller bodies, and what decodes them, take too little memory to be worth a wait. */
export const LARGE_BYTES = 262_144;

/** One request and its answer, without redirects: all that a client sees of a network. */
export interface Transport {
  /** Rejects with a {@link TransportError}; aborting the signal rejects with its reason. */
  exchange(request: HopRequest): Promise<HopResponse>;
  /** What stands for the server of a URL: its address where that is known, else its host name, which counts if the method is missing. Never rejects. */
  addressOf?(url: URL): Promise<string>;
  /** Whether it answers this by itself, without a network: then nobody is asked, and nothing is waited for. By default it never does. */
  isKnown?(request: Pick<HopRequest, 'method' | 'url' | 'headers'> & { readonly body?: string | null }): boolean;
  /** Closes every connection. One transport serves one run. */
  close(): Promise<void>;
}

export interface HopRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface HopResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The body as sent on the wire, with its content coding. Iterating may throw a {@link TransportError}. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Whether the reader of the body waits for something else: meanwhile it must not hold up the other answers of the run. */
  setAside?(isAside: boolean): void;
}

/** A header field as received: each character stands for one octet. */
export type FieldLine = readonly [name: string, value: string];

/** Header fields of an answer; name lookup is case-insensitive. */
export class ResponseHeaders {
  readonly #fields = new Map<string, string[]>();

  constructor(readonly lines: readonly FieldLine[]) {
    for (const [name, value] of lines) {
      const key = name.toLowerCase();
      const values = this.#fields.get(key) ?? [];
      values.push(decodeFieldValue(value));
      this.#fields.set(key, values);
    }
  }

  /** The values of the field joined by ", ", or null. */
  get(name: string): string | null {
    return this.#fields.get(name.toLowerCase())?.join(', ') ?? null;
  }

  /** All values of the field, one per line. */
  all(name: string): readonly string[] {
    return this.#fields.get(name.toLowerCase()) ?? [];
  }
}

/** Field values are octets; sites put UTF-8 into Location and Link, so UTF-8 is tried before Latin-1. */
function decodeFieldValue(value: string): string {
  if (!/[\x80-\xff]/.test(value)) return value;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}

export class TransportError extends Error {
  override readonly name = 'TransportError';

  constructor(
    readonly failure: FetchFailure,
    options?: ErrorOptions,
  ) {
    super(failure, options);
  }
}

/** Nothing was sent: a transport that repeats a run keeps back what the limits of that run did. */
export class UnsentError extends TransportError {}

/** Why an exchange failed. @throws what is not a failure of an exchange, but a bug */
export function failureOf(error: unknown): FetchFailure {
  if (error instanceof TransportError) return error.failure;
  throw error;
}
