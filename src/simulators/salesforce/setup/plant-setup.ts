import type { Org } from '../org.ts';
import { USER_PERMISSIONS } from '../schema/setup-objects.ts';
import { makeId } from '../store/ids.ts';
import { toApiInstant } from '../store/instant.ts';
import type { Row, Value } from '../store/row.ts';

type Fields = Readonly<Record<string, Value>>;

/**
 * Puts the rows in which an org shows its setup, in place of those of before: flows, duplicate rules, permission sets and to
 * whom they are assigned. Their ids follow from their places, so that no other row's id does.
 */
export function plantSetup(org: Org): void {
  const { store } = org;
  for (const [type, rows] of Object.entries(setupRows(org))) {
    for (const { Id } of [...store.rows(type)]) store.purge(type, String(Id));
    for (const [place, fields] of rows.entries()) store.put(type, rowOf(org, type, place, fields));
  }
}

function setupRows(org: Org): Readonly<Record<string, readonly Fields[]>> {
  const { flows, duplicateRules } = org.metadata.setup;
  const sets = permissionSets(org);
  return {
    FlowDefinitionView: flows.map((flow, place) => ({
      ApiName: flow.name,
      Label: flow.label,
      ProcessType: flow.processType,
      TriggerType: flow.triggerType,
      RecordTriggerType: flow.recordTriggerType,
      IsActive: flow.isActive,
      DurableId: idAt(org, '300', place),
      ActiveVersionId: flow.isActive ? idAt(org, '301', place) : null,
    })),
    DuplicateRule: duplicateRules.map(({ object, name, label, isActive }) => ({
      DeveloperName: name,
      MasterLabel: label,
      SobjectType: object,
      IsActive: isActive,
    })),
    PermissionSet: sets.map(({ fields }) => fields),
    PermissionSetAssignment: sets.flatMap(({ assignees }, place) =>
      assignees.map((AssigneeId) => ({
        AssigneeId,
        PermissionSetId: idAt(org, '0PS', place),
        IsActive: true,
      })),
    ),
  };
}

/** Those of the two profiles, and those of the package. */
function permissionSets({ metadata, access, identity }: Org) {
  const { salesUserId, integrationUserId } = identity;
  const assigned = new Set(access.grants(integrationUserId).sets);
  const granting = (Name: string, isProfile: boolean, grants: (permission: string) => boolean): Fields => ({
    Name,
    IsOwnedByProfile: isProfile,
    ...Object.fromEntries(USER_PERMISSIONS.map((each) => [`Permissions${each}`, grants(each)])),
  });
  return [
    { fields: granting('X00eAdministrator', true, () => true), assignees: [salesUserId] },
    { fields: granting('X00eBaseProfile', true, () => false), assignees: [integrationUserId] },
    ...metadata.permissionSets.map((set) => ({
      fields: granting(set.name, false, (each) => set.user.has(each)),
      assignees: assigned.has(set) ? [integrationUserId] : [],
    })),
  ];
}

function rowOf(org: Org, type: string, place: number, fields: Fields): Row {
  const object = org.store.schema.object(type);
  const at = toApiInstant(org.clock.now());
  const by = org.identity.salesUserId;
  const own = {
    CreatedDate: at,
    CreatedById: by,
    LastModifiedDate: at,
    LastModifiedById: by,
    SystemModstamp: at,
  };
  return {
    Id: idAt(org, object?.keyPrefix ?? '', place),
    ...(object?.fields.has('systemmodstamp') ? own : {}),
    ...fields,
  };
}

/** Of this org, by the two characters that all its ids carry. */
function idAt({ identity }: Org, keyPrefix: string, place: number): string {
  return makeId(keyPrefix, identity.organizationId.slice(3, 5), place + 1);
}
