import { describe, expect, it } from 'vitest';
import { startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { startVendorSimulator } from '../../src/vendor/start.ts';

const STARTS = { vendor: startVendorSimulator, salesforce: startSalesforceSimulator } as const;

describe.each(['vendor', 'salesforce'] as const)('the %s simulator', (name) => {
  it('answers its probes without a key, and keeps them out of its log', async () => {
    const simulator = await STARTS[name]();
    const get = async (path: string) => {
      const answer = await fetch(`${simulator.url}${path}`);
      return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
    };
    await get(name === 'vendor' ? '/order/api4partners/v1/orders/x' : '/services/data');
    expect(await get('/healthz')).toMatchObject({ status: 200, text: '{"status":"ok"}' });
    expect(await get('/readyz')).toMatchObject({ status: 200, text: '{"status":"ready"}' });
    const metrics = await get('/metrics');
    expect(metrics.type).toBe('text/plain; version=0.0.4; charset=utf-8');
    const type = name === 'vendor' ? 'order' : 'Opportunity';
    expect(metrics.text).toMatch(new RegExp(`^simulator_records\\{simulator="${name}",type="${type}"\\} \\d+$`, 'm'));
    const counts = metrics.text.match(/^simulator_requests_total\{.*\} \d+$/gm);
    expect(counts).toHaveLength(1);
    if (name === 'vendor') expect(counts?.[0]).toContain('operation="readOrder",version="v1"} 1');
    await simulator.close();
  });

  it('tells its own time in every answer, refusals too', async () => {
    const simulator = await STARTS[name]();
    const sent = await fetch(`${simulator.adminUrl}/clock`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ now: '2031-02-03T04:05:00.000Z' }),
    });
    expect(sent.status).toBe(200);
    for (const path of ['/order/api4partners/v1/orders/x', '/services/data', '/nowhere']) {
      const answer = await fetch(`${simulator.url}${path}`);
      expect(answer.headers.get('date')).toMatch(/^Mon, 03 Feb 2031 04:05:/);
    }
    await simulator.close();
  });
});
