export interface AgentReplies {
  readonly todo: never;
}
