/** This machine cannot open connections because descriptors or ports ran out: the run says nothing about the site. */
export class OutOfResources extends Error {
  override readonly name: string = 'OutOfResources';

  constructor() {
    super('this machine cannot open more connections');
  }
}

/** Other runs held the slots at the site's address until this one's time was up. */
export class Starved extends OutOfResources {
  override readonly name = 'Starved';

  /** @param siteRequestCount how many requests had reached the site by then */
  constructor(readonly siteRequestCount = 0) {
    super();
  }
}
