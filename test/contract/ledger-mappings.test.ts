import { expect, it } from 'vitest';
import { listMappingVersions } from '../../src/operator/mapping/mapping-versions.ts';
import { publishMapping, takeMappingBack } from '../../src/operator/mapping/publish-mapping.ts';
import type { MappingPublication } from '../../src/platform/mapping-version.ts';
import { withPublished } from '../../src/platform/published-mapping.ts';
import type { Tenant } from '../../src/platform/tenant.ts';
import { at } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';
import { mappingConfig } from '../support/mapping/fixtures.ts';
import { NO_ROWS, org } from '../support/mapping/org-schema.ts';

/** Published versions of a tenant's mapping: kept, compared and set by one person at a time, and taken back. */

const { ledger, open, query } = await withLedger();

const content = (text: string | null, more: Partial<MappingPublication> = {}): MappingPublication => ({
  ...{ text, files: 'f', takenBackTo: null, by: 'ada', reason: 'because' },
  ...more,
});
const MANUAL = 'fields: { description: { rule: manual } }';
const tenantOf = (tenant: string): Tenant =>
  ({ tenant, mapping: mappingConfig(), imports: { owner: null, recordType: null, accountRecordType: null } }) as never;
const ports = {
  ledger,
  org: async () => ({ crm: { schema: async () => org(), ...NO_ROWS } }),
  now: () => at(5),
};
const asked = (basedOn: number, by = 'ada') => ({ basedOn, by, reason: 'because', anyway: false });

/** The tenant as a process serves it after it has read the newest version. */
async function served(name: string): Promise<Tenant> {
  const newest = (await ledger.mappingsSince(0)).find(({ tenant }) => tenant === name);
  const built = newest === undefined ? { tenant: tenantOf(name) } : withPublished(tenantOf(name), newest);
  if ('problems' in built) throw new Error(built.problems.map(({ message }) => message).join());
  return built.tenant;
}

it('keeps each version as it was published, and shows processes the newest of each tenant once', async () => {
  expect(await ledger.publishMapping('one', content('stages: []'), 0, at(0))).toBe(1);
  const [first] = await ledger.mappingsSince(0);
  expect(first).toMatchObject({ tenant: 'one', version: 1, publishedAt: at(0), content: content('stages: []') });
  expect(await ledger.publishMapping('one', content(null), 1, at(1))).toBe(2);
  expect(await ledger.publishMapping('two', content(MANUAL), 0, at(2))).toBe(1);
  const later = await ledger.mappingsSince(first?.change ?? 0);
  expect(later.map(({ tenant, version }) => [tenant, version])).toEqual([
    ['one', 2],
    ['two', 1],
  ]);
  expect(await ledger.mappingsSince(later.at(-1)?.change ?? 0)).toEqual([]);
  expect((await ledger.mappingVersions('one', 10)).map(({ version }) => version)).toEqual([2, 1]);
});

it('lets one of many who publish at once win, and loses no version', async () => {
  const other = await open(4);
  const each = Array.from({ length: 8 }, (_, n) =>
    (n % 2 === 0 ? ledger : other).publishMapping('race', content(`# ${n}`), 0, at(n)),
  );
  const won = (await Promise.all(each)).filter((version) => version !== null);
  expect(won).toEqual([1]);
  expect(await ledger.mappingVersions('race', 10)).toHaveLength(1);
});

it('says who published what since, to a person who saw an earlier version', async () => {
  const tenant = tenantOf('late');
  await publishMapping(ports, tenant, { ...asked(0), text: MANUAL });
  const late = publishMapping(ports, tenant, { ...asked(0, 'grace'), text: 'fields: { closeDate: { rule: crm } }' });
  await expect(late).rejects.toMatchObject({
    name: 'CannotPublish',
    message: expect.stringMatching(/ada published version 1 .* 1 setting: fields\.description\.rule/),
  });
});

