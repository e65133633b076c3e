/**
 * What came of asking for a page that was chosen for the sample. One that cannot be read fails nothing: no check asks if a page is there,
 * the dead links that some judge are those that the site publishes, and this address stands in our settings alone. So it is left out, as
 * are other pages that turn out not to be any, and its owner is told why.
 */
const CHOSEN_OUTCOMES = {
  read: 'read',
  barred: 'not asked for: robots.txt bars this scanner from it',
  elsewhere: 'left out: it leads to another origin',
  same: 'left out: it leads to the home page, or to a page that is read already',
  status: 'left out: it is not there, or not for this scanner',
  other: 'left out: it is not an HTML page',
  challenged: 'left out: a bot challenge came in its place',
  unanswered: 'left out: no answer came',
  unasked: 'not asked for: the site has no home page that can be read',
} as const;
export type ChosenOutcome = keyof typeof CHOSEN_OUTCOMES;

/** A page that was chosen, and what came of it. */
export interface ChosenPage {
  /** With its query, in normal form: words of the one who chose it. */
  readonly path: string;
  readonly came: ChosenOutcome;
  /** Where it was answered with no success. */
  readonly status?: number;
}

/**
 * How comparisons name a page of the sample: one that was chosen by its path, one that the scanner took by its rank among the
 * candidates, so that nothing of the site is kept of it.
 */
export type PageName = string | number;

/** Which pages a run has looked at, apart from the home page: kept alongside it, so that comparisons can tell. */
export interface SampledPages {
  readonly chosen: readonly ChosenPage[];
  /** How far among its own candidates the scanner went; null: as far as without a choice, or to their end. */
  readonly ranked: number | null;
  /** By check, on which pages its failure was found. A failure that the home page shows is not among them. */
  readonly found: Readonly<Record<string, FoundOn>>;
}

/** The pages that show a failure, or all of them together: one more page could have kept it away. */
export type FoundOn = readonly PageName[] | 'all';

export function describeChosen({ came, status }: ChosenPage): string {
  return status === undefined ? CHOSEN_OUTCOMES[came] : `left out: it answers with status ${status}`;
}

export function pathOf({ pathname, search }: URL): string {
  return pathname + search;
}
