/** Thrown if this machine runs out of file descriptors or ports, so that the run says nothing about the site. */
export class OutOfResources extends Error {
  override readonly name: string = 'OutOfResources';

  constructor() {
    super('this machine cannot open more connections');
  }
}

/** Thrown if a run used up its time waiting for other runs' slots at the site's address. */
export class OutOfSlots extends OutOfResources {
  override readonly name = 'OutOfSlots';

  /** @param siteRequestCount requests that had reached the site by then */
  constructor(readonly siteRequestCount = 0) {
    super();
  }
}
