import { afterAll, expect, it } from 'vitest';
import { declareFile } from '../../src/platform/declared-tenant.ts';
import { openRoster } from '../../src/platform/live-roster.ts';
import { silentLogger } from '../../src/platform/logger.ts';
import type { MappingVersion } from '../../src/platform/mapping-version.ts';
import type { DeclaredTenant } from '../../src/platform/tenant-declaration.ts';
import { env, GOOD, tenantFolder } from '../support/stack/tenant-files.ts';
import { until } from '../support/until.ts';

/** A process follows the registry while it runs. */

const files = tenantFolder();
afterAll(() => files.remove());
const LOAD = { env, secrets: { folders: [], ownFiles: [], names: ['ACME_*'] } };

function declarationOf(tenant: string): NonNullable<DeclaredTenant['declaration']> {
  const text = GOOD.replace('tenant: acme', `tenant: ${tenant}`).replace(/^webhooks:.*\n/m, '');
  const result = declareFile(files.put('one.yaml', text), { ...LOAD, seal: false });
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  return result.declaration;
}

/** A registry that is kept here, and what was asked of it. */
function aRegistry() {
  const rows = new Map<string, DeclaredTenant>();
  const mappings: MappingVersion[] = [];
  const asked: number[] = [];
  const reports: (readonly { readonly tenant: string; readonly reason: string }[])[] = [];
  const state = { isOut: false, change: 0 };
  const put = (tenant: string, more: Partial<DeclaredTenant> = {}): void => {
    state.change += 1;
    const version = (rows.get(tenant)?.version ?? 0) + 1;
    rows.set(tenant, {
      ...{ tenant, declaration: declarationOf(tenant), state: 'active', version, change: state.change },
      ...{ changedAt: '', ...more },
    });
  };
  const registry = {
    tenantsSince: async (change: number) => {
      asked.push(change);
      if (state.isOut) throw new Error('the ledger is out');
      return [...rows.values()].filter((row) => row.change > change).sort((a, b) => a.change - b.change);
    },
    mappingsSince: async (change: number) => mappings.filter((one) => one.change > change),
    reportUnavailable: async (_process: string, unavailable: (typeof reports)[number]) => {
      reports.push(unavailable);
    },
  };
  const open = (pollEveryMs = 1) =>
    openRoster({
      ...{ files: [], registry, load: LOAD, process: 'worker 1', log: silentLogger, pollEveryMs },
      now: () => '2027-01-04T08:00:00.000Z',
    });
  return { put, rows, mappings, asked, reports, state, open };
}

it('asks once for all, then for what came after, and tells who came, changed and went', async () => {
  const { put, asked, open } = aRegistry();
  put('acme');
  put('beta');
  const roster = await open();
  const result: (readonly string[])[] = [];
  roster.onChange((names) => result.push(names));
  const before = roster.tenants()[0];
  await roster.refresh();
  expect([asked, result]).toEqual([[0, 2], []]);

  put('gamma');
  put('acme');
  await roster.refresh();
  expect(result).toEqual([['acme', 'gamma']]);
  expect(
    roster
      .tenants()
      .map(({ tenant }) => tenant)
      .sort(),
  ).toEqual(['acme', 'beta', 'gamma']);
  expect(roster.tenants()).not.toContain(before);

  put('beta', { state: 'removed' });
  await roster.refresh();
  expect(result.at(-1)).toEqual(['beta']);
  expect([...roster.roster().removed.keys()]).toEqual(['beta']);
  expect(asked).toEqual([0, 2, 2, 4]);
});

it('knows what it knew while the ledger is out, and catches up with it', async () => {
  const { put, state, open, asked } = aRegistry();
  put('acme');
  const roster = await open();
  const over = new AbortController();
  const watching = roster.watch(over.signal);
  state.isOut = true;
  const asks = asked.length;
  await until('it has asked in vain', async () => asked.length > asks + 2);
  expect(roster.tenants()).toHaveLength(1);
  put('beta');
  state.isOut = false;
  await until('it has caught up', async () => roster.tenants().length === 2);
  over.abort();
  await watching;
});

