import { expect, it } from 'vitest';
import { createSealFailures } from '../../src/platform/seal-failures.ts';

it('counts by tenant and code, and of more tenants than it names the others together', async () => {
  const { count, text } = createSealFailures(2);
  for (const tenant of ['acme', 'globex', 'umbrella', 'acme', 'initech']) count({ tenant, code: 'refused' });
  count({ tenant: 'acme', code: 'unknown-data-key' });
  const result = (await text()).split('\n').filter((line) => line.startsWith('lockstep'));
  expect(result).toEqual([
    'lockstep_seal_failures_total{tenant="acme",code="refused"} 2',
    'lockstep_seal_failures_total{tenant="globex",code="refused"} 1',
    'lockstep_seal_failures_total{tenant="others",code="refused"} 2',
    'lockstep_seal_failures_total{tenant="acme",code="unknown-data-key"} 1',
  ]);
});
