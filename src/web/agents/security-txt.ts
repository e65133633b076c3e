import { DAY_MS } from '../../platform/clock.js';
import { headingId } from '../html/prose.js';
import { CONTACT_HEADING } from '../public/about.js';
import { PUBLIC_PAGES } from '../server/public-pages.js';
import { ADDRESSES } from '../server/agent-paths.js';

/** RFC 9116 §2.5.5 asks for less than a year. */
const LIFE_DAYS = 180;

export interface SecurityTxtFacts {
  readonly publicUrl: string;
  readonly contact: string | null;
  readonly now: Date;
}

/** Whom to tell of a vulnerability (RFC 9116). The text changes once a day. */
export function formatSecurityTxt({ publicUrl, contact, now }: SecurityTxtFacts): string {
  const today = Math.floor(now.getTime() / DAY_MS);
  const expires = new Date((today + LIFE_DAYS) * DAY_MS).toISOString().replace('.000', '');
  return `Contact: ${contact ?? `${publicUrl}${PUBLIC_PAGES.about.path}#${headingId(CONTACT_HEADING)}`}
Expires: ${expires}
Preferred-Languages: en
Canonical: ${publicUrl}${ADDRESSES.securityTxt}
`;
}
