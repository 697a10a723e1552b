import { cancellationSignal } from '@temporalio/activity';
import {
  afterPage,
  type CrmCursor,
  firstCrmCursor,
  pageStart,
  unseenOf,
} from '../../src/domain/streams/crm-cursor.ts';
import type { CrmChange, CrmStream } from '../../src/salesforce/crm.ts';
import type { ActivityDeps, TenantArgs, TenantRuntime } from '../support/deps.ts';
import { type ChangeStream, type StreamRun, takeInChanges } from './stream.ts';

/** The objects of a deal's graph: an edit of a line, a role, an account or a contact need not touch the opportunity. */
const OBJECTS: readonly CrmStream[] = [
  'Opportunity',
  'OpportunityLineItem',
  'OpportunityContactRole',
  'Account',
  'Contact',
];

const PAGE_ROWS = 500;
const RUN: StreamRun = { work: 'crm-changes', cause: 'crm', pages: 10 };

/** Looks through the CRM's changes, object by object, and wakes each opportunity they touch once. */
export function createSweepChanges(deps: ActivityDeps) {
  return async function sweepChanges({ tenant }: TenantArgs): Promise<{ found: number; more: boolean }> {
    const runtime = deps.runtime(tenant);
    const streams = OBJECTS.map((object) => changesOf(deps, runtime, object));
    const { found, more } = await takeInChanges(deps, tenant, streams, RUN);
    return { found, more };
  };
}

function changesOf(
  deps: ActivityDeps,
  { crm, tenant: { tenant, salesforce } }: TenantRuntime,
  object: CrmStream,
): ChangeStream<CrmCursor> {
  const { overlapMs } = salesforce.sweep;
  return {
    name: `crm:${object}`,
    first: firstCrmCursor,
    readPage: async (cursor) => {
      const call = { signal: cancellationSignal() };
      const page = await crm.changesAfter(object, pageStart(cursor, overlapMs), PAGE_ROWS, call);
      const rows = await concerning(deps, tenant, page.changes);
      const opportunities = new Set(unseenOf(cursor, rows).map((row) => row.opportunityId));
      return {
        ids: [...opportunities].map((crmId) => ({ crmId })),
        cursor: afterPage(cursor, { ...page, rows }, overlapMs),
        more: page.more,
      };
    },
  };
}

/** Changes of opportunities that are shared, and of those that are no more and whose links still flow. */
async function concerning(
  { ledger }: ActivityDeps,
  tenant: string,
  changes: readonly CrmChange[],
): Promise<readonly CrmChange[]> {
  const others = changes.filter((change) => !change.mayBeShared).map((change) => change.opportunityId);
  if (others.length === 0) return changes;
  const activeCrmIds = new Set(await ledger.activeCrmIds(tenant, others));
  return changes.filter((change) => change.mayBeShared || activeCrmIds.has(change.opportunityId));
}
