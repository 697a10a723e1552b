import type { ObjectDef } from '../schema/types.ts';
import { syncAddresses } from './address-rules.ts';
import { checkOwner, checkReferences, checkUnique } from './checks.ts';
import { checkDeletable } from './delete-constraints.ts';
import { type ApiFailure, failure } from './failure.ts';
import { noteHistory } from './field-history.ts';
import { writableRow } from './find.ts';
import { normalizeId } from './ids.ts';
import { checkRequired, type Input, readInput } from './input.ts';
import { stampAfter, toApiInstant } from './instant.ts';
import { checkPersonContact, completeAccountKind } from './person-accounts.ts';
import { rowsOf } from './relations.ts';
import type { Row, Value } from './row.ts';
import type { AfterSaveContext, Author, Draft, OrgRules, SaveContext } from './rule-types.ts';
import { OBJECT_RULES } from './rules.ts';
import type { Store } from './store.ts';

export type { Author };

/** Writes to the org's rows with all checks and automatic changes of Salesforce. All methods throw `ApiFailure`. */
export interface Dml {
  /** Inserts a row and returns its id. */
  create(object: ObjectDef, input: Input, by: Author): string;
  update(object: ObjectDef, id: string, input: Input, by: Author): void;
  /** Moves a row and its children to the recycle bin. */
  remove(object: ObjectDef, id: string, by: Author): void;
  /** Deletes a row and its children permanently, whether it is in the recycle bin or not. */
  purge(object: ObjectDef, id: string, by: Author): void;
  /** Restores a row, and all rows deleted together with it. Refused if two rows would then have a unique value. */
  undelete(object: ObjectDef, id: string, by: Author): void;
  /**
   * Merges `loserId` into `winnerId`: children of the loser move to the winner, and the loser goes to the recycle bin with its
   * `MasterRecordId`. Only objects with that field can be merged.
   */
  merge(object: ObjectDef, winnerId: string, loserId: string, by: Author): void;
}

/** The key, on a deleted row, for the id of the row that it was deleted with. */
const DELETED_WITH = '$deletedWith';

export function createDml(store: Store, now: () => Date, orgRules: OrgRules = {}): Dml {
  const site = (by: Author): Site => ({ store, now, by, orgRules });
  return {
    create: (object, input, by) => store.transact(() => create(site(by), object, input)),
    update: (object, id, input, by) => store.transact(() => update(site(by), object, id, input)),
    remove: (object, id, by) => {
      if (!object.deletable) throw notDeletable(object);
      store.transact(() => {
        const row = writableRow(store, object, id);
        removeWithChildren(site(by), object, row, String(row['Id']));
      });
    },
    merge: (object, winnerId, loserId, by) => store.transact(() => merge(site(by), object, winnerId, loserId)),
    purge: (object, id, by) => store.transact(() => purge(site(by), object, id)),
    undelete: (object, id, by) => store.transact(() => undelete(site(by), object, id)),
  };
}

/** The org and the author of a write. */
type Site = {
  readonly store: Store;
  readonly now: () => Date;
  readonly by: Author;
  readonly orgRules: OrgRules;
};

function stamped({ now, by }: Site, draft: Draft, previous: Row | null): Row {
  const last = previous?.['SystemModstamp'];
  const stamp = by.at ?? stampAfter(typeof last === 'string' ? last : undefined, now());
  return { ...draft, LastModifiedDate: stamp, LastModifiedById: by.userId, SystemModstamp: stamp };
}

function touch(site: Site) {
  const { store } = site;
  return (type: string, id: string, set: Readonly<Record<string, Value>>) => {
    const row = store.get(type, id);
    const object = store.schema.object(type);
    if (row === undefined || object === undefined) return;
    const after = stamped(site, { ...row, ...set }, row);
    store.put(type, after, 'update');
    noteHistory(store, object, row, after);
    site.orgRules.afterSave?.({ store, object, by: site.by, before: row, after, ...moment(site) });
  };
}

function moment(site: Site): Pick<SaveContext, 'nowStamp' | 'touch'> {
  return { nowStamp: site.by.at ?? toApiInstant(site.now()), touch: touch(site) };
}

