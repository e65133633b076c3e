/** What pages say of a site that is not its owner's doing. */
export interface SiteNote {
  /** What it is, in a few words, for the list. */
  readonly what: string;
  /** How it came to be. */
  readonly how: string;
}
