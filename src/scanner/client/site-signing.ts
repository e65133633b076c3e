import { serializeDictionary, serializeItem } from 'structured-headers';
import type { HopRequest, HopResponse, Transport } from '../../net/transport.js';
import { type AskedSignature, BOT_TAG, readAcceptSignature } from './accept-signature.js';
import { componentId, type Component, type MessageSigner } from '../artifacts/message-signer.js';
import type { Layer } from './request.js';
import type { Fetched } from './visit.js';

/** With what a scan signs. */
export interface Signing {
  readonly signer: MessageSigner;
  /** The origin that serves the key directory. */
  readonly agent: string;
}

/** Whose requests are signed. */
interface Signed {
  /** The site's. */
  readonly origin: URL;
  /** Our own honest name. */
  readonly userAgent: string;
}

/** How long a signature holds. */
const LIFE_S = 60;

/** What a signature covers even if the site asks for less, so that it is good for one request alone. */
const COVERED = ['@method', '@authority', '@path'];

const VALUES: Readonly<Record<string, (request: HopRequest) => string>> = {
  '@method': ({ method }) => method,
  '@authority': ({ url }) => url.host,
  '@scheme': ({ url }) => url.protocol.slice(0, -1),
  '@target-uri': ({ url }) => url.href,
  '@path': ({ url }) => url.pathname,
  '@query': ({ url }) => url.search || '?',
  'user-agent': ({ headers }) => headers['user-agent'] ?? '',
};
const KNOWN: ReadonlySet<string> = new Set(Object.keys(VALUES));

/** What a site does that turns away who has not signed. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 429]);

/**
 * Signs the requests of one visit, from when the site has asked for it (`Accept-Signature`): over https, to the site's own origin, under our
 * own name. A signature may also put us into a class that is refused, so none is sent unasked. It is added where the request leaves, so
 * that neither logs nor evidence see it.
 */
export class SiteSigning {
  #asked: AskedSignature | null = null;

  constructor(
    private readonly signing: Signing,
    private readonly signed: Signed,
    private readonly nowMs: () => number = Date.now,
  ) {}

  /** The transport, which signs. */
  over(transport: Transport): Transport {
    return {
      exchange: (request) => this.#exchange(transport, request),
      ...(transport.addressOf && { addressOf: async (url) => (await transport.addressOf?.(url)) ?? url.hostname }),
      close: () => transport.close(),
    };
  }

  /** A request that was turned away since it was not signed is sent once more. */
  readonly askAgain: Layer = async (request, next) => {
    const wasAsked = this.#asked !== null;
    const fetched = await next(request);
    const isDue = !wasAsked && this.#asked !== null && this.#concerns(request) && isTurnedAway(fetched);
    return isDue ? await next({ ...request, isFurther: true }) : fetched;
  };

  async #exchange(transport: Transport, request: HopRequest): Promise<HopResponse> {
    if (!this.#concerns(request)) return await transport.exchange(request);
    const asked = this.#asked;
    const answer = await transport.exchange(
      asked ? { ...request, headers: { ...request.headers, ...this.#fieldsFor(request, asked) } } : request,
    );
    const field = answer.headers.get('accept-signature');
    // The last one holds: it may have a nonce for the next request.
    if (field !== null) this.#asked = readAcceptSignature(field, this.signing.signer.keyId, KNOWN) ?? this.#asked;
    return answer;
  }

  #concerns({ url, headers }: Pick<HopRequest, 'url' | 'headers'>): boolean {
    const { origin, userAgent } = this.signed;
    return url.protocol === 'https:' && url.origin === origin.origin && headers['user-agent'] === userAgent;
  }

  #fieldsFor(request: HopRequest, { label, components, nonce }: AskedSignature): Record<string, string> {
    const { signer, agent } = this.signing;
    const created = Math.floor(this.nowMs() / 1000);
    const parameters = new Map<string, string | number>([
      ['created', created],
      ['expires', created + LIFE_S],
      ['keyid', signer.keyId],
      ['alg', 'ed25519'],
      ...(nonce === null ? [] : [['nonce', nonce] as const]),
      ['tag', BOT_TAG],
    ]);
    const covered = [...new Set([...COVERED, ...components])].map((name): Component => ({
      id: componentId(name),
      value: VALUES[name]?.(request) ?? '',
    }));
    const ofAgent = { id: componentId('signature-agent', { key: label }), value: serializeItem(agent) };
    return {
      'signature-agent': serializeDictionary({ [label]: agent }),
      ...signer.sign(label, [...covered, ofAgent], parameters),
    };
  }
}

function isTurnedAway(fetched: Fetched): boolean {
  if (!('response' in fetched)) return false;
  const { status, headers } = fetched.response;
  return REFUSALS.has(status) && headers.get('accept-signature') !== null;
}
