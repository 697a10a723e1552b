import { expect, it, vi } from 'vitest';
import { createActivities } from '../../activities/index.ts';
import type { ActivityDeps } from '../../activities/support/deps.ts';
import type { AuditResult, KeptAudit } from '../../src/domain/audit/audit-result.ts';
import { observeCrm, observeVendor } from '../../src/domain/mapping/index.ts';
import type { CrmGraph } from '../../src/domain/record/crm-graph.ts';
import type { AuditMark } from '../../src/ledger/links/audit-ledger.ts';
import { unseenLink } from '../../src/observe/unseen-link.ts';
import { audit } from '../../workflows/audit.ts';
import { type ActivityCall, runAsWorkflow, type WorkflowHost } from '../support/engine/workflow-host.ts';
import { mappingConfig } from '../support/mapping/fixtures.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));
vi.mock('@temporalio/activity', () => ({
  cancellationSignal: () => new AbortController().signal,
  log: { info: () => {}, warn: () => {} },
}));

const HOUR_MS = 3_600_000;
const START_MS = Date.parse('2027-01-10T00:00:00.000Z');
const iso = (ms: number): string => new Date(ms).toISOString();
const MAPPING = mappingConfig();

/**
 * A tenant with so many agreed pairs, over remotes and a ledger of the test that count what they are asked. Records changed
 * last an hour before `readMs`, when they were read.
 */
