import { expect, it } from 'vitest';
import { createStreamRequests } from '../../../src/intake/stream-requests.ts';

/** Passed requests, each with its tenant. */
function requests(passed: string[] = []) {
  return { passed, ...createStreamRequests({ requestStream: async (tenant) => void passed.push(tenant) }) };
}

it('a lone request is passed on at once, and many together as at most two, a second apart', async () => {
  const { passed, request } = requests();
  const beganMs = performance.now();
  await Promise.all(Array.from({ length: 500 }, () => request('acme', 'findOrders')));
  expect(passed).toEqual(['acme', 'acme']);
  expect(performance.now() - beganMs).toBeGreaterThan(900);
});

it('a tenant does not wait for another', async () => {
  const { passed, request } = requests();
  await request('acme', 'findOrders');
  const late = request('acme', 'findOrders');
  await request('globex', 'findOrders');
  expect(passed).toEqual(['acme', 'globex']);
  await late;
});

it('a request that fails is its sender’s to repeat, and the next is passed on', async () => {
  const passed: string[] = [];
  let isDown = true;
  const { request } = createStreamRequests({
    requestStream: async (tenant) => {
      if (isDown) throw new Error('down');
      passed.push(tenant);
    },
  });
  await expect(request('acme', 'findOrders')).rejects.toThrow('down');
  isDown = false;
  await request('acme', 'findOrders');
  expect(passed).toEqual(['acme']);
});
