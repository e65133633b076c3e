/** What a `tdm-reservation` says: reserved (1), not reserved (0), or neither. */
export type Reservation = '0' | '1' | 'other';

/** State of a file with preferences. `unread`: inconclusive. `moved`: it redirects to the site's new domain. */
export type PreferenceFile = 'read' | 'malformed' | 'absent' | 'unread' | 'moved';

/** Preferences for AI use by TDMRep (W3C Community Group report of 2024-05-10) and RSL 1.0. */
export interface Preferences {
  /** `tdm-reservation` of the home page: its header fields, then its metas. */
  readonly reservations: readonly { readonly place: 'header' | 'meta'; readonly reservation: Reservation }[];
  readonly tdmFile: PreferenceFile;
  /** The license that robots.txt or a link of the home page names; `absent` also if neither names one. */
  readonly license: PreferenceFile;
}
