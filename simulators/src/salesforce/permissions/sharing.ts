import type { ObjectDef } from '../schema/types.ts';
import { rowsOf } from '../store/relations.ts';
import type { Row } from '../store/row.ts';
import type { Store } from '../store/store.ts';
import type { Rights } from './rights.ts';
import type { Level, SharingModel, UserGrants } from './types.ts';

/** A user's access to each row: owner, organization-wide default, view all, modify all, admin's exceptions. */
export interface Sharing {
  level(object: ObjectDef, row: Row): Level;
  /** Whether the user sees every row of the object, so that no row has to be checked. */
  seesAll(object: ObjectDef): boolean;
}

export type SharingModels = (object: ObjectDef) => SharingModel;

/** The key prefix of groups. Queues are groups. */
const QUEUE_PREFIX = '00G';

const ORDER: readonly Level[] = ['none', 'read', 'edit', 'full'];

/** Standard objects whose sharing follows a parent, with the lookup to it. */
const PARENTS: Readonly<Record<string, string>> = {
  Contact: 'AccountId',
  OpportunityLineItem: 'OpportunityId',
  OpportunityContactRole: 'OpportunityId',
  OpportunityFieldHistory: 'OpportunityId',
  LeadHistory: 'LeadId',
  FeedItem: 'ParentId',
};

type Parent = { readonly field: string; readonly to: string; readonly readSuffices: boolean };

/** The lookup to the row that controls the sharing of an object's rows; undefined if there is none. */
export function controllingParent(object: ObjectDef): Parent | undefined {
  const standard = object.fields.get(PARENTS[object.name]?.toLowerCase() ?? '');
  const fields = standard === undefined ? [...object.fields.values()] : [standard];
  for (const { name, reference, custom, nillable } of fields) {
    const isMaster = custom && !nillable && reference?.cascade === true;
    if (reference !== null && (standard !== undefined || isMaster))
      return { field: name, to: reference.to, readSuffices: reference.readSuffices ?? false };
  }
  return undefined;
}

/** Whether a user owns a row, also as a member of the queue that owns it (Help: "Queues"). */
function owns(store: Store, userId: string, { OwnerId: owner }: Row): boolean {
  if (owner === userId) return true;
  if (typeof owner !== 'string' || !owner.startsWith(QUEUE_PREFIX)) return false;
  const members = rowsOf(store, 'GroupMember', 'GroupId', owner);
  return members.some((each) => each['UserOrGroupId'] === userId && each['IsDeleted'] !== true);
}

/**
 * Sharing over the whole org's rows. Role hierarchy, sharing rules and teams are not simulated. The admin surface can give a user access to
 * a row instead.
 */
export function createSharing(
  store: Store,
  { userId, exceptions }: UserGrants,
  rights: Rights,
  models: SharingModels,
): Sharing {
  const byRecord = new Map<string, Level>();
  const marked = new Set<string>();
  for (const each of exceptions) {
    if (each.kind !== 'record') continue;
    byRecord.set(each.record, each.access);
    marked.add(store.schema.objectOfId(each.record)?.name ?? '');
  }
  const parentOf = (object: ObjectDef) =>
    models(object) === 'ControlledByParent' ? controllingParent(object) : undefined;
  const objectNamed = (name: string) => store.schema.object(name);

  function level(object: ObjectDef, row: Row): Level {
    const exception = byRecord.get(String(row['Id']));
    if (exception !== undefined) return exception;
    const may = rights.object(object.name);
    if (may.modifyAll) return 'full';
    const least: Level = may.viewAll ? 'read' : 'none';
    const parent = parentOf(object);
    if (parent !== undefined) {
      const reached = levelByParent(parent, row);
      return object.fields.has('ownerid') ? higher(least, reached) : reached;
    }
    if (!object.fields.has('ownerid') || owns(store, userId, row)) return 'full';
    const model = models(object);
    return higher(least, model === 'ReadWrite' ? 'edit' : model === 'Read' ? 'read' : 'none');
  }

  function levelByParent(parent: Parent, row: Row): Level {
    const object = objectNamed(parent.to);
    const above = object && store.get(object.name, String(row[parent.field]));
    if (object === undefined || above === undefined) return owns(store, userId, row) ? 'full' : 'none';
    const reached = level(object, above);
    return reaches(reached, parent.readSuffices ? 'read' : 'edit') ? 'full' : reached;
  }

  function seesAll(object: ObjectDef): boolean {
    if (marked.has(object.name)) return false;
    const may = rights.object(object.name);
    const parent = parentOf(object);
    const above = parent && objectNamed(parent.to);
    if (above !== undefined) return seesAll(above) && (may.viewAll || !object.fields.has('ownerid'));
    return may.viewAll || may.modifyAll || !object.fields.has('ownerid') || models(object) !== 'Private';
  }

  return { level, seesAll };
}

function higher(a: Level, b: Level): Level {
  return ORDER.indexOf(a) > ORDER.indexOf(b) ? a : b;
}

/** Whether a level includes another. */
export function reaches(level: Level, wanted: Level): boolean {
  return ORDER.indexOf(level) >= ORDER.indexOf(wanted);
}
