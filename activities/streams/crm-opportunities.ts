import { cancellationSignal } from '@temporalio/activity';
import {
  afterPage,
  type CrmCursor,
  firstCrmCursor,
  pageStart,
  sweepStart,
  toldRows,
} from '../../src/domain/streams/crm-cursor.ts';
import { STREAMS } from '../../src/domain/streams/streams.ts';
import type { CrmChange, CrmStream } from '../../src/salesforce/crm.ts';
import type { ActivityDeps, TenantRuntime } from '../support/deps.ts';
import { type ChangedOpportunity, dueOpportunities } from './due-opportunities.ts';
import { type ChangeStream, readInto, type StreamSource } from './stream.ts';

/** The objects of a deal's graph: an edit of a line, a role, an account or a contact need not touch the opportunity. */
const OBJECTS: readonly CrmStream[] = [
  'Opportunity',
  'OpportunityLineItem',
  'OpportunityContactRole',
  'Account',
  'Contact',
];

const PAGE_ROWS = 500;

/** Looks through the CRM's changes, object by object, and wakes each opportunity they touch once. */
export const crmOpportunities: StreamSource = (deps, runtime) => {
  const { tenant } = runtime.tenant;
  const streams = OBJECTS.map((object) => changesOf(deps, runtime, object));
  return readInto(deps, tenant, streams, dueOpportunities(deps, tenant, 'crm'));
};

function changesOf(
  deps: ActivityDeps,
  { crm, tenant: { tenant, salesforce } }: TenantRuntime,
  object: CrmStream,
): ChangeStream<CrmCursor, ChangedOpportunity> {
  const { overlapMs } = salesforce.sweep;
  const name = `${STREAMS.sweepSalesforce.cursor}:${object}`;
  return {
    name,
    first: firstCrmCursor,
    readPage: async (cursor) => {
      const call = { signal: cancellationSignal() };
      const page = await crm.changesAfter(object, pageStart(cursor, overlapMs), PAGE_ROWS, call);
      const changes = await concerning(deps, tenant, page.changes);
      const unseen = await deps.ledger.unseenRows(tenant, name, changes);
      const opportunities = new Set(unseen.map((row) => row.opportunityId));
      // Read from earlier on than is needed, a row is known; from later on, it is missed: the CRM's clock is not trusted there.
      const now = [page.now, deps.now()].sort()[0] ?? page.now;
      const after = afterPage(cursor, { ...page, now });
      return {
        items: [...opportunities].map((crmId) => ({ opportunity: { crmId } })),
        cursor: after,
        more: page.more,
        seen: { rows: toldRows(unseen, page.now), forgetBefore: sweepStart(after, overlapMs) },
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
