import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { webhookCounters } from '../../src/webhooks/webhook-counters.ts';

describe('webhookCounters', () => {
  it('writes what dashboards read, in the Prometheus text format', async () => {
    const registry = new Registry();
    const counters = webhookCounters(registry);
    counters.taken('acme', 'outbound-message', 'fresh', 1);
    counters.taken('acme', 'outbound-message', 'fresh', 2);
    counters.taken('a"b\\c\nd', 'outbound-message', 'duplicate', 1);
    counters.refused('too-large');
    for (const seconds of [0.05, 0.5, 5]) counters.took('signed-event', seconds);
    const lines = (await registry.metrics()).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        '# TYPE lockstep_webhook_records_total counter',
        'lockstep_webhook_records_total{tenant="acme",source="outbound-message",outcome="fresh"} 3',
        'lockstep_webhook_records_total{tenant="a\\"b\\\\c\\nd",source="outbound-message",outcome="duplicate"} 1',
        '# TYPE lockstep_webhook_refusals_total counter',
        'lockstep_webhook_refusals_total{code="too-large"} 1',
        '# TYPE lockstep_webhook_intake_seconds histogram',
        'lockstep_webhook_intake_seconds_bucket{le="0.05",source="signed-event"} 1',
        'lockstep_webhook_intake_seconds_bucket{le="1",source="signed-event"} 2',
        'lockstep_webhook_intake_seconds_bucket{le="+Inf",source="signed-event"} 3',
        'lockstep_webhook_intake_seconds_sum{source="signed-event"} 5.55',
        'lockstep_webhook_intake_seconds_count{source="signed-event"} 3',
      ]),
    );
  });

  it('shares nothing with another receiver of the process', async () => {
    const [one, other] = [new Registry(), new Registry()];
    webhookCounters(one).refused('too-large');
    webhookCounters(other);
    expect(await one.metrics()).toContain('code="too-large"} 1');
    expect(await other.metrics()).not.toContain('code="too-large"');
  });
});
