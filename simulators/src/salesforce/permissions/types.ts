/** A user's rights to an object, as permission sets state them (Metadata API: PermissionSetObjectPermissions). */
export type ObjectRights = {
  readonly read: boolean;
  readonly create: boolean;
  readonly edit: boolean;
  readonly delete: boolean;
  /** Whether the user sees every row, independent of its owner. */
  readonly viewAll: boolean;
  /** Whether the user may see, change and delete every row. */
  readonly modifyAll: boolean;
};

export const NO_RIGHTS: ObjectRights = {
  read: false,
  create: false,
  edit: false,
  delete: false,
  viewAll: false,
  modifyAll: false,
};

export const ALL_RIGHTS: ObjectRights = {
  read: true,
  create: true,
  edit: true,
  delete: true,
  viewAll: true,
  modifyAll: true,
};

/** A user's access to a field or a row. `edit` allows changes; `full`, for rows only, also allows deletion. */
export type Level = 'none' | 'read' | 'edit' | 'full';

export type FieldLevel = Exclude<Level, 'full'>;

export type PermissionSet = {
  readonly name: string;
  readonly objects: ReadonlyMap<string, ObjectRights>;
  /** By `Object.Field`. */
  readonly fields: ReadonlyMap<string, FieldLevel>;
  readonly custom: ReadonlySet<string>;
  /** Names of user permissions, such as `ApiEnabled`. */
  readonly user: ReadonlySet<string>;
  /** Record types by `Object.DeveloperName`. */
  readonly recordTypes: ReadonlySet<string>;
};

/** Organization-wide default of an object: what users may do with rows that they do not own (Metadata API: SharingModel). */
export type SharingModel = 'Private' | 'Read' | 'ReadWrite' | 'ControlledByParent';

/** A right that the admin surface gives or takes. It takes precedence over permission sets. */
export type Exception =
  | { readonly kind: 'object'; readonly object: string; readonly access: FieldLevel }
  | { readonly kind: 'permission'; readonly permission: string; readonly access: FieldLevel }
  | { readonly kind: 'field'; readonly field: string; readonly access: FieldLevel }
  | { readonly kind: 'record'; readonly record: string; readonly access: Level };

export type UserGrants = {
  readonly userId: string;
  /** Whether the user is an administrator. Only exceptions restrict an administrator. */
  readonly isAdmin: boolean;
  readonly sets: readonly PermissionSet[];
  readonly exceptions: readonly Exception[];
};
