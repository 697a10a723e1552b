/**
 * Records the histories of this release that the replay tests hold the workflows to: `npm run record:histories`. To be run with
 * each release, before it is one, and never for one that is out: its histories are what runs somewhere. No part of `npm test`.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { WRITE_SPACING_MS } from '../../src/domain/loop/step.ts';
import { linkKey } from '../../src/domain/record/link-key.ts';
import type { StreamName } from '../../src/domain/streams/streams.ts';
import { createAudits } from '../../src/intake/audits.ts';
import { createBackfills } from '../../src/intake/backfill.ts';
import { wakeLane } from '../../src/intake/lane.ts';
import { createRotation } from '../../src/intake/rotation.ts';
import { createStreamStarts } from '../../src/intake/stream-starts.ts';
import { createUndos } from '../../src/intake/undo.ts';
import { lastAudit } from '../../src/operator/runs/audit.ts';
import { TASK_QUEUES, workflowIds } from '../../temporal.config.ts';
import { withStack } from '../support/stack/with-stack.ts';
import { until } from '../support/until.ts';

const FOLDER = join(import.meta.dirname, '../replay/histories', packageJson.version);
const CHANGELOG = await readFile(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');
if (!CHANGELOG.includes(`## [${packageJson.version}] - unreleased`))
  throw new Error(`${packageJson.version} is out: raise the version of package.json before histories are recorded`);
await mkdir(FOLDER, { recursive: true });

const { stack, user, vendor } = await withStack();

it('records one history of every workflow', async () => {
  await vendor.fault({ operation: 'createLeadOpportunity', cut: 'after', times: 1 });
  const adopted = await user.deal('Adopted');
  await record('sync-opportunity-adopts-a-lost-create', workflowIds.syncOpportunity(stack.tenant, adopted));

  await vendor.fault({ operation: 'updateLeadOpportunity', status: 503, times: 1 });
  await user.update('Opportunity', adopted, { Name: 'Adopted and renamed' });
  await until('the vendor has the new name', async () => {
    const records = await vendor.records<{ readonly fields: { readonly name: string } }>('leadOpportunity');
    return records.some(({ fields }) => fields.name === 'Adopted and renamed');
  });
  await record('sync-opportunity-waits-out-a-503', workflowIds.syncOpportunity(stack.tenant, adopted));

  await vendor.fault({ operation: 'updateLeadOpportunity', status: 400, times: 1 });
  await user.update('Opportunity', adopted, { Name: 'Refused' });
  const waits = workflowIds.recordWaits(stack.tenant, adopted);
  await until('the record waits for a person', () => isThere(waits));
  await user.update('Opportunity', adopted, { Name: 'Repaired' });
  await record('record-waits-until-a-repair', waits);

  const { id } = await vendor.create('leadOpportunity', {
    name: 'Entered by the vendor',
    status: 'OPPY_OPEN',
    currency: 'EUR',
  });
  await record(
    'sync-opportunity-imports-a-vendor-created-record',
    workflowIds.syncOpportunity(stack.tenant, linkKey({ crmId: null, vendorId: id })),
  );

  await recordThatFound('poll-vendor-finds-changes', 'pollVendor', (n) =>
    vendor.create('leadOpportunity', { name: `Found ${n}`, status: 'OPPY_OPEN', currency: 'EUR' }),
  );
  await recordThatFound('sweep-salesforce-finds-changes', 'sweepSalesforce', (n) =>
    user.update('Opportunity', adopted, { Name: `Swept ${n}` }),
  );

  await vendor.fault({ status: 403, times: 3 });
  await user.deal('Paused');
  await record('guard-tenant-drains-after-an-outage', workflowIds.guardTenant(stack.tenant, 'vendor-sales'));
}, 240_000);

it('records a run of a shard', async () => {
  const workflowId = workflowIds.readTenants(99);
  const args = [{ shard: 0, of: 1, forMs: 3_000 }];
  await stack.client.workflow.start('readTenants', { workflowId, taskQueue: TASK_QUEUES.sync, args });
  await record('read-tenants-of-a-shard', workflowId);
}, 60_000);

it('records a lone change of either side', async () => {
  const { ledger, tenant } = stack;
  const crmId = await user.deal('Alone');
  const vendorId = await until(
    'it is at the vendor',
    async () => (await ledger.findLinkByIds(tenant, { crmId }))?.vendorId,
  );
  const workflowId = workflowIds.syncOpportunity(tenant, crmId);
  await recordLone('sync-opportunity-carries-a-lone-change-of-the-crm', workflowId, 1, async (n) => {
    await user.update('Opportunity', crmId, { Vendor_Campaign_Code__c: `C${n}` });
    await until('the vendor has it', async () => {
      const records = await vendor.records<{ readonly fields: Readonly<Record<string, unknown>> }>('leadOpportunity');
      return records.some(({ fields }) => fields['cometCampaignCode'] === `C${n}`);
    });
  });
  await recordLone('sync-opportunity-carries-a-lone-change-of-the-vendor', workflowId, 2, async (n) => {
    await vendor.edit(vendorId, { gtmTacticId: `T${n}` });
    await until('the CRM has it', async () => {
      const row = await user.read<Readonly<Record<string, unknown>>>('Opportunity', crmId);
      return row['Vendor_GTM_Tactic__c'] === `T${n}`;
    });
  });
}, 240_000);

it('records an audit', async () => {
  const crmId = await user.deal('Audited');
  const { ledger, tenant } = stack;
  await until('both sides agree', async () => (await ledger.findLinkByIds(tenant, { crmId }))?.state === 'in-sync');
  const audits = createAudits(stack.client);
  expect(await audits.start({ tenant, repairs: true })).toBe(true);
  await record('audit-reads-both-sides', workflowIds.scheduled(tenant, 'audit'));
  expect(await audits.status(tenant)).toMatchObject({ state: 'COMPLETED' });
  expect(await lastAudit(ledger, tenant)).toMatchObject({ differing: 0 });
}, 120_000);

it('records a backfill', async () => {
  const backfills = createBackfills(stack.client);
  await user.deal('Of the past');
  const since = new Date(Date.now() - 86_400_000).toISOString();
  await backfills.start(stack.tenant, { since, from: 'both', share: 1 });
  await until('the backfill is done', async () => !(await backfills.status(stack.tenant))?.isRunning, 120_000);
  await record('backfill-brings-both-sides-in', workflowIds.backfill(stack.tenant));
}, 240_000);

it('records an undo', async () => {
  const { client, ledger, tenant } = stack;
  const crmId = await user.deal('As before');
  const inSync = async () => {
    const link = await ledger.findLinkByIds(tenant, { crmId });
    const isSettled = link?.state === 'in-sync' && link.generation === link.observedGeneration;
    return isSettled ? link : null;
  };
  const { key } = await until('both sides agree', inSync);
  await user.update('Opportunity', crmId, { Name: 'By mistake' });
  await until('the write is in the journal', async () =>
    (await ledger.journal(tenant, key, 10)).some(({ summary }) => summary['answer'] === 'updated'),
  );
  await until('both sides agree again', inSync);
  const undos = createUndos(client);
  expect(await undos.start(tenant, { scope: { of: 'last' }, key, share: 1 })).toBe(true);
  await record('undo-gives-a-name-back', workflowIds.undo(tenant));
  expect(await undos.status(tenant)).toMatchObject({ state: 'done', values: { back: 1, left: 0, waits: 0 } });
}, 120_000);

it('records a lane', async () => {
  const { client, ledger, tenant } = stack;
  const ids = await Promise.all(Array.from({ length: 6 }, (_, n) => user.deal(`One of many ${n}`)));
  for (const crmId of ids)
    await until('both sides agree', async () => (await ledger.findLinkByIds(tenant, { crmId }))?.state === 'in-sync');
  await wakeLane(client, ledger, tenant, ids, 'any');
  await record('sync-opportunities-of-six-deals', workflowIds.syncOpportunities(tenant));
}, 120_000);

it('records the rotation of a key', async () => {
  const rotation = createRotation(stack.client);
  const { tenant } = stack;
  expect(await rotation.start(tenant)).toBe(true);
  expect(await rotation.start(tenant)).toBe(false);
  const hashedKey = await until('there is a hash', async () => (await rotation.status(tenant))?.hashedKey);
  await rotation.tell(tenant, 'confirm');
  await until('the key is refused', async () => (await rotation.status(tenant))?.proofs === 1);
  await vendor.register(hashedKey);
  await rotation.tell(tenant, 'confirm');
  await record('rotate-api-key-until-it-is-confirmed', workflowIds.rotateApiKey(tenant));
  expect(await rotation.status(tenant)).toMatchObject({ phase: 'confirmed', isRunning: false });
}, 120_000);

/** Waits for the workflow to complete. */
async function record(name: string, workflowId: string): Promise<void> {
  await until(`${name} is there`, () => isThere(workflowId));
  await stack.client.workflow.getHandle(workflowId).result();
  await save(name, workflowId);
}

