export interface McpDiscovery {
  readonly todo: never;
}
export interface A2aDiscovery {
  readonly todo: never;
}
export interface ApiMetadata {
  readonly todo: never;
}
