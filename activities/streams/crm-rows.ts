import { cancellationSignal, log } from '@temporalio/activity';
import type { CrmValue } from '../../src/domain/record/crm-graph.ts';
import type { CrmObject, VendorStreamRow } from '../../src/domain/streams/streams.ts';
import type { Sink, StreamOf } from './stream.ts';

/** A row as it is written: every field that the stream's row names, and no other. */
export type CrmRow<Into extends CrmObject> = {
  readonly [Field in Into['fields'][number]]: CrmValue;
} & { readonly [Field in Into['externalId']]: string };

type IntoCrm = VendorStreamRow & { readonly into: CrmObject };

/**
 * Upserts rows into the object of the CRM that the stream's row names, then moves the cursor; a page that is taken again
 * changes nothing. A row that the CRM refuses for its own sake holds nobody up: it is counted, and its code is logged. Any
 * other failure ends the run before the cursor moves.
 */
export function crmRows<Row extends IntoCrm>({
  row: { into },
  deps,
  runtime: {
    tenant: { tenant },
    crm,
  },
}: StreamOf<Row>): Sink<CrmRow<Row['into']>> {
  const { object, externalId } = into;
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
