import { readFixture } from './project.js';

/** A target of the attack list, and what has to become of it. */
export interface SsrfVector {
  readonly kind: 'url' | 'address';
  readonly input: string;
  readonly expect: 'allow' | 'block';
  readonly code?: string;
  readonly why: string;
}

export const SSRF_VECTORS = JSON.parse(readFixture('ssrf-vectors.json')) as readonly SsrfVector[];
