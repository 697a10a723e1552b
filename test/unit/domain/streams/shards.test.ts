import { describe, expect, it } from 'vitest';
import { partOf, shardOf, shardsFor } from '../../../../src/domain/streams/shards.ts';

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

describe('the shard of a tenant', () => {
  it('is one of those there are, and every tenant has few beside it', () => {
    const counts = Array.from({ length: 16 }, () => 0);
    for (const tenant of TENANTS) {
      const shard = shardOf(tenant, 16);
      counts[shard] = (counts[shard] ?? Number.NaN) + 1;
    }
    expect(counts).toHaveLength(16);
    expect(Math.min(...counts)).toBeGreaterThan(35);
    expect(Math.max(...counts)).toBeLessThan(95);
  });

  it('is the same in every process and release, which read each other’s tenants else', () => {
    expect(['acme', 'umbrella', 'Ärzte 😀'].map((tenant) => shardOf(tenant, 16))).toEqual([2, 10, 7]);
  });
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
