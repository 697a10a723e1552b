import { cancellationSignal } from '@temporalio/activity';
import { type CrmCursor, firstCrmCursor, pageStart } from '../../src/domain/streams/crm-cursor.ts';
import { cursorOf } from '../../src/domain/streams/streams.ts';
import type { Mirror } from '../../src/mirror/mirror.ts';
import { CHARGE_LINE_MIRROR } from '../../src/mirror/orders/charge-line-mirror.ts';
import { ORDER_MIRROR } from '../../src/mirror/orders/order-mirror.ts';
import { type ChangeStream, type Reading, readInto, type Sink, type StreamSource } from './stream.ts';
import { sweptPage } from './swept-page.ts';

const MIRRORS: readonly Mirror[] = [ORDER_MIRROR, CHARGE_LINE_MIRROR];
const PAGE_ROWS = 500;

/** A mirrored row that somebody edited or deleted in the CRM. */
type Edit = { readonly object: string; readonly id: string; readonly isDeleted: boolean };

/**
 * Looks for mirrored rows that others than we changed last or deleted, and puts what they show in doubt: the stream that reads
 * their details gives them anew.
 */
export const mirrorEdits: StreamSource<'checkMirror'> = (stream) =>
  readInto(
    stream,
    MIRRORS.map((mirror) => editsOf(stream, mirror)),
    doubts(stream),
  );

function editsOf(reading: Reading, mirror: Mirror): ChangeStream<CrmCursor, Edit> {
  const { crm, tenant } = reading.runtime;
  const { overlapMs } = tenant.salesforce.sweep;
  const { object } = mirror;
  return {
    part: object,
    first: firstCrmCursor,
    readPage: async (cursor) => {
      const call = { signal: cancellationSignal() };
      const page = await crm.changedByOthers(mirror, pageStart(cursor, overlapMs), PAGE_ROWS, call);
      const { unseen, ...swept } = await sweptPage(
        reading,
        cursorOf(reading.name, object),
        cursor,
        page,
        page.rows,
      );
      const items = unseen.flatMap(({ externalId, isDeleted }) =>
        externalId === null ? [] : [{ object, id: externalId, isDeleted }],
      );
      return { ...swept, items };
    },
  };
}

/** What hangs on a row that was deleted may have gone with it. */
function doubts({ deps, runtime }: Reading): Sink<Edit> {
  const { tenant } = runtime.tenant;
  let found = 0;
  return {
    begin: async () => true,
    take: async (edits, move) => {
      const at = deps.now();
      for (const { object } of MIRRORS) {
        for (const details of [false, true]) {
          const ids = edits
            .filter((edit) => edit.object === object && edit.isDeleted === details)
            .map(({ id }) => id);
          if (ids.length > 0) await deps.ledger.doubtRows(tenant, object, { ids, details }, at);
        }
      }
      await deps.ledger.moveCursor(tenant, move, at);
      found += edits.length;
    },
    finish: async () => ({ found }),
  };
}