/** A run that neither waits nor gets further signals, with this many tries within its tasks. */
async function recordLone(
  name: string,
  workflowId: string,
  tries: number,
  change: (n: number) => Promise<unknown>,
): Promise<void> {
  const handle = stack.client.workflow.getHandle(workflowId);
  for (let n = 1; n <= 20; n += 1) {
    await delay(2 * WRITE_SPACING_MS);
    await change(n);
    await handle.result();
    const { events } = await handle.fetchHistory();
    const has = (count: number, what: 'markerRecordedEventAttributes' | 'timerStartedEventAttributes') =>
      (events ?? []).filter((event) => event[what]).length === count;
    if (has(tries, 'markerRecordedEventAttributes') && has(0, 'timerStartedEventAttributes'))
      return save(name, workflowId);
  }
  expect.fail(`no run of ${name} was alone`);
}

function isThere(workflowId: string): Promise<boolean> {
  return stack.client.workflow
    .getHandle(workflowId)
    .describe()
    .then(
      () => true,
      () => false,
    );
}

/** A run that found a change and knew of it before the shard's poll did. */
async function recordThatFound(
  name: string,
  stream: StreamName,
  change: (n: number) => Promise<unknown>,
): Promise<void> {
  const starts = createStreamStarts(stack.client);
  const workflowId = workflowIds.scheduled(stack.tenant, stream);
  for (let n = 1; n <= 20; n += 1) {
    await change(n);
    if (!(await starts.start(stack.tenant, stream))) continue;
    const result: { readonly found: number } | null = await stack.client.workflow.getHandle(workflowId).result();
    if ((result?.found ?? 0) > 0) return save(name, workflowId);
  }
  expect.fail(`no ${stream} has found a change`);
}

/** The CLI writes a history as JSON in the form that replay reads. */
async function save(name: string, workflowId: string): Promise<void> {
  const where = ['--address', stack.temporal.address, '--output', 'json'];
  const args = ['workflow', 'show', '--workflow-id', workflowId, ...where];
  const { stdout } = await promisify(execFile)(stack.temporal.cli, args, { maxBuffer: 64 * 1024 * 1024 });
  await writeFile(join(FOLDER, `${name}.json`), `${withoutPlaces(stdout)}\n`);
}

/** Paths and process names of the machine that recorded have no place in a file that others read. */
function withoutPlaces(json: string): string {
  const scrubbed = (key: string, value: unknown): unknown => {
    if (key === 'stackTrace') return '';
    return typeof value === 'string' && /^\d+@/.test(value) ? 'recorder' : value;
  };
  return JSON.stringify(JSON.parse(json, scrubbed), null, 1);
}
