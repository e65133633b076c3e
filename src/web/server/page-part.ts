import type { Kit, Part as KitPart } from './part.js';
import type { Cookie } from './session.js';
import type { App } from '../../app/app.js';
import type { Context } from '../../app/context.js';
import type { SiteNote } from '../../app/sites/site.js';

/** Services for operations, commands and workers only. */
type NotOnPages =
  'access' | 'accounts' | 'close' | 'excludedHosts' | 'performRun' | 'proofConsequences' | 'runs' | 'settle';

/** What pages work with. */
export interface PageServices extends Omit<App, NotOnPages>, Pick<Context, 'db' | 'clock' | 'publicUrl' | 'hasMail'> {
  /** How to reach the operator: a mailto or https URL; null if the operator gives none. */
  readonly contact: string | null;
  /** True if visitors may create accounts. */
  readonly isSignUpOpen: boolean;
  /** How many days evidence is stored; 0: none is. */
  readonly evidenceDays: number;
  readonly version: string;
  /** True for `serve --demo`. */
  readonly isDemo?: boolean;
  /** Remarks on sites of the demo, by the id of the site. */
  readonly siteNotes?: ReadonlyMap<string, SiteNote>;
}

export interface PageDeps extends PageServices {
  readonly sessionCookie: Cookie;
}

export type PartDeps = PageDeps & Kit;

/** Some pages of a feature: adds their routes. */
export type Part = KitPart<PageDeps>;