it('finds its way in a ledger that was restored from before', async () => {
  const { put, rows, state, open } = aRegistry();
  put('acme');
  put('beta');
  put('beta');
  const roster = await open();
  const over = new AbortController();
  const watching = roster.watch(over.signal);
  rows.delete('beta');
  state.change = 1;
  put('gamma');
  await until('it knows of what it was brought back to', async () =>
    roster
      .tenants()
      .map(({ tenant }) => tenant)
      .join()
      .includes('acme,gamma'),
  );
  over.abort();
  await watching;
});

it('tells the registry what it cannot serve, as long as it is so, and tries that again by itself', async () => {
  const { put, rows, reports, open } = aRegistry();
  put('acme');
  put('locked', { declaration: null });
  const roster = await open();
  expect(reports).toEqual([[{ tenant: 'locked', reason: expect.stringContaining('do not open') }]]);
  expect(roster.tenants().map(({ tenant }) => tenant)).toEqual(['acme']);
  const over = new AbortController();
  const watching = roster.watch(over.signal);
  await until('it is told again', async () => reports.length > 1);
  // The same version: what changed is the key that this process has.
  rows.set('locked', { ...rows.get('locked'), declaration: declarationOf('locked') } as DeclaredTenant);
  await until('it is served', async () => roster.tenants().length === 2);
  await until('that is told', async () => reports.at(-1)?.length === 0);
  over.abort();
  await watching;
});

it('takes its word back when it ends', async () => {
  const { put, reports, open } = aRegistry();
  put('locked', { declaration: null });
  const roster = await open(1_000);
  const over = new AbortController();
  const watching = roster.watch(over.signal);
  over.abort();
  await watching;
  expect(reports.map((result) => result.length)).toEqual([1, 0]);
});

const published = (version: number, text: string | null, more: Partial<MappingVersion> = {}): MappingVersion => ({
  ...{ tenant: 'acme', version, change: version, publishedAt: '' },
  content: { text, files: '', takenBackTo: null, by: 'ada', reason: null },
  ...more,
});

it('applies a published mapping instead of the files’, and the files’ again when a version says so', async () => {
  const { put, mappings, open } = aRegistry();
  put('acme');
  put('beta');
  const roster = await open();
  const changed: (readonly string[])[] = [];
  roster.onChange((names) => changed.push(names));
  const [first] = roster.tenants();
  mappings.push(published(1, 'fields: { description: { rule: manual } }'));
  await roster.refresh();
  const served = roster.roster().served.get('acme');
  expect([changed, served?.mappingVersion, served?.tenant.mapping.rules]).toEqual([
    [['acme']],
    1,
    { description: 'manual' },
  ]);
  await roster.refresh();
  put('beta');
  await roster.refresh();
  expect(roster.roster().served.get('acme')?.tenant).toBe(served?.tenant);
  mappings.push(published(2, null));
  await roster.refresh();
  expect([roster.tenants().find(({ tenant }) => tenant === 'acme'), changed.at(-1)]).toEqual([first, ['acme']]);
});

it.each([
  ['does not open', published(1, null, { content: null })],
  ['is for a newer release', published(1, 'fields: { description: { rule: unheard-of } }')],
])('serves no tenant whose published mapping %s, and says so', async (_, version) => {
  const { put, mappings, reports, open } = aRegistry();
  put('acme');
  put('beta');
  mappings.push(version);
  const roster = await open();
  expect(roster.tenants().map(({ tenant }) => tenant)).toEqual(['beta']);
  expect(reports.at(-1)).toEqual([{ tenant: 'acme', reason: expect.any(String) }]);
});

it('serves a tenant by an older mapping as long as the newest does not open, as the same object', async () => {
  const { put, mappings, open } = aRegistry();
  put('acme');
  const content = { text: 'fields: {}', files: '', takenBackTo: null, by: 'ada', reason: null };
  const newest = { tenant: 'acme', version: 2, change: 1, publishedAt: '', content };
  mappings.push({ ...newest, openedInstead: 1 });
  const roster = await open();
  const [older] = roster.tenants();
  expect(older?.unopenedMapping).toEqual({ version: 2, applies: 1 });
  expect(roster.roster().served.get('acme')?.mappingVersion).toBe(2);
  put('beta');
  await roster.refresh();
  expect(roster.tenants()).toContain(older);
  mappings.splice(0, 1, newest);
  put('gamma');
  const again = await open();
  expect(again.tenants()[0]?.unopenedMapping).toBeUndefined();
});
