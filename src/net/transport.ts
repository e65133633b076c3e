/** Sends single requests, without redirects: the client's only view of the network. */
export interface Transport {
  /** Rejects with a TransportError; aborting the signal rejects with its reason. */
  exchange(request: HopRequest): Promise<HopResponse>;
  /** Returns the IP address of a URL's server, or the host name if unknown. Default: the host name. Never rejects. */
  addressOf?(url: URL): Promise<string>;
  /** True if this request needs no network, so that no limit applies. Default: false. */
  answersOffline?(request: Omit<HopRequest, 'signal'>): boolean;
  /** Closes every connection. One transport serves one run. */
  close(): Promise<void>;
}

export function wrapTransport(network: Transport, replaced: Partial<Transport>): Transport {
  return {
    exchange: (request) => network.exchange(request),
    addressOf: async (url) => (await network.addressOf?.(url)) ?? url.hostname,
    answersOffline: (request) => network.answersOffline?.(request) ?? false,
    close: () => network.close(),
    ...replaced,
  };
}

export interface HopRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | null;
  readonly signal: AbortSignal;
}

export interface HopResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The body as sent on the wire, with its content coding. Iterating may throw a TransportError. */
  readonly body: AsyncIterable<Uint8Array>;
}

export async function* bodyOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** A header field as received; each character is one octet. */
export type FieldLine = readonly [name: string, value: string];

/** Header fields of a response; name lookup is case-insensitive. */
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

  /** Returns the values of the field joined by ", ", or null. */
  get(name: string): string | null {
    return this.#fields.get(name.toLowerCase())?.join(', ') ?? null;
  }

  /** Returns the values of the field, one per field line. */
  all(name: string): readonly string[] {
    return this.#fields.get(name.toLowerCase()) ?? [];
  }
}

/** Decodes octets as UTF-8, which some sites send in Location and Link, else as Latin-1. */
function decodeFieldValue(value: string): string {
  if (!/[\x80-\xff]/.test(value)) return value;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}
