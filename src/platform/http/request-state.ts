/** What every app knows about a request. */
export interface RequestState {
  requestId: string;
  /** The template of the matched path, for the log; a raw path may contain anything. */
  route: string | null;
  /** Set for what a machine asks every few seconds: logged at debug, so that the log shows what people and programs did. */
  isProbe?: true;
  /** Written together with the head, over what Koa was given. */
  readonly headers: Record<string, string>;
  /** See `answer`. */
  body?: Uint8Array;
  /** Set for a page that shows a secret, so that it is not compressed. */
  hasSecret?: boolean;
}
