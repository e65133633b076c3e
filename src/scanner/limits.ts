/**
 * Caps on what a parser reads. "Real" is the largest value that was seen in files of real sites. Content over a cap stays unread, so a
 * check that depends on it is UNDETERMINED. Within the caps, no file takes longer than a second.
 */

/** An HTML page. */
export const PAGE_LIMITS = {
  /** The client reads no more. */
  charsMax: 2 * 1024 * 1024,
  /** Tags and texts. Real: 3,843 in 174,475 characters. */
  tokensMax: 250_000,
  /** Real: 44. */
  depthMax: 256,
  /** Real: 19. */
  attributesMax: 200,
  linksMax: 5_000,
  headLinksMax: 1_000,
  metaNamesMax: 1_000,
  jsonLdMax: 1_000,
  /** A longer script does more than redirect. */
  redirectScriptCharsMax: 4_096,
  /** Searched for the proof of ownership. */
  headCharsMax: 524_288,
  /** Page text that is compared with the markup, and its distinct words. */
  comparedCharsMax: 500_000,
  comparedWordsMax: 50_000,
} as const;

/** Addresses in documents. */
export const ADDRESS_LIMITS = {
  /** A longer address does not count as one. */
  charsMax: 4_096,
  /** A longer base would be repeated in each of thousands of addresses. */
  baseCharsMax: 1_000,
} as const;

/** A Content-Signal or Content-Usage. */
export const PREFERENCE_LIMITS = {
  charsMax: 4_096,
  signalsMax: 200,
} as const;

/** llms.txt as Markdown. */
export const LLMS_LIMITS = {
  /** Real: 59,039; C-LLMS-04 fails above 100,000. */
  charsMax: 100_000,
  /** Real: 252. */
  linksMax: 5_000,
} as const;

/** A sitemap or feed. */
export const SITEMAP_LIMITS = {
  /** Real: 6. */
  depthMax: 64,
  /** Real: 5. */
  attributesMax: 64,
  /** Real: 27. */
  nameCharsMax: 256,
  /** Between two events of the parser, which buffers a text or a comment until its end. */
  tokenCharsMax: 1_048_576,
  /** A longer value, made of many CDATA sections, can be neither a URL nor a date. */
  valueCharsMax: 16_384,
  /** Longer than any URL that a crawler follows (sitemaps.org asks for fewer than 2,048 characters). */
  urlCharsMax: 8_192,
  /** A text without a URL in this many characters is no list. */
  urllessCharsMax: 262_144,
} as const;

/** A JSON document, or the JSON-LD of a page. */
export const JSON_LIMITS = {
  /** Real: 6. */
  depthMax: 100,
  /** Real: 289. */
  valuesMax: 50_000,
} as const;

/** JSON-LD. */
export const JSON_LD_LIMITS = {
  /** Per page. Real: 8,487. */
  bytesMax: 1_048_576,
  /** Per page. Real: 73. */
  nodesMax: 10_000,
  /** Per page; others are not examined. Real: 73. */
  examinedNodesMax: 2_000,
  /** Per object. Real: 24. */
  keysMax: 5_000,
  /** Per array. */
  contextsMax: 20,
  /** Prefixes for schema.org. */
  prefixesMax: 20,
  /** Per page; each is compared with the whole vocabulary. */
  unknownTypesMax: 10,
  /** Per identity node; fewer are followed. */
  sameAsMax: 1_000,
  /** Per entity; each is compared with every required property. */
  unknownNamesMax: 10,
} as const;

/** robots.txt, of which the client reads 1 MiB. */
export const ROBOTS_LIMITS = {
  /** Real: 528. */
  groupsMax: 1_000,
  /** Real: 31,843. */
  rulesMax: 50_000,
  /** Google's published parser reads this much of one line. Real: 2,064. */
  lineCharsMax: 16_664,
  /** Real: 8. */
  preferencesMax: 1_000,
  /** Fewer are followed. */
  linesMax: { sitemap: 10_000, license: 10, agentmap: 10 },
  /** Compared for the wildcards of one decision. */
  wildcardCharsMax: 250_000,
} as const;

/** tdmrep.json. */
export const PREFERENCE_FILE_LIMITS = { containersMax: 5_000 } as const;

/** A manifest for machines: an agent card, a catalog, metadata. */
export const MANIFEST_LIMITS = {
  containersMax: 20_000,
  /** Per list. */
  itemsMax: 1_000,
  /** Per catalog, in total and for MCP; fewer are followed. */
  entriesMax: 500,
  mcpEntriesMax: 20,
  /** Per API, or per level of an MCP manifest before SEP-2127. */
  serversMax: 100,
  /** Per API catalog; fewer are followed. */
  targetsMax: 100,
  /** A finding names fewer. */
  problemsMax: 50,
} as const;

/** A recording that is replayed. */
export const RECORDING_LIMITS = {
  unsentMax: 2000,
  /** More than fit into the 16 KiB that a scan reads. */
  headersMax: 5000,
  bytesMax: 64 * 1_048_576,
} as const;

/** A Content-Type, or the type of a script. */
export const MEDIA_TYPE_CHARS_MAX = 4_096;
