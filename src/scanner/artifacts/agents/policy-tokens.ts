/**
 * Policy tokens: product tokens of robots.txt that stand for a purpose instead of a crawler, in lower case
 * (draft-kelley-aipref-training-preference-signal-00). A group below one is a preference for AI use, and no rule for any agent.
 * Empty until a revision of the draft that names them has been read.
 */
export const POLICY_TOKENS: readonly string[] = [];
