import type { XmlElement } from '@rgrove/parse-xml';
import { childrenOf, textAt } from '../schema/xml.ts';
import type { FieldLevel, ObjectRights, PermissionSet } from './types.ts';

/** Parses a permission set's source file (Metadata API: PermissionSet). `name` is its API name. */
export function parsePermissionSet(name: string, root: XmlElement): PermissionSet {
  return {
    name,
    objects: new Map(
      childrenOf(root, 'objectPermissions').map((each) => [textAt(each, 'object') ?? '', objectRights(each)]),
    ),
    fields: new Map(
      childrenOf(root, 'fieldPermissions').map((each) => [textAt(each, 'field') ?? '', fieldLevel(each)]),
    ),
    custom: namesOf(root, 'customPermissions', 'name', 'enabled'),
    user: namesOf(root, 'userPermissions', 'name', 'enabled'),
    recordTypes: namesOf(root, 'recordTypeVisibilities', 'recordType', 'visible'),
  };
}

function objectRights(element: XmlElement): ObjectRights {
  return {
    read: isTrue(element, 'allowRead'),
    create: isTrue(element, 'allowCreate'),
    edit: isTrue(element, 'allowEdit'),
    delete: isTrue(element, 'allowDelete'),
    viewAll: isTrue(element, 'viewAllRecords'),
    modifyAll: isTrue(element, 'modifyAllRecords'),
  };
}

function fieldLevel(element: XmlElement): FieldLevel {
  if (isTrue(element, 'editable')) return 'edit';
  return isTrue(element, 'readable') ? 'read' : 'none';
}

function namesOf(root: XmlElement, list: string, name: string, condition: string): ReadonlySet<string> {
  const chosen = childrenOf(root, list).filter((each) => isTrue(each, condition));
  return new Set(chosen.map((each) => textAt(each, name) ?? ''));
}

function isTrue(element: XmlElement, name: string): boolean {
  return textAt(element, name) === 'true';
}
