import { cancellationSignal, log } from '@temporalio/activity';
import type { CrmFields } from '../../src/domain/record/crm-graph.ts';
import type { CrmObject } from '../../src/domain/streams/streams.ts';
import type { ActivityDeps, TenantRuntime } from '../support/deps.ts';
import type { Sink } from './stream.ts';

/**
 * Upserts rows into an object of the CRM, then moves the cursor; a page that is taken again changes nothing. A row that
 * the CRM refuses for its own sake holds nobody up: it is counted, and its code is logged. Any other failure ends the
 * run before the cursor moves.
 */
export function crmRows(
  deps: ActivityDeps,
  { tenant: { tenant }, crm }: TenantRuntime,
  { object, externalId }: CrmObject,
): Sink<CrmFields> {
  let found = 0;
  let refused = 0;
  return {
    begin: async () => true,
    take: async (rows, { stream, position }) => {
      const outcomes = await crm.upsertRows(object, externalId, rows, { signal: cancellationSignal() });
      for (const error of outcomes) {
        if (error === null) continue;
        if (error.kind !== 'permanent') throw error;
        refused += 1;
        log.warn('the CRM refused a row', { object, code: error.code });
      }
      found += rows.length;
      await deps.ledger.saveCursor(tenant, stream, position, deps.now());
    },
    finish: async () => ({ found, refused }),
  };
}
