import { isSameSite, siteKey } from '../artifacts/site-address.js';

/** Where a site has moved to, as its home page shows. Redirects there are not followed: what is there is another site's. */
export class SiteMove {
  #movedTo: Promise<string | null> = Promise.resolve(null);

  constructor(private readonly origin: URL) {}

  /** See Visit.noteMove. */
  note(movedTo: Promise<string | null>): void {
    this.#movedTo = movedTo;
  }

  /** Whether a redirect enters the site that this one has moved to. Waits until that is known, where it may be so. */
  async isEnteredBy(from: URL, to: URL): Promise<boolean> {
    if (isSameSite(to, this.origin) || isSameSite(from, to)) return false;
    return siteKey(to) === (await this.#movedTo);
  }
}
