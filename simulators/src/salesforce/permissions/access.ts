import type { ObjectDef } from '../schema/types.ts';
import type { Dml } from '../store/dml.ts';
import type { Store } from '../store/store.ts';
import { rightsOf } from './rights.ts';
import { SALES_PROFILE } from './sales-profile.ts';
import { controllingParent, createSharing, type SharingModels } from './sharing.ts';
import type { Exception, PermissionSet, SharingModel, UserGrants } from './types.ts';
import { userDml } from './user-dml.ts';
import { userSchema } from './user-schema.ts';
import { userStore } from './user-store.ts';

/** Read and write access to an org's rows. */
export type Rows = { readonly store: Store; readonly dml: Dml };

/** Who may do what: permission sets, organization-wide defaults, and the exceptions of the admin surface. */
export interface Access {
  /** The org as a user's calls see it. An administrator sees the whole org. */
  seenBy<T extends Rows>(org: T, userId: string): T;
  grants(userId: string): UserGrants;
  /** Makes a user a sales person, with the profile Standard User and these permission sets, instead of an administrator. */
  employ(userId: string, permissionSets: readonly string[]): void;
  /** Adds an exception: sets what a user may do with one object, field or record. */
  except(userId: string, exception: Exception): void;
  sharingModel(object: ObjectDef): SharingModel;
  share(object: string, model: SharingModel): void;
  /** Whether a user may give rows a record type, named `Object.DeveloperName`. */
  mayChoose(userId: string, recordType: string): boolean;
  /** Whether a user has a custom permission. An administrator has only assigned ones. */
  hasPermission(userId: string, name: string): boolean;
  /** Whether a user has a user permission, such as `ViewSetup`. An administrator has them all. */
  hasUserPermission(userId: string, name: string): boolean;
  /** Call after a change of the schema: cached views of users are discarded. */
  forgetViews(): void;
  clear(): void;
  snapshot(): AccessState;
  load(state: AccessState): void;
}

export type AccessState = {
  readonly exceptions: readonly (readonly [userId: string, exceptions: readonly Exception[]])[];
  readonly shared: readonly (readonly [object: string, model: SharingModel])[];
  /** Absent in state files of versions without this feature. */
  readonly employed?: readonly (readonly [userId: string, permissionSets: readonly string[]])[];
};

export type AccessOptions = {
  /** A user who is no administrator, with a base profile that grants nothing and these permission sets. */
  readonly integrationUserId: string;
  readonly permissionSets: readonly PermissionSet[];
  /** Every permission set of the org. */
  readonly allSets: readonly PermissionSet[];
  /** Organization-wide defaults of the package, by object. */
  readonly sharingModels: ReadonlyMap<string, SharingModel>;
};

export function createAccess(options: AccessOptions): Access {
  const exceptions = new Map<string, readonly Exception[]>();
  const shared = new Map<string, SharingModel>();
  const employed = new Map<string, readonly string[]>();
  const views = new Map<string, Rows>();
  const sharingModel: SharingModels = (object) =>
    shared.get(object.name) ?? options.sharingModels.get(object.name) ?? defaultModel(object);
  const grants = (userId: string): UserGrants => {
    const sets = setsOf(options, employed, userId);
    return { userId, isAdmin: sets === undefined, sets: sets ?? [], exceptions: exceptions.get(userId) ?? [] };
  };
  return {
    grants,
    sharingModel,
    seenBy: (org, userId) => {
      const mine = grants(userId);
      if (mine.isAdmin && mine.exceptions.length === 0) return org;
      const view = views.get(userId) ?? viewOf(org, mine, sharingModel);
      views.set(userId, view);
      return { ...org, ...view };
    },
    mayChoose: (userId, recordType) => hasRecordType(grants(userId), recordType),
    hasPermission: (userId, name) => hasCustomPermission(grants(userId), name),
    hasUserPermission: (userId, name) => hasUserPermission(grants(userId), name),
    employ: (userId, permissionSets) => {
      employed.set(userId, permissionSets);
      views.clear();
    },
    except: (userId, exception) => {
      const others = (exceptions.get(userId) ?? []).filter((each) => !isSame(each, exception));
      exceptions.set(userId, [...others, exception]);
      views.clear();
    },
    share: (object, model) => {
      shared.set(object, model);
      views.clear();
    },
    forgetViews: () => views.clear(),
    clear: () => empty(exceptions, shared, views),
    snapshot: () => ({ exceptions: [...exceptions], shared: [...shared], employed: [...employed] }),
    load: (state) => {
      empty(exceptions, shared, employed, views);
      for (const [userId, sets] of state.employed ?? []) employed.set(userId, sets);
      for (const [userId, list] of state.exceptions) exceptions.set(userId, list);
      for (const [object, model] of state.shared) shared.set(object, model);
    },
  };
}

/** The permission sets of a user, with those of the profile; undefined for an administrator. */
function setsOf(
  { integrationUserId, permissionSets, allSets }: AccessOptions,
  employed: ReadonlyMap<string, readonly string[]>,
  userId: string,
): readonly PermissionSet[] | undefined {
  if (userId === integrationUserId) return permissionSets;
  const names = employed.get(userId);
  return names && [SALES_PROFILE, ...allSets.filter(({ name }) => names.includes(name))];
}

function empty(...maps: readonly Map<string, unknown>[]): void {
  for (const each of maps) each.clear();
}

function hasRecordType({ isAdmin, sets }: UserGrants, name: string): boolean {
  return isAdmin || sets.some(({ recordTypes }) => recordTypes.has(name));
}

function hasCustomPermission({ sets, exceptions }: UserGrants, name: string): boolean {
  const said = exceptions.find((each) => each.kind === 'permission' && each.permission === name);
  return said === undefined ? sets.some(({ custom }) => custom.has(name)) : said.access !== 'none';
}

function hasUserPermission({ isAdmin, sets }: UserGrants, name: string): boolean {
  return isAdmin || sets.some(({ user }) => user.has(name));
}

function viewOf({ store, dml }: Rows, grants: UserGrants, models: SharingModels): Rows {
  const rights = rightsOf(grants);
  const sharing = createSharing(store, grants, rights, models);
  const seen: Store = userStore(store, userSchema(store.schema, rights), sharing);
  return { store: seen, dml: userDml({ dml, whole: store, seen, rights, sharing }) };
}

/** The sharing model of an object in a new org (Help: "Default Organization-Wide Sharing Settings"). */
function defaultModel(object: ObjectDef): SharingModel {
  return controllingParent(object) === undefined ? 'ReadWrite' : 'ControlledByParent';
}

function isSame(a: Exception, b: Exception): boolean {
  return a.kind === b.kind && subject(a) === subject(b);
}

function subject(exception: Exception): string {
  switch (exception.kind) {
    case 'object':
      return exception.object;
    case 'field':
      return exception.field;
    case 'record':
      return exception.record;
    case 'permission':
      return exception.permission;
  }
}