it.each([
  ['cannot be read', 'fields: { description: { rule: everybody } }', /draft:1: fields\.description\.rule must be/],
  ['bombs', `a: &a [${'x, '.repeat(99)}x]\n${'b: [*a, *a]\n'.repeat(60)}`, /draft:/],
  ['is too large', `# ${'x'.repeat(300_000)}`, /larger than 256 KiB/],
  [
    'does not fit the org',
    'fields: { gtmTacticId: { crm: Nothing__c } }',
    /Nothing__c is not there.*repair|Nothing__c/s,
  ],
  ['changes nothing', '{}', /does not differ/],
])('publishes no mapping that %s', async (_, text, message) => {
  const publishing = publishMapping(ports, tenantOf('refused'), { ...asked(0), text });
  await expect(publishing).rejects.toMatchObject({ name: 'CannotPublish', message: expect.stringMatching(message) });
  expect(await ledger.mappingVersions('refused', 10)).toEqual([]);
});

it('publishes what does not fit the org if the person says so', async () => {
  const order = { ...asked(0), text: 'fields: { gtmTacticId: { crm: Nothing__c } }', anyway: true };
  expect(await publishMapping(ports, tenantOf('anyway'), order)).toMatchObject({
    version: 1,
    toBackfill: ['gtmTacticId'],
  });
});

it('takes a version back as a new one, and the files’ mapping too', async () => {
  const name = 'back';
  const text = 'fields: { nextMilestone: { values: { First: ONE } } }';
  await publishMapping(ports, tenantOf(name), { ...asked(0), text });
  await publishMapping(ports, await served(name), { ...asked(1), text: MANUAL });
  expect((await served(name)).mapping.rules).toEqual({ description: 'manual' });
  const third = await takeMappingBack(ports, await served(name), { ...asked(2), version: 1 });
  expect(third).toMatchObject({ version: 3, takenBackTo: 1, toBackfill: ['nextMilestone'] });
  expect((await served(name)).mapping).toEqual((await tenantWith(name, text)).mapping);
  await takeMappingBack(ports, await served(name), { ...asked(3), version: 0 });
  expect((await served(name)).mapping).toEqual(tenantOf(name).mapping);
  const shown = await listMappingVersions(ledger, await served(name), 10);
  expect(shown).toMatchObject({ current: 4, areFilesNewer: false, toBackfill: ['nextMilestone'] });
  expect(shown.versions.map(({ version, takenBackTo, isOfFiles }) => [version, takenBackTo, isOfFiles])).toEqual([
    [4, 0, true],
    [3, 1, false],
    [2, null, false],
    [1, null, false],
  ]);
  await expect(takeMappingBack(ports, tenantOf(name), { ...asked(4), version: 9 })).rejects.toThrow(/no version 9/);
});

async function tenantWith(name: string, text: string): Promise<Tenant> {
  const version = { tenant: name, version: 1, change: 1, publishedAt: at(0), content: content(text) };
  const built = withPublished(tenantOf(name), version);
  if ('problems' in built) throw new Error('it cannot be read');
  return built.tenant;
}

it('says that the files have changed since the last publication', async () => {
  await publishMapping(ports, tenantOf('files'), { ...asked(0), text: MANUAL });
  const changed = { ...tenantOf('files'), mapping: mappingConfig({ rules: { name: 'crm' } }) } as Tenant;
  expect(await listMappingVersions(ledger, changed, 10)).toMatchObject({ areFilesNewer: true });
  expect(await listMappingVersions(ledger, tenantOf('files'), 10)).toMatchObject({ areFilesNewer: false });
});

it('lets the newest version that opens apply, and says which one does not', async () => {
  const name = 'damaged';
  await publishMapping(ports, tenantOf(name), { ...asked(0), text: MANUAL });
  await publishMapping(ports, await served(name), { ...asked(1), text: 'fields: { description: { rule: crm } }' });
  await query(`update mapping_versions set content = 'x' where tenant = '${name}' and version = 2`);
  const tenant = await served(name);
  expect(tenant).toMatchObject({
    mapping: { rules: { description: 'manual' } },
    publishedMapping: { version: 1 },
    unopenedMapping: { version: 2, applies: 1 },
  });
  expect(await listMappingVersions(ledger, tenant, 10)).toMatchObject({ current: 2, applies: 1 });
  // A repair is another publication after the version that does not open.
  await publishMapping(ports, tenant, { ...asked(2), text: 'fields: { closeDate: { rule: crm } }' });
  expect(await served(name)).toMatchObject({ publishedMapping: { version: 3 } });
  expect((await served(name)).unopenedMapping).toBeUndefined();
});
