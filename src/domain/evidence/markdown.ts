export interface MarkdownNegotiation {
  readonly todo: never;
}
