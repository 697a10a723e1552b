import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RULES } from '../../src/vendor/coverage-rules.ts';
import { OPERATION_NAMES } from '../../src/vendor/operations.ts';
import { ORDER_PROBES } from '../support/rule-probes-order.ts';
import { SALES_PROBES } from '../support/rule-probes-sales.ts';
import { field, type Sandbox, startSandbox } from '../support/vendor-sandbox.ts';

const NOW_MS = Date.parse('2026-05-20T12:00:00.000Z');
const PROBES = { ...ORDER_PROBES, ...SALES_PROBES };

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ orders: 400, readMs: () => NOW_MS, rotation: 'overlap' });
});
afterAll(() => sandbox.close());

describe('the rules of the coverage table', () => {
  it('are as many as the probes, and touch every operation', () => {
    expect(Object.keys(PROBES).toSorted()).toEqual(RULES.map(({ rule }) => rule).toSorted());
    expect(new Set(RULES.flatMap(({ operations }) => operations))).toEqual(new Set(OPERATION_NAMES));
  });

  it.each(RULES)('$spec: $rule', async ({ rule }) => {
    expect.hasAssertions();
    await PROBES[rule]?.(sandbox, NOW_MS);
  });
});

it.each(['v0', 'v1'])('%s shows an order in a search as in its detail', async (version) => {
  const creationDateTime = { to: new Date(NOW_MS).toISOString() };
  const search = await sandbox.order('POST', `${version}/orders/search?top=50`, { creationDateTime });
  const found = field(search.body, 'data') as readonly object[];
  expect(found.length).toBeGreaterThan(10);
  for (const summary of found) {
    const { body } = await sandbox.order('GET', `${version}/orders/${field(summary, 'transaction', 'id')}`);
    expect(field(body, 'data', '0')).toMatchObject(summary);
  }
});
