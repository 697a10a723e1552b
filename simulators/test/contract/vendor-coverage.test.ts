import { expect, it } from 'vitest';
import { COVERAGE } from '../../src/vendor/coverage.ts';
import { OPERATION_NAMES } from '../../src/vendor/operations.ts';
import { createVendorSimulator } from '../../src/vendor/simulator.ts';

const registered = createVendorSimulator()
  .api.routes.filter((route) => route.method !== 'ALL')
  .map((route) => `${route.method} ${route.path.replace(':id', '{id}')}`);

it('covers each registered route with exactly one row, and no others', () => {
  const rows = COVERAGE.map((row) => `${row.method} ${row.path}`);
  expect(rows.toSorted()).toEqual(registered.toSorted());
  expect(new Set(rows).size).toBe(rows.length);
});

it('names the operations as logs and faults do', () => {
  expect(new Set(COVERAGE.map((row) => row.operation))).toEqual(new Set(OPERATION_NAMES));
});

it.each(COVERAGE)('$method $path says where it stands in the documents', (row) => {
  expect(row.spec).toMatch(/^(sales|order) \d/);
  expect(row.notes.length).toBeGreaterThan(20);
});
