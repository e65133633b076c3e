import type { Clock } from '../platform/clock.js';
import type { Kit, Part as KitPart } from '../web/kit/part.js';
import type { Cookie } from './accounts/pages/session.js';
import type { App } from './app.js';
import type { EventWords } from './audit/audit.js';
import type { SiteNote } from './sites/site-note.js';

type Shown =
  | 'signIn'
  | 'mailedLinks'
  | 'sites'
  | 'siteLists'
  | 'siteTags'
  | 'siteMail'
  | 'siteRemoval'
  | 'ownership'
  | 'chosenPages'
  | 'ownershipOfMany'
  | 'history'
  | 'manualRuns'
  | 'schedules'
  | 'deployHooks'
  | 'badges'
  | 'sharedReports'
  | 'sharedResults'
  | 'rechecks'
  | 'acceptedFailures'
  | 'evidence'
  | 'keys'
  | 'accountData'
  | 'webhooks'
  | 'readEvents'
  | 'freeScans';

/** What the pages of the features work with. */
export interface PageServices extends Pick<App, Shown> {
  /** The service's own origin. */
  readonly publicUrl: string;
  /** Where people reach the operator: a mailto or https URL; null when the operator gives none. */
  readonly contact: string | null;
  /** Whether the operator has named a mail server: then links can be sent. */
  readonly hasMail: boolean;
  /** Whether anybody may make an account, once the address is confirmed. */
  readonly isSignUpOpen: boolean;
  /** How long evidence is kept; 0: none is. */
  readonly evidenceDays: number;
  /** Of this build. */
  readonly version: string;
  /** Whether the service shows what it does on somebody's own machine: `serve --demo`. */
  readonly isDemo?: boolean;
  /** By id of a site: what pages say of what it is. */
  readonly siteNotes?: ReadonlyMap<string, SiteNote>;
  readonly clock: Clock;
}

export interface PageDeps extends PageServices {
  readonly sessionCookie: Cookie;
  /** By which a device that has signed in is known again, for a year. */
  readonly deviceCookie: Cookie;
  readonly eventWords: EventWords;
}

export type PartDeps = PageDeps & Kit;

/** Some pages of a feature: adds their routes. */
export type Part = KitPart<PageDeps>;
