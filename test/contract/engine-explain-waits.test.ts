/** What waits is named in an explanation as in the inbox. The real engine on ledger and simulators. */
import { beforeEach, describe, expect, it } from 'vitest';
import { explainRecord } from '../../src/operator/explain/explain-record.ts';
import type { Explanation } from '../../src/operator/explain/explanation.ts';
import { readInbox } from '../../src/operator/status/inbox.ts';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { observerOf, readOnly } from '../support/engine/operator.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

const openWorld = withWorlds(workflows);
let world: World;
let deals: Deals;

beforeEach(async () => {
  ({ world, deals } = await openWorld());
});

/** A deal that both sides have, and agree on. */
async function agreed(): Promise<{ readonly crmId: string; readonly vendorId: string }> {
  const account = await deals.account();
  const crmId = await deals.opportunity(account, { Description: 'First' });
  await deals.line(crmId, 500);
  await deals.sweep();
  const { vendorId } = await deals.link(crmId);
  return { crmId, vendorId: String(vendorId) };
}

function explain(id: string): Promise<Explanation> {
  const { remotes, ledger } = readOnly(world);
  const ports = {
    observer: observerOf(world),
    crm: remotes.crm,
    ledger,
    addresses: { crm: 'https://org', vendor: 'https://vendor', temporal: null },
    runs: async () => [],
    now: world.clock.now,
  };
  return explainRecord(ports, world.runtime.tenant, { id, field: null, withValues: false });
}

describe('what waits is named as in the inbox', () => {
  const waiting = async () => (await readInbox(world.ledger, world.tenant, { codes: null, limit: 10 })).records;

  it('of a refused import', async () => {
    await world.crm.fault({
      operation: 'sobject.create',
      status: 400,
      errorCode: 'FIELD_CUSTOM_VALIDATION_EXCEPTION',
      times: 1,
    });
    const vendorId = String(await deals.lead());
    await deals.poll();
    const [record] = await waiting();
    expect(record).toMatchObject({ vendorId, state: 'parked', issues: [{ code: 'crm-refused' }] });
    const { gates, sentence, next } = await explain(vendorId);
    expect(next?.step).toBe('create-in-crm');
    expect(gates).toMatchObject([
      { gate: 'park', code: 'crm-refused', what: record?.issues[0]?.message, needsSomebody: true },
    ]);
    expect(sentence).toContain('it waits for a person (crm-refused)');
  });

  it('of an update that is tried again later', async () => {
    const { crmId } = await agreed();
    await world.vendor.fault({ operation: 'updateLeadOpportunity', status: 423, times: 1 });
    await world.crm.edit(crmId, { Description: 'ours' });
    world.startStream('sweepSalesforce');
    await deals.time(20_000);
    const { gates, next } = await explain(crmId);
    expect(next?.step).toBe('update-at-vendor');
    expect(gates).toMatchObject([{ code: 'tried-again', needsSomebody: false }]);
  });
});
