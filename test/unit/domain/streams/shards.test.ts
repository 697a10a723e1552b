import { expect, it } from 'vitest';
import { partOf, shardsFor } from '../../../../src/domain/streams/shards.ts';

const TENANTS = Array.from({ length: 1_000 }, (_, n) => `tenant-${n}`);

it.each([
  [0, 1],
  [64, 1],
  [65, 2],
  [1_000, 16],
  [100_000, 16],
])('%d tenants are read by %d shards', (tenants, shards) => {
  expect(shardsFor(tenants)).toBe(shards);
});

it('the part of a name is one of its own, spread over all', () => {
  const parts = TENANTS.map(partOf);
  expect(Math.min(...parts)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...parts)).toBeLessThan(1);
  const mean = parts.reduce((sum, part) => sum + part, 0) / parts.length;
  expect(mean).toBeGreaterThan(0.45);
  expect(mean).toBeLessThan(0.55);
  expect(new Set(parts).size).toBe(TENANTS.length);
});
