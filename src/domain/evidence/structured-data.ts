export interface StructuredData {
  readonly todo: never;
}
export interface SameAsLinks {
  readonly todo: never;
}
