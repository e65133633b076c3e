import { API_NOTES } from './api.js';
import { ENDPOINT_NOTES } from './endpoints.js';
import type { NoteRule } from './note.js';
import { PAGE_NOTES } from './pages.js';
import { POLICY_NOTES } from './policy.js';
import { PREFERENCE_NOTES } from './preferences.js';
import { SITEMAP_NOTES } from './sitemaps.js';

/** Every note, in the order of the checks beside which they stand. */
export const NOTES: readonly NoteRule[] = [
  ...PAGE_NOTES,
  ...SITEMAP_NOTES,
  ...POLICY_NOTES,
  ...ENDPOINT_NOTES,
  ...API_NOTES,
  ...PREFERENCE_NOTES,
];
