/** A writer that stood still before or during its write to the CRM changes nothing of what another has settled since. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it } from 'vitest';
import { createSingleSteps } from '../../activities/lane/record-steps.ts';
import type { ActivityDeps } from '../../activities/support/deps.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import { at, BASE } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';
import { mappingConfig } from '../support/mapping/fixtures.ts';
import { decideTo, usualRecord, vendorReading } from '../support/value-engine/samples.ts';

const { ledger } = await withLedger();
const TENANT = 'acme';
const STALE = { type: 'STALE' };
const plan = decideTo('write-crm', { vendor: vendorReading({ ...usualRecord(), name: 'Theirs' }) });

let deals = 0;

/** Carries out a planned write while, at one of its steps, another writer settles what both sides agree on; what came of that. */
async function written(meanwhile: 'before it leaves' | 'on its way', answer: CrmError | null) {
  deals += 1;
  const { link } = await ledger.resolveLink(TENANT, { crmId: `C${deals}`, vendorId: `DS-${deals}` }, at(0));
  const { key } = link;
  const seen = { crmReadAt: at(1), vendorReadAt: at(1), graph: null, generation: 0 };
  const planId = await ledger.savePlan(TENANT, { key, createdAt: at(1), ...seen, plan });
  let seconds = 1;
  let calls = 0;
  const now = () => {
    seconds += 1;
    return at(seconds);
  };
  const another = () => ledger.settle(TENANT, key, { at: now(), base: BASE, plansNothing: true });
  const deps = {
    now,
    ledger: {
      ...ledger,
      markSent: async (...given: Parameters<typeof ledger.markSent>) => {
        const mayLeave = await ledger.markSent(...given);
        if (meanwhile === 'before it leaves') await another();
        return mayLeave;
      },
    },
    runtime: () => ({
      tenant: { mapping: mappingConfig() },
      crm: {
        applyWrite: async () => {
          calls += 1;
          if (meanwhile === 'on its way') await another();
          if (answer !== null) throw answer;
        },
      },
    }),
  } as unknown as ActivityDeps;
  const activity = new MockActivityEnvironment().run(createSingleSteps(deps, {} as never).writeCrm, {
    tenant: TENANT,
    key,
    planId,
  });
  const outcome = await activity.catch((error: unknown) => error);
  return { outcome, calls, base: (await ledger.findLink(TENANT, key))?.base };
}

it('sends nothing where another has settled since it was let leave', async () => {
  const { outcome, calls, base } = await written('before it leaves', null);
  expect([outcome, calls, base]).toMatchObject([STALE, 0, BASE]);
});

it.each([
  ['was refused because the record moved on', new CrmError('stale', 'HTTP_412', '')],
  ['waits for the limits of the org', new CrmError('throttled', 'REQUEST_LIMIT_EXCEEDED', '')],
])('forgets nothing of another where its own write %s', async (_, answer) => {
  const { outcome, calls, base } = await written('on its way', answer);
  expect([outcome, calls, base]).toMatchObject([STALE, 1, BASE]);
});

it('leaves what another has settled where the answer came late', async () => {
  const { outcome, calls, base } = await written('on its way', null);
  expect([outcome, calls, base]).toMatchObject([{ next: 'nothing' }, 1, BASE]);
});
