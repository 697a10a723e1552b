import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { startVendorSimulator } from '../../src/vendor/start.ts';

const folder = mkdtempSync(join(tmpdir(), 'lockstep-snapshots-'));
afterAll(() => rmSync(folder, { recursive: true }));

const STARTS = {
  vendor: (state: string) => startVendorSimulator({ orders: 3, apiKey: 'snapshot-key', state }),
  salesforce: (state: string) => startSalesforceSimulator({ state }),
} as const;
const RECORD = {
  vendor: { type: 'leadOpportunity', fields: { name: 'Made' } },
  salesforce: { type: 'Account', fields: { Name: 'Made' } },
} as const;

describe.each(['vendor', 'salesforce'] as const)('snapshots of the %s simulator', (name) => {
  const state = join(folder, `${name}.json`);

  async function open() {
    const simulator = await STARTS[name](state);
    const call = async (method: string, path: string, body?: object) => {
      const answer = await fetch(`${simulator.adminUrl}${path}`, {
        method,
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
    };
    const { type, fields } = RECORD[name];
    const records = async () => (await call('GET', `/records?type=${type}`)).body.records;
    return { simulator, call, records, make: () => call('POST', '/records', { type, fields }) };
  }

  it('bring back records, clock, quota and faults, as often as one likes', async () => {
    const { simulator, call, records, make } = await open();
    await make();
    await call('PUT', '/clock', { advanceMs: 86_400_000 });
    await call('PUT', '/quota', { limit: 7, windowSeconds: 70 });
    await call('POST', '/faults', { status: 503, times: 2 });
    const before = await records();
    expect((await call('POST', '/snapshots', { name: 'one' })).status).toBe(201);
    for (const _round of [1, 2]) {
      await make();
      await call('PUT', '/clock', { advanceMs: 3_600_000 });
      await call('PUT', '/quota', { limit: 100, windowSeconds: 1 });
      await call('DELETE', '/faults');
      expect((await call('POST', '/snapshots/one/restore')).body).toEqual({ restored: 'one' });
      expect(await records()).toEqual(before);
      expect((await call('GET', '/quota')).body).toEqual({ limit: 7, windowSeconds: 70 });
      expect((await call('GET', '/faults')).body.faults).toMatchObject([{ status: 503, times: 2 }]);
      const now = Date.parse((await call('GET', '/clock')).body.now);
      expect(Math.abs(now - Date.now() - 86_400_000)).toBeLessThan(60_000);
    }
    await simulator.close();
  });

  it('are readable files beside the state file, and are there after a restart', async () => {
    const first = await open();
    await first.make();
    const before = await first.records();
    await first.call('POST', '/snapshots', { name: 'kept' });
    await first.simulator.close();
    const lines = readFileSync(join(`${state}.snapshots`, 'kept.json'), 'utf8').split('\n');
    expect(lines.some((line) => /^\s+"[Nn]ame": "Made",?$/.test(line))).toBe(true);
    const second = await open();
    await second.make();
    expect((await second.call('POST', '/snapshots/kept/restore')).status).toBe(200);
    expect(await second.records()).toEqual(before);
    const names = (await second.call('GET', '/snapshots')).body.snapshots.map(
      (saved: { readonly name: string }) => saved.name,
    );
    expect(names).toContain('kept');
    await second.call('DELETE', '/snapshots/kept');
    expect((await second.call('POST', '/snapshots/kept/restore')).status).toBe(404);
    await second.simulator.close();
  });

  it.each(['', '../up', 'a/b', '.hidden', 'x'.repeat(65)])('are not saved under the name %j', async (wrong) => {
    const { simulator, call } = await open();
    expect((await call('POST', '/snapshots', { name: wrong })).status).toBe(400);
    await simulator.close();
  });
});
