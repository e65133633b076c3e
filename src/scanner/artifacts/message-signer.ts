import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto';
import {
  type BareItem,
  type InnerList,
  type Item,
  type Parameters,
  serializeDictionary,
  serializeInnerList,
  serializeItem,
} from 'structured-headers';

/** A part of a message that a signature covers: its identifier, and its value as it is signed (RFC 9421 §2). */
export interface Component {
  readonly id: Item;
  readonly value: string;
}

/** A public key as a key directory shows it (RFC 7517 §4, RFC 8037 §2). */
export interface PublicJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly kid: string;
  readonly x: string;
  readonly use: 'sig';
}

/** Signs HTTP messages with the operator's Ed25519 key (RFC 9421 §3.3.6). */
export class MessageSigner {
  readonly publicJwk: PublicJwk;

  constructor(private readonly key: KeyObject) {
    const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
    // The thumbprint: the members in this order (RFC 7638 §3.2, RFC 8037 appendix A.3).
    const kid = createHash('sha256')
      .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
      .digest('base64url');
    this.publicJwk = { kty: 'OKP', crv: 'Ed25519', kid, x, use: 'sig' };
  }

  get keyId(): string {
    return this.publicJwk.kid;
  }

  /** The header fields of a signature (RFC 9421 §3.1 and §4), names in lower case. */
  sign(
    label: string,
    components: readonly Component[],
    parameters: Parameters,
  ): Record<'signature-input' | 'signature', string> {
    const list: InnerList = [components.map(({ id }) => id), parameters];
    const lines = components.map(({ id, value }) => `${serializeItem(id)}: ${value}`);
    const base = [...lines, `"@signature-params": ${serializeInnerList(list)}`].join('\n');
    const signature: Item = [sign(null, Buffer.from(base), this.key), new Map<string, BareItem>()];
    return {
      'signature-input': serializeDictionary(new Map([[label, list]])),
      signature: serializeDictionary(new Map([[label, signature]])),
    };
  }
}

/** The identifier of a component, with its parameters. */
export function componentId(name: string, parameters: Readonly<Record<string, string | boolean>> = {}): Item {
  return [name, new Map(Object.entries(parameters))];
}
