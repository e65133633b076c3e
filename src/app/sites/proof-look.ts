import type { Logger } from '../../platform/logging.js';
import { type Ownership, type OwnershipWay, placesOfGivenProof } from './ownership.js';
import type { RecheckedRow } from './recheck-statements.js';
import { siteOf } from './site.js';

/** What came of looking for the proof of a verified site. */
export type ProofLook =
  | { readonly kind: 'found'; readonly site: RecheckedRow; readonly by: OwnershipWay }
  | {
      readonly kind: 'missed';
      readonly site: RecheckedRow;
      /** By the way that the site was verified by, it is certain that the proof is not there. */
      readonly isAbsent: boolean;
      /** The DNS says that neither the host nor the name of the TXT record exists. */
      readonly isGone: boolean;
    }
  /** A fault of ours: nobody was asked. */
  | { readonly kind: 'failed'; readonly site: RecheckedRow };

/** What the DNS says of names. No method rejects. */
export interface OwnershipNames {
  /** Whether it answers that a name does not exist: not where it fails, or says nothing. */
  isGone(name: string): Promise<boolean>;
  /** Whether the operator's control name resolves. */
  resolvesControl(): Promise<boolean>;
}

export interface ProofLookDeps {
  readonly logger: Logger;
  readonly ownership: Pick<Ownership, 'look'>;
  readonly names: OwnershipNames;
}

export async function lookForProof(site: RecheckedRow, deps: ProofLookDeps): Promise<ProofLook> {
  try {
    const attempts = await deps.ownership.look(siteOf(site));
    const given = attempts.find(({ way }) => way === site.verified_by);
    const proof = given?.isProof ? given : attempts.find(({ isProof }) => isProof);
    if (proof) return { kind: 'found', site, by: proof.way };
    return { kind: 'missed', site, isAbsent: given?.isAbsent === true, isGone: await isSiteGone(site, deps) };
  } catch (cause) {
    deps.logger.warn({ siteId: site.id, cause }, 'ownership check failed');
    return { kind: 'failed', site };
  }
}

async function isSiteGone(site: RecheckedRow, { names }: ProofLookDeps): Promise<boolean> {
  const { dnsName } = placesOfGivenProof(siteOf(site));
  if (dnsName === null) return false;
  return (await names.isGone(new URL(site.origin).hostname)) && (await names.isGone(dnsName));
}
