import { createHash } from 'node:crypto';
import { componentId, type MessageSigner } from '../../../scanner/artifacts/message-signer.js';

/** Longer than verifiers keep a copy. */
const LIFE_S = 7 * 86_400;

/**
 * The fields by which the key directory proves that we hold its key, and that it is ours: a signature over its body and this authority
 * (draft-ietf-webbotauth-httpsig-protocol, "Possession Proof on the Directory Response"). The body is too short to be compressed.
 */
export function signDirectory(
  signer: MessageSigner,
  { publicUrl, body, now }: { readonly publicUrl: string; readonly body: string; readonly now: Date },
): Record<string, string> {
  const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
  const created = Math.floor(now.getTime() / 1000);
  const parameters = new Map<string, string | number>([
    ['created', created],
    ['expires', created + LIFE_S],
    ['keyid', signer.keyId],
    ['alg', 'ed25519'],
    ['tag', 'http-message-signatures-directory'],
  ]);
  const components = [
    { id: componentId('@authority', { req: true }), value: new URL(publicUrl).host },
    { id: componentId('content-digest'), value: digest },
  ];
  return { 'content-digest': digest, ...signer.sign('binding', components, parameters) };
}
