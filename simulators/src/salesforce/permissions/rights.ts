import { permissionName } from '../schema/permissionable.ts';
import type { FieldDef, ObjectDef } from '../schema/types.ts';
import {
  ALL_RIGHTS,
  type FieldLevel,
  NO_RIGHTS,
  type ObjectRights,
  type PermissionSet,
  type UserGrants,
} from './types.ts';

/** A user's rights on objects and fields, independent of rows. */
export interface Rights {
  object(name: string): ObjectRights;
  field(object: ObjectDef, field: FieldDef): FieldLevel;
}

const READ_ONLY: ObjectRights = { ...NO_RIGHTS, read: true, viewAll: true };

/** Objects that a base profile lets every user read, and no user but an administrator change. */
const SEEN_BY_ALL: ReadonlySet<string> = new Set([
  'AssignmentRule',
  'Organization',
  'User',
  'Group',
  'GroupMember',
  'QueueSobject',
  'RecordType',
  'CurrencyType',
  'LeadStatus',
  'OpportunityStage',
  'Profile',
]);

/**
 * Objects that show the setup, each with the user permissions that allow reading it. One permission is enough (Object Reference: special
 * access rules). FlowDefinitionView documents none, so the others' permission is assumed.
 */
const SHOWN_BY: Readonly<Record<string, readonly string[]>> = {
  FlowDefinitionView: ['ViewSetup'],
  DuplicateRule: ['ViewSetup'],
  PermissionSet: ['ViewSetup'],
  PermissionSetAssignment: ['ViewSetup', 'AssignPermissionSets', 'ManageUsers'],
};

/** Activities have no permissions by object: a user permission lets users change the activities that they see (Help: "Edit Tasks"). */
const EDIT_TASKS = 'EditTask';

type RightsOf = (object: string) => ObjectRights;

/**
 * Objects without own permissions, with the rights that follow from the permissions of other objects (Object Reference: special access
 * rules of OpportunityLineItem and OpportunityContactRole; Help: "Products and Price Books Permissions").
 */
const DERIVED: Readonly<Record<string, (of: RightsOf) => ObjectRights>> = {
  OpportunityLineItem: (of) => followParent(of('Opportunity'), of('Product2').read && of('Pricebook2').read),
  OpportunityContactRole: (of) => followParent(of('Opportunity'), of('Contact').read),
  OpportunityFieldHistory: (of) => rowsOfParent(of('Opportunity'), false, of('Opportunity')),
  LeadHistory: (of) => rowsOfParent(of('Lead'), false, of('Lead')),
  // Every user who sees a record may post on its feed.
  FeedItem: (of) => rowsOfParent(of('Opportunity'), of('Opportunity').read, of('Opportunity')),
  PricebookEntry: (of) => {
    const book = of('Pricebook2');
    const isSeen = book.read && of('Product2').read;
    return rowsOfParent({ ...book, read: isSeen }, isSeen && book.edit, { ...book, viewAll: true });
  },
};

function followParent(parent: ObjectRights, hasOthers: boolean): ObjectRights {
  return rowsOfParent(parent, parent.edit && hasOthers, parent);
}

function rowsOfParent({ read }: ObjectRights, change: boolean, rows: ObjectRights): ObjectRights {
  const { viewAll, modifyAll } = rows;
  return { read, create: change, edit: change, delete: change, viewAll, modifyAll };
}

/** A user's rights: the sum of the permission sets. Exceptions of the admin surface take precedence. */
export function rightsOf({ isAdmin, sets, exceptions }: UserGrants): Rights {
  const objectExceptions = new Map<string, FieldLevel>();
  const fieldExceptions = new Map<string, FieldLevel>();
  for (const each of exceptions) {
    if (each.kind === 'object') objectExceptions.set(each.object, each.access);
    if (each.kind === 'field') fieldExceptions.set(each.field, each.access);
  }
  const object: RightsOf = (name) => {
    const exception = objectExceptions.get(name);
    const granted = isAdmin ? ALL_RIGHTS : grantedRights(sets, name, object);
    return exception === undefined ? granted : limited(granted, exception);
  };
  return {
    object,
    field: (owner, field) => {
      const name = permissionName(owner.name, field);
      const granted = isAdmin || name === null ? 'edit' : grantedLevel(sets, name);
      return fieldExceptions.get(`${owner.name}.${field.name}`) ?? granted;
    },
  };
}

function grantedRights(sets: readonly PermissionSet[], name: string, of: RightsOf): ObjectRights {
  if (SEEN_BY_ALL.has(name)) return READ_ONLY;
  const needed = SHOWN_BY[name];
  if (needed !== undefined) {
    const isShown = sets.some(({ user }) => needed.some((permission) => user.has(permission)));
    return isShown ? READ_ONLY : NO_RIGHTS;
  }
  if (name === 'Task') {
    const change = sets.some(({ user }) => user.has(EDIT_TASKS));
    return { ...NO_RIGHTS, read: true, create: change, edit: change, delete: change };
  }
  const derived = DERIVED[name];
  if (derived !== undefined) return derived(of);
  return sets.map((set) => set.objects.get(name) ?? NO_RIGHTS).reduce(either, NO_RIGHTS);
}

function either(a: ObjectRights, b: ObjectRights): ObjectRights {
  return {
    read: a.read || b.read,
    create: a.create || b.create,
    edit: a.edit || b.edit,
    delete: a.delete || b.delete,
    viewAll: a.viewAll || b.viewAll,
    modifyAll: a.modifyAll || b.modifyAll,
  };
}

function limited(granted: ObjectRights, access: FieldLevel): ObjectRights {
  if (access === 'none') return NO_RIGHTS;
  if (access === 'edit') return { ...ALL_RIGHTS, viewAll: granted.viewAll, modifyAll: granted.modifyAll };
  return { ...NO_RIGHTS, read: true, viewAll: granted.viewAll };
}

const LEVELS: readonly FieldLevel[] = ['none', 'read', 'edit'];

function grantedLevel(sets: readonly PermissionSet[], name: string): FieldLevel {
  const best = Math.max(0, ...sets.map((set) => LEVELS.indexOf(set.fields.get(name) ?? 'none')));
  return LEVELS[best] ?? 'none';
}
