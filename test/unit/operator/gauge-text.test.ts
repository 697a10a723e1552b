import { Gauge, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { gaugeText } from '../../../src/operator/metrics/gauge-text.ts';

it('is what a registry of Prometheus would tell of the same gauges', async () => {
  const registry = new Registry();
  const registers = [registry];
  const theirs = {
    bytes: new Gauge({ name: 'bytes', help: 'How many.', registers }),
    of: new Gauge({ name: 'of', help: 'By two.', labelNames: ['tenant', 'code'], registers }),
    none: new Gauge({ name: 'none', help: 'Of nothing.', labelNames: ['tenant'], registers }),
  };
  const gauges = gaugeText();
  const ours = {
    bytes: gauges.gauge('bytes', 'How many.'),
    of: gauges.gauge('of', 'By two.', 'tenant', 'code'),
    none: gauges.gauge('none', 'Of nothing.', 'tenant'),
  };
  for (const { bytes, of } of [theirs, ours]) {
    bytes.set({}, 12);
    of.set({ tenant: 'acme', code: 'a"b\\c\nd' }, 1.5);
    of.set({ tenant: 'globex', code: '' }, 0);
  }
  const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');
  expect(lines(gauges.text())).toEqual(lines(await registry.metrics()));
});
