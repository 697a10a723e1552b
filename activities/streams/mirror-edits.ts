import { cancellationSignal } from '@temporalio/activity';
import { type CrmCursor, firstCrmCursor, pageStart } from '../../src/domain/streams/crm-cursor.ts';
import { cursorOf } from '../../src/domain/streams/streams.ts';
import type { Mirror } from '../../src/mirror/mirror.ts';
import { CHARGE_LINE_MIRROR } from '../../src/mirror/orders/charge-line-mirror.ts';
import { ORDER_MIRROR } from '../../src/mirror/orders/order-mirror.ts';
import { type CatalogEdit, catalogEdits, markCatalogEdits } from './catalog-edits.ts';
import { isOfARow } from './crm-rows.ts';
import { type Relink, relinksOf, targetObjects } from './row-targets.ts';
import {
  type ChangeStream,
  type Reading,
  readInto,
  readStored,
  type Sink,
  type StreamSource,
  type TakenPages,
} from './stream.ts';
import { sweptPage } from './swept-page.ts';

const MIRRORS: readonly Mirror[] = [ORDER_MIRROR, CHARGE_LINE_MIRROR];
const PAGE_ROWS = 500;

/** A mirrored row (a CRM row that Lockstep copies from the vendor) that a user edited or deleted in the CRM. */
type Edit = { readonly mirror: Mirror; readonly id: string; readonly isDeleted: boolean };

/**
 * A stream of the changes of one CRM object that may affect mirrored rows (CRM rows copied from the vendor). `of`: the objects or kinds of
 * the mirrored rows that may be affected. If there are no such rows, the stream is not read.
 */
export type MirrorPart = {
  readonly of: readonly string[];
  readonly part: ChangeStream<CrmCursor, Edit | Relink | CatalogEdit>;
};

/**
 * Finds changes in the CRM that affect mirrored rows (CRM rows that Lockstep copies from the vendor). Rows that users edited or deleted are
 * written again later. A mirrored row's lookups are set again after a change of a record to which they may refer. They refer to the record
 * whose values match the row, and after the change another record may match. Objects are not read if no mirrored rows depend on them.
 */
export const mirrorEdits: StreamSource<'checkMirror'> = (stream) => ({
  // No fixed cursors, because they depend on which objects have mirrored rows.
  cursors: [],
  read: (pages) => readNeeded(stream, pages),
});

async function readNeeded(stream: Reading, pages: number): Promise<TakenPages> {
  const parts = partsOf(stream);
  const { ledger } = stream.deps;
  const { tenant } = stream.runtime.tenant;
  const kept = new Set(await ledger.mirroredObjects(tenant, [...new Set(parts.flatMap(({ of }) => of))]));
  const [needed, idle] = [true, false].map((isNeeded) =>
    parts.flatMap(({ of, part }) => (of.some((object) => kept.has(object)) === isNeeded ? [part] : [])),
  );
  const names = (idle ?? []).map(({ part }) => cursorOf(stream.name, part));
  if (names.length > 0) await ledger.forgetCursors(tenant, names);
  return readStored(stream.deps, tenant, readInto(stream, needed ?? [], followed(stream)), pages);
}

function partsOf(stream: Reading): readonly MirrorPart[] {
  const objects = MIRRORS.map(({ object }) => object);
  return [
    ...MIRRORS.map((mirror) => ({ of: [mirror.object], part: editsOf(stream, mirror) })),
    ...targetObjects(stream.runtime, MIRRORS).map((object) => ({
      of: objects,
      part: relinksOf(stream, MIRRORS, object),
    })),
    ...catalogEdits(stream),
  ];
}

function editsOf(reading: Reading, mirror: Mirror): ChangeStream<CrmCursor, Edit> {
  const { crm, tenant } = reading.runtime;
  const { overlapMs } = tenant.salesforce.sweep;
  const { object, externalId } = mirror;
  const part = cursorOf(reading.name, object);
  return {
    part: object,
    first: firstCrmCursor,
    readPage: async (cursor) => {
      const call = { signal: cancellationSignal() };
      const of = { object, fields: [externalId], byOthers: true };
      const page = await crm.changedRows(of, pageStart(cursor, overlapMs), PAGE_ROWS, call);
      const { unseen, ...swept } = await sweptPage(reading, part, cursor, page, page.rows);
      const items = unseen.flatMap(({ fields, isDeleted }) => {
        const id = fields[externalId];
        // A row that a user created may lack an external id.
        return typeof id === 'string' ? [{ mirror, id, isDeleted }] : [];
      });
      return { ...swept, items };
    },
  };
}

function followed(reading: Reading): Sink<Edit | Relink | CatalogEdit> {
  const { deps, runtime } = reading;
  const { tenant } = runtime.tenant;
  let found = 0;
  return {
    begin: async () => true,
    take: async (items, move) => {
      for (const mirror of MIRRORS) {
        const own = items.filter((item) => 'mirror' in item).filter((item) => item.mirror === mirror);
        await markEdits(
          reading,
          mirror,
          own.filter((item) => 'isDeleted' in item),
        );
        await relink(
          reading,
          mirror,
          own.filter((item) => 'row' in item),
        );
      }
      await markCatalogEdits(
        reading,
        items.filter((item) => 'kind' in item),
      );
      await deps.ledger.moveCursor(tenant, move, deps.now());
      found += items.length;
    },
    finish: async () => ({ found }),
  };
}

/**
 * Marks as in doubt the rows that users edited or deleted: the CRM may show other values than Lockstep wrote. With a deleted row, also
 * marks its detail rows (the lines of an order), because Salesforce may have deleted them with it.
 */
async function markEdits({ deps, runtime }: Reading, { object }: Mirror, edits: readonly Edit[]): Promise<void> {
  for (const details of [false, true]) {
    const ids = edits.filter(({ isDeleted }) => isDeleted === details).map(({ id }) => id);
    if (ids.length === 0) continue;
    await deps.ledger.markInDoubt(runtime.tenant.tenant, object, { ids, details }, deps.now());
  }
}

/**
 * Writes new lookups of mirrored rows (CRM rows copied from the vendor). A row that the CRM refuses keeps its old lookups. If a row now
 * belongs to another opportunity, its lookups are not written here. Instead, the row is marked in doubt, so that the stream that copies the
 * row writes all of it again.
 */
async function relink(
  { deps, runtime }: Reading,
  { object, externalId }: Mirror,
  relinks: readonly Relink[],
): Promise<void> {
  const ids = relinks.flatMap(({ row, isMoved }) => (isMoved ? [String(row[externalId])] : []));
  if (ids.length > 0) await deps.ledger.markInDoubt(runtime.tenant.tenant, object, { ids, details: false }, deps.now());
  const rows = relinks.flatMap(({ row, isMoved }) => (isMoved ? [] : [row]));
  if (rows.length === 0) return;
  const call = { signal: cancellationSignal() };
  const answers = await runtime.crm.upsertRows(object, externalId, rows, call);
  const fault = answers.find((error) => error !== null && !isOfARow(error));
  if (fault) throw fault;
}