function save(site: Site, object: ObjectDef, before: Row | null, draft: Draft, given: Set<string>): void {
  const { store, by, orgRules } = site;
  const rules = OBJECT_RULES[object.name];
  const context: SaveContext = { store, object, by, before, draft, given, ...moment(site) };
  completeAccountKind(context, orgRules.newAccounts?.(by.userId) ?? 'business');
  checkPersonContact(context);
  orgRules.beforeSave?.(context);
  checkRequired(object, draft, by.conversion?.isValidated === false);
  checkReferences(store, by.sees, object, draft, given);
  checkOwner(store, object, draft, given);
  checkUnique(store, object, draft, given);
  syncAddresses(context);
  rules?.beforeSave?.(context);
  orgRules.validate?.(context);
  orgRules.assign?.(context);
  const after = stamped(site, draft, before);
  store.put(object.name, after, before === null ? 'insert' : 'update');
  noteHistory(store, object, before, after);
  afterSave(site, object, before, after);
}

function afterSave(site: Site, object: ObjectDef, before: Row | null, after: Row): void {
  const { store, by, orgRules } = site;
  const context: AfterSaveContext = { store, object, by, before, after, ...moment(site) };
  OBJECT_RULES[object.name]?.afterSave?.(context);
  orgRules.afterSave?.(context);
}

function create(site: Site, seen: ObjectDef, input: Input): string {
  if (!seen.createable) throw notCreatable(seen);
  const { store, now, by } = site;
  const given = readInput(by.sees ?? store, seen, input, 'create');
  const object = wholeObject(store, seen);
  const id = store.nextId(object.keyPrefix);
  const draft = newDraft(store, object, id, by, by.at ?? toApiInstant(now()));
  for (const [name, value] of given) draft[name] = value ?? draft[name] ?? null;
  save(site, object, null, draft, new Set(given.keys()));
  if (draft['IsPersonAccount'] === true && object.name === 'Account') makePersonContact(site, draft);
  return id;
}

/** The contact of a new person account, through which it is a contact too. */
function makePersonContact(site: Site, account: Draft): void {
  const { store, by } = site;
  const contact = store.schema.object('Contact');
  if (contact === undefined) return;
  const names = { LastName: account['LastName'] ?? null, FirstName: account['FirstName'] ?? null };
  const input = { ...names, Email: account['PersonEmail'] ?? null };
  const id = create({ ...site, by: { ...by } }, contact, input);
  touch(site)('Contact', id, { AccountId: account['Id'] ?? null, IsPersonAccount: true });
  touch(site)('Account', String(account['Id']), { PersonContactId: id });
}

function update(site: Site, seen: ObjectDef, id: string, input: Input): void {
  const { store, by } = site;
  const before = writableRow(store, seen, id);
  const given = readInput(by.sees ?? store, seen, input, 'update');
  const object = wholeObject(store, seen);
  save(site, object, before, { ...before, ...Object.fromEntries(given) }, new Set(given.keys()));
}

/** Moves a row into or out of the recycle bin; returns the follow-up work, which the caller runs. */
function setDeleted(site: Site, object: ObjectDef, row: Row, rootId: string | null): () => void {
  const { store } = site;
  const after = stamped(site, { ...row, IsDeleted: rootId !== null, [DELETED_WITH]: rootId }, row);
  store.put(object.name, after, rootId === null ? 'undelete' : 'delete');
  return () => afterSave(site, object, row, after);
}

/** The object with all its fields, because a save also completes and checks those that the author may not see. */
function wholeObject(store: Store, seen: ObjectDef): ObjectDef {
  return store.schema.object(seen.name) ?? seen;
}

function removeWithChildren(site: Site, object: ObjectDef, row: Row, rootId: string): void {
  const { store } = site;
  checkDeletable(store, object, row);
  setDeleted(site, object, row, rootId)();
  for (const child of store.schema.children(object.name)) {
    const childObject = store.schema.object(child.childObject);
    if (!child.cascadeDelete || childObject === undefined) continue;
    for (const each of rowsOf(store, child.childObject, child.field, row['Id'] ?? null)) {
      // A child with two lookups to the row is already deleted at the second.
      const isThere = store.get(child.childObject, String(each['Id']))?.['IsDeleted'] === false;
      if (isThere) removeWithChildren(site, childObject, each, rootId);
    }
  }
}

