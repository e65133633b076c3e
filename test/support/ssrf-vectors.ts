import { readFixture } from './project.js';

export interface SsrfVector {
  readonly kind: 'url' | 'address';
  readonly input: string;
  readonly expect: 'allow' | 'block';
  readonly code?: string;
  readonly why: string;
}

export const SSRF_VECTORS = JSON.parse(readFixture('ssrf-vectors.json')) as readonly SsrfVector[];
