import type { ObjectDef } from '../schema/types.ts';
import { crossReferenceHidden } from '../store/checks.ts';
import type { Author, Dml } from '../store/dml.ts';
import { failure } from '../store/failure.ts';
import { normalizeId } from '../store/ids.ts';
import type { Row } from '../store/row.ts';
import type { Store } from '../store/store.ts';
import type { Rights } from './rights.ts';
import { controllingParent, reaches, type Sharing } from './sharing.ts';
import type { Level } from './types.ts';

export type UserSite = {
  readonly dml: Dml;
  /** The whole org, and the user's view of it. */
  readonly whole: Store;
  readonly seen: Store;
  readonly rights: Rights;
  readonly sharing: Sharing;
};

/** The writes of a restricted user, refused if the user lacks rights on objects, fields or rows. */
export function userDml(site: UserSite): Dml {
  const { dml, whole, seen } = site;
  const sees = (by: Author): Author => ({ ...by, sees: seen });
  return {
    create: (object, input, by) =>
      whole.transact(() => {
        const id = dml.create(object, input, sees(by));
        checkParentEdit(site, object, id);
        return id;
      }),
    update: (object, id, input, by) => {
      checkRow(site, object, id, 'edit');
      dml.update(object, id, input, sees(by));
    },
    remove: (object, id, by) => {
      checkRow(site, object, id, isDetail(object) ? 'edit' : 'full');
      dml.remove(object, id, sees(by));
    },
    purge: (object, id, by) => {
      checkRow(site, object, id, 'full');
      dml.purge(object, id, sees(by));
    },
    undelete: (object, id, by) => {
      checkRow(site, object, id, 'full');
      dml.undelete(object, id, sees(by));
    },
    merge: (object, winnerId, loserId, by) => {
      for (const id of [winnerId, loserId]) checkRow(site, object, id, 'full');
      dml.merge(object, winnerId, loserId, sees(by));
    },
  };
}

/**
 * Refuses a row that the user may not see, or may not change to this extent (API error codes: INSUFFICIENT_ACCESS_OR_READONLY,
 * INSUFFICIENT_ACCESS_ON_CROSS_REFERENCE_ENTITY). The write itself refuses an absent row.
 */
function checkRow({ whole, rights, sharing }: UserSite, seen: ObjectDef, id: string, wanted: Level): void {
  const object = whole.schema.object(seen.name);
  const row = whole.get(seen.name, normalizeId(id) ?? '');
  if (object === undefined || row === undefined) return;
  const level = sharing.level(object, row);
  if (level === 'none') throw crossReferenceHidden(String(row['Id']));
  const may = rights.object(object.name);
  const hasRight = wanted === 'full' ? may.delete : may.edit;
  if (!hasRight || !reaches(level, wanted)) throw insufficientAccess();
}

/** Refuses a new detail if the user may not edit its master. */
function checkParentEdit({ whole, sharing }: UserSite, object: ObjectDef, id: string): void {
  const row: Row | undefined = isDetail(object) ? whole.get(object.name, id) : undefined;
  const full = whole.schema.object(object.name);
  if (row === undefined || full === undefined) return;
  if (!reaches(sharing.level(full, row), 'edit')) throw insufficientAccess();
}

/** Rows without an owner of their own, whose parent decides. */
function isDetail(object: ObjectDef): boolean {
  return !object.fields.has('ownerid') && controllingParent(object) !== undefined;
}

function insufficientAccess(): Error {
  return failure(403, 'INSUFFICIENT_ACCESS_OR_READONLY', 'insufficient access rights on object id', []);
}
