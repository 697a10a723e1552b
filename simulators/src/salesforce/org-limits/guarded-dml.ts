import type { Access } from '../permissions/access.ts';
import { rightsOf } from '../permissions/rights.ts';
import { publishedFailure } from '../published-errors.ts';
import type { ObjectDef } from '../schema/types.ts';
import type { Author, Dml } from '../store/dml.ts';
import { normalizeId } from '../store/ids.ts';
import type { Row } from '../store/row.ts';
import type { Store } from '../store/store.ts';
import type { OrgLimits } from './org-limits.ts';

type Guards = { readonly store: Store; readonly limits: OrgLimits; readonly access: Access };

/**
 * Writes that the org refuses in read-only mode (INSERT_UPDATE_DELETE_NOT_ALLOWED_DURING_MAINTENANCE), and for rows that an approval locks
 * (ENTITY_IS_LOCKED). A locked row locks its details too, and only users who may modify all rows of its object change it.
 */
export function guardDml(dml: Dml, guards: Guards): Dml {
  const { store, limits } = guards;
  const writable = (object: ObjectDef, ids: readonly string[], by: Author): void => {
    if (limits.state().readOnly) throw publishedFailure('INSERT_UPDATE_DELETE_NOT_ALLOWED_DURING_MAINTENANCE');
    for (const id of ids) checkLock(guards, object, id, by);
  };
  return {
    create: (object, input, by) => {
      writable(object, [], by);
      return store.transact(() => {
        const id = dml.create(object, input, by);
        checkLock(guards, object, id, by);
        return id;
      });
    },
    update: (object, id, input, by) => {
      writable(object, [id], by);
      dml.update(object, id, input, by);
    },
    remove: (object, id, by) => {
      writable(object, [id], by);
      dml.remove(object, id, by);
    },
    purge: (object, id, by) => {
      writable(object, [id], by);
      dml.purge(object, id, by);
    },
    undelete: (object, id, by) => {
      writable(object, [id], by);
      dml.undelete(object, id, by);
    },
    merge: (object, winnerId, loserId, by) => {
      writable(object, [winnerId, loserId], by);
      dml.merge(object, winnerId, loserId, by);
    },
  };
}

function checkLock({ store, limits, access }: Guards, seen: ObjectDef, id: string, by: Author): void {
  const object = store.schema.object(seen.name);
  const row = object && store.get(object.name, normalizeId(id) ?? '');
  if (object === undefined || row === undefined) return;
  for (const each of [{ object, id: String(row['Id']) }, ...mastersOf(store, object, row)]) {
    const mayModifyAll = rightsOf(access.grants(by.userId)).object(each.object.name).modifyAll;
    if (limits.isLocked(each.id) && !mayModifyAll) throw publishedFailure('ENTITY_IS_LOCKED');
  }
}

/** The master rows of a row, by its master-detail fields. Products of a locked opportunity are not locked, as published. */
function mastersOf(store: Store, object: ObjectDef, row: Row): readonly { object: ObjectDef; id: string }[] {
  return [...object.fields.values()].flatMap(({ name, custom, nillable, reference }) => {
    const isMaster = custom && !nillable && reference?.cascade === true;
    const master = isMaster ? store.schema.object(reference?.to ?? '') : undefined;
    return master === undefined ? [] : [{ object: master, id: String(row[name]) }];
  });
}