function tenantOf(count: number, readMs: number) {
  const calls = { searches: 0, vendorReads: 0, pages: 0, graphs: 0 };
  const now = { ms: START_MS };
  const marks = new Map<string, Partial<Record<AuditMark, string>>>();
  let kept: unknown = null;
  const pairs = Array.from({ length: count }, (_, n) => {
    const [crmId, vendorId] = [`006${String(n).padStart(15, '0')}`, `LO-${String(n).padStart(6, '0')}`];
    const version = iso(readMs - HOUR_MS);
    const raw = { name: `Deal ${n}`, modifiedDate: version, partnerLeadOpportunityId: crmId };
    const graph: CrmGraph = {
      opportunity: { Id: crmId, Name: `Deal ${n}`, Vendor_Share__c: true, SystemModstamp: version },
      account: null,
      lines: [],
      contacts: [],
      owner: null,
      sync: null,
      readAt: iso(readMs),
    };
    const observation = { ...observeVendor(raw, MAPPING, iso(readMs)), vendorId };
    const base = {
      crm: observeCrm(graph, MAPPING).record,
      vendor: observation.record,
      defaulted: [],
      awaitingEcho: [],
      linePairs: [],
      crmVersion: version,
      vendorVersion: version,
    };
    const ids = { crmId, vendorId };
    const link = { ...unseenLink('acme', ids, iso(readMs)), state: 'in-sync' as const, base };
    return {
      ...ids,
      raw,
      graph,
      link: { ...link, vendorObservation: observation },
      changedMs: readMs - HOUR_MS,
    };
  });
  const byId = new Map(pairs.flatMap((pair) => [[pair.crmId, pair] as const, [pair.vendorId, pair] as const]));
  const ledger = {
    pauses: async () => [],
    countLinked: async () => count,
    cursor: async () => kept,
    saveCursor: async (_: string, __: string, position: unknown) => {
      kept = position;
    },
    reserveRequest: async () => ({ allowed: true }),
    reportQuota: async () => {},
    auditedLinks: async (_: string, ids: { crmIds?: readonly string[]; vendorIds?: readonly string[] }) =>
      [...(ids.crmIds ?? []), ...(ids.vendorIds ?? [])]
        .flatMap((id) => byId.get(id) ?? [])
        .map(({ link }) => ({ link, provenAt: marks.get(link.key)?.vendor ?? null })),
    noteAudited: async (_: string, keys: readonly string[], mark: AuditMark, at: string) => {
      for (const key of keys) marks.set(key, { ...marks.get(key), [mark]: at });
      return keys.length;
    },
    countDiffering: async (_: string, at: string) => [...marks.values()].filter(({ differs }) => differs === at).length,
    unauditedPairs: async (
      _: string,
      side: 'vendor' | 'crm',
      at: string,
      { after, limit }: { after: string; limit: number },
    ) =>
      pairs
        .filter(({ link }) => link.key > after && (marks.get(link.key)?.[side] ?? '') < at)
        .slice(0, limit)
        .map(({ link: { key }, crmId, vendorId }) => ({ key, crmId, vendorId })),
  };
  const answered = { rateLimit: { limit: null, remaining: null, resetSeconds: null } };
  const vendor = {
    searchLeadOpportunities: async ({ data }: { data: { modifiedDate: { fromDate: string; toDate: string } }[] }) => {
      calls.searches += 1;
      const { fromDate, toDate } = data[0]?.modifiedDate ?? { fromDate: '', toDate: '' };
      const inside = pairs.filter(({ changedMs }) => iso(changedMs) >= fromDate && iso(changedMs) <= toDate);
      return { ...answered, data: [{ dsLeadOpportunityId: inside.map(({ vendorId }) => vendorId) }] };
    },
    readLeadOpportunity: async ({ id }: { id: string }) => {
      calls.vendorReads += 1;
      const raw = byId.get(id)?.raw;
      return { ...answered, data: { leadOpportunity: raw } };
    },
  };
  const crm = {
    graphsAfter: async ({ id }: { id: string }, limit: number) => {
      calls.pages += 1;
      const rest = pairs.filter(({ crmId }) => crmId > id).slice(0, limit);
      const last = rest.at(-1)?.crmId ?? id;
      const position = { systemModstamp: iso(0), id: last };
      return { graphs: rest.map(({ graph }) => graph), position, more: rest.length === limit };
    },
    readGraph: async () => {
      calls.graphs += 1;
      return null;
    },
  };
  const rhythm = { everyMs: 60_000, overlapMs: 300_000 };
  const tenant = {
    tenant: 'acme',
    mapping: MAPPING,
    vendor: { poll: rhythm },
    salesforce: { sweep: rhythm },
  };
  const deps = {
    ledger,
    runtime: () => ({ tenant, vendor, crm }),
    wake: async () => {},
    now: () => iso(now.ms),
  } as unknown as ActivityDeps;
  const activities = createActivities(deps) as unknown as Record<string, (args: unknown) => Promise<unknown>>;
  const host = {
    schedule: async ({ name, args }: ActivityCall) => {
      now.ms += 1;
      return activities[name]?.(...(args as [unknown]));
    },
    setCurrentDetails: () => {},
    setHandler: () => {},
    info: () => ({ historyLength: 1, continueAsNewSuggested: false }),
  } as unknown as WorkflowHost;
  return {
    calls,
    now,
    proven: () => (kept as KeptAudit).proven,
    audit: () => runAsWorkflow(host, () => audit({ tenant: 'acme', repairs: true })) as Promise<AuditResult>,
  };
}

it.each([
  [300, 1],
  [2_500, 2],
])('of %i deals that are as they were, some searches and a call for 2,000 rows tell all', async (count, pages) => {
  const { audit: run, calls, now, proven } = tenantOf(count, START_MS);
  now.ms += 30 * HOUR_MS;
  // Nobody has looked since the readings, so what came shortly after them has to be ruled out once.
  const first = await run();
  expect(first).toMatchObject({ pairs: count, differing: 0, underWay: 0, repaired: 0, left: 0 });
  expect(calls).toEqual({ searches: 2, vendorReads: count, pages, graphs: 0 });
  expect(proven()).toBe(first.startedAt);
  // Periods double: how old the records are costs its logarithm.
  for (const searches of [3, 3, 4]) {
    now.ms += 24 * HOUR_MS;
    Object.assign(calls, { searches: 0, vendorReads: 0, pages: 0, graphs: 0 });
    const next = await run();
    expect(next).toMatchObject({ differing: 0, underWay: 0 });
    expect(next.asked).toEqual({ vendorSearches: searches, vendorReads: 0, crmReads: pages });
    expect(calls).toEqual({ searches, vendorReads: 0, pages, graphs: 0 });
  }
});
