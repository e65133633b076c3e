/** Where the time comes from, so that tests choose it. */
export interface Clock {
  now(): Date;
}