function purge(site: Site, object: ObjectDef, id: string): void {
  if (!object.deletable) throw notDeletable(object);
  const { store } = site;
  const rootId = normalizeId(id) ?? '';
  if (store.get(object.name, rootId)?.['IsDeleted'] !== true) {
    removeWithChildren(site, object, writableRow(store, object, id), rootId);
  }
  for (const { object: each, row } of deletedWith(store, rootId)) store.purge(each.name, String(row['Id']));
}

/** A row in the recycle bin and all rows that were deleted with it. */
function deletedWith(store: Store, rootId: string): readonly { object: ObjectDef; row: Row }[] {
  const found = store.binned().flatMap(({ type, id }) => {
    const [object, row] = [store.schema.object(type), store.get(type, id)];
    return object !== undefined && row?.[DELETED_WITH] === rootId ? [{ object, row }] : [];
  });
  // A parent is restored before its children.
  const rank = (object: ObjectDef) => store.schema.objects.indexOf(object);
  return found.sort((a, b) => rank(a.object) - rank(b.object));
}

function undelete(site: Site, object: ObjectDef, id: string): void {
  const { store } = site;
  const root = store.get(object.name, normalizeId(id) ?? '');
  // A row deleted with its parent is restored with it.
  if (root?.['IsDeleted'] !== true || root[DELETED_WITH] !== root['Id']) {
    throw failure(400, 'UNDELETE_FAILED', 'Entity is not in the recycle bin', []);
  }
  const back = deletedWith(store, String(root['Id']));
  for (const { object: each, row } of back) checkUnique(store, each, { ...row }, new Set(Object.keys(row)));
  // All rows are restored before any follow-up work runs.
  const followUps = back.map(({ object: each, row }) => setDeleted(site, each, row, null));
  for (const followUp of followUps) followUp();
}

/** Merges two rows. Children get no new timestamp and trigger nothing, because no document says that they do. */
function merge(site: Site, object: ObjectDef, winnerId: string, loserId: string): void {
  const { store } = site;
  if (!object.fields.has('masterrecordid')) throw notMergeable(object);
  const [winner, loser] = [writableRow(store, object, winnerId), writableRow(store, object, loserId)];
  if (winner['Id'] === loser['Id']) throw notMergeable(object);
  for (const { childObject, field } of store.schema.children(object.name)) {
    if (field === 'MasterRecordId') continue;
    for (const row of rowsOf(store, childObject, field, loser['Id'] ?? null))
      store.put(childObject, { ...row, [field]: winner['Id'] ?? null });
  }
  const merged = { ...loser, MasterRecordId: winner['Id'] ?? null };
  setDeleted(site, object, merged, String(loser['Id']))();
}

function newDraft(store: Store, object: ObjectDef, id: string, { userId, conversion }: Author, at: string): Draft {
  const draft: Draft = {};
  for (const field of object.fields.values()) draft[field.name] = field.defaultValue;
  if (conversion !== undefined) {
    // "Default values are not used for lead conversion" (Object Reference: Custom Fields).
    const custom = [...object.fields.values()].filter((field) => field.custom);
    for (const { name, type } of custom) draft[name] = type === 'boolean' ? false : null;
  }
  draft['Id'] = id;
  draft['CreatedDate'] = at;
  draft['CreatedById'] = userId;
  if (object.fields.has('ownerid')) draft['OwnerId'] = userId;
  if (object.custom) draft['Name'] = nameOf(store, object, id);
  return draft;
}

/** Auto-numbers follow the object's format, `LS-{0000}`. Other custom objects are named by their id until a name is given. */
function nameOf(store: Store, object: ObjectDef, id: string): string {
  if (object.nameFormat === null) return id.slice(0, 15);
  const number = String(store.nextNumber(object.name));
  return object.nameFormat.replace(/\{(0+)\}/, (_, zeros: string) => number.padStart(zeros.length, '0'));
}

function notCreatable(object: ObjectDef): ApiFailure {
  return failure(400, 'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY', `entity type cannot be inserted: ${object.label}`, []);
}

function notMergeable(object: ObjectDef): ApiFailure {
  const message = `these records of ${object.name} cannot be merged`;
  return failure(400, 'INVALID_TYPE_FOR_OPERATION', message, []);
}

function notDeletable(object: ObjectDef): ApiFailure {
  return failure(400, 'INVALID_TYPE_FOR_OPERATION', `entity type ${object.name} does not support delete`, []);
}
