import type { Site } from './site.js';
import type { SiteRow } from './site-statements.js';
import { tagsOf } from './tags.js';
import { unreadProofOfSite } from './unread-proof.js';
import { IS_CURRENT, UNREAD_STANDING } from './unread-proof-statements.js';

/** What a list says of a site. */
export type SiteGlance = Pick<Site, 'id' | 'hostname' | 'verifiedAt' | 'ownershipLostAt' | 'unreadProof' | 'tags'>;

export type GlanceRow = Pick<
  SiteRow,
  | ('id' | 'hostname' | 'verified_at' | 'ownership_lost_at' | 'tags')
  | ('unread_since' | 'unread_days' | 'unread_gone_days' | 'unread_is_gone' | 'unread_is_absent')
>;

/** The columns of a {@link GlanceRow} by its fields, in a statement on `sites` that joins the table of proofs where the condition holds. */
export const GLANCE = {
  columns: {
    ...Object.fromEntries(
      ['id', 'hostname', 'verified_at', 'ownership_lost_at', 'tags'].map((name) => [name, `sites.${name}`]),
    ),
    ...UNREAD_STANDING,
  },
  proofs: 'unread_proofs',
  isProof: IS_CURRENT,
} as const;

export function glanceOf(row: GlanceRow): SiteGlance {
  const { id, hostname, verified_at: verifiedAt, ownership_lost_at: ownershipLostAt } = row;
  return { id, hostname, verifiedAt, ownershipLostAt, tags: tagsOf(row.tags), unreadProof: unreadProofOfSite(row) };
}
