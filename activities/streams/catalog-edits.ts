import { cancellationSignal } from '@temporalio/activity';
import type { CatalogKind } from '../../src/domain/streams/catalog-refresh.ts';
import { type CrmCursor, firstCrmCursor, pageStart } from '../../src/domain/streams/crm-cursor.ts';
import { cursorOf } from '../../src/domain/streams/streams.ts';
import type { CatalogMirror } from '../../src/mirror/catalog/catalog-mirror.ts';
import { CATALOG_MIRRORS, PORTFOLIO_MIRRORS } from '../../src/mirror/catalog/catalog-mirrors.ts';
import type { ChangeStream, Reading } from './stream.ts';
import { emptyWhereAbsent, sweptPage } from './swept-page.ts';

const PAGE_ROWS = 500;

/**
 * A catalog row that a user edited or deleted in the CRM. If a CRM object contains several kinds of rows, there is one entry for each kind;
 * the ledger (Lockstep's database) knows which kind the row has.
 */
export type CatalogEdit = { readonly kind: CatalogKind; readonly id: string; readonly isDeleted: boolean };

/**
 * The streams of changes that show which catalog rows users edited in the CRM, one stream for each CRM object. `of`: the kinds of catalog
 * rows (such as products and prices) that the object contains.
 */
export function catalogEdits(
  reading: Reading,
): readonly { readonly of: readonly CatalogKind[]; readonly part: ChangeStream<CrmCursor, CatalogEdit> }[] {
  const objects = Map.groupBy([...CATALOG_MIRRORS, ...PORTFOLIO_MIRRORS], ({ object }) => object);
  return [...objects].map(([object, mirrors]) => ({
    of: mirrors.map(({ kind }) => kind),
    part: editsOf(reading, object, mirrors),
  }));
}

function editsOf(
  reading: Reading,
  object: string,
  mirrors: readonly CatalogMirror[],
): ChangeStream<CrmCursor, CatalogEdit> {
  const { crm, tenant } = reading.runtime;
  // The name begins with `catalog`, because another stream of edits may read the same object and needs a cursor of its own.
  const part = `catalog ${object}`;
  const fields = [...new Set(mirrors.map(({ externalId }) => externalId))];
  return {
    part,
    first: firstCrmCursor,
    readPage: async (cursor) => {
      const position = pageStart(cursor, tenant.salesforce.sweep.overlapMs);
      const call = { signal: cancellationSignal() };
      const page = await crm
        .changedRows({ object, fields, byOthers: true }, position, PAGE_ROWS, call)
        .catch(emptyWhereAbsent(reading, position));
      const { unseen, ...swept } = await sweptPage(reading, cursorOf(reading.name, part), cursor, page, page.rows);
      const items = unseen.flatMap(({ fields: shown, isDeleted }) =>
        mirrors.flatMap(({ kind, externalId }) => {
          const id = shown[externalId];
          return typeof id === 'string' ? [{ kind, id, isDeleted }] : [];
        }),
      );
      return { ...swept, items };
    },
  };
}

/** Makes the next refresh of the catalog write again the rows that users edited or deleted in the CRM. */
export async function markCatalogEdits({ deps, runtime }: Reading, edits: readonly CatalogEdit[]): Promise<void> {
  for (const [kind, own] of Map.groupBy(edits, (edit) => edit.kind))
    for (const isDeleted of [false, true]) {
      const ids = own.filter((edit) => edit.isDeleted === isDeleted).map(({ id }) => id);
      if (ids.length === 0) continue;
      await deps.ledger.markEdited(runtime.tenant.tenant, kind, { ids, isDeleted }, deps.now());
    }
}
