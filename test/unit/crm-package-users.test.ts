import { expect, it } from 'vitest';
import { elements, ownObjects, packageFiles, values } from '../support/crm-package.ts';

/** What the permission set of users lets them see of the vendor's rows. */

const files = packageFiles();
const SET = 'permissionsets/Lockstep_User.permissionset-meta.xml';
/** Rows that no person looks at. */
const UNSEEN = /Notice/;

const shown = ownObjects(files).filter((object) => object.startsWith('Vendor_') && !UNSEEN.test(object));

/** The texts of one element of those blocks of the set in which another element is true. */
const granted = (set: string, block: string, right: string, of: string): ReadonlySet<string> =>
  new Set(
    elements(set, block)
      .filter((xml) => values(xml, right)[0] === 'true')
      .flatMap((xml) => values(xml, of)),
  );

/** Fields that an org shows everybody, so that it refuses a grant of them. */
const isSeenByAll = (xml: string): boolean => /<type>MasterDetail<|<required>true</.test(xml);

function missing(set: string, object: string): readonly string[] {
  const fields = Object.entries(files).flatMap(([path, xml]) => {
    const [, of, field] = /^objects\/(\w+)\/fields\/(\w+)\./.exec(path) ?? [];
    return of === object && !isSeenByAll(xml) ? [`${object}.${field}`] : [];
  });
  const readable = granted(set, 'fieldPermissions', 'readable', 'field');
  const objects = granted(set, 'objectPermissions', 'allowRead', 'object');
  return [
    ...(objects.has(object) ? [] : [`${object}: add an <objectPermissions> with allowRead to ${SET}`]),
    ...fields.filter((name) => !readable.has(name)).map((name) => `${name}: make it readable in ${SET}`),
  ];
}

it.each(shown)('users may read %s and each of its fields', (object) => {
  expect(missing(files[SET] ?? '', object)).toEqual([]);
});

it('a missing right is named', () => {
  const [object = ''] = shown;
  expect(missing('', object)[0]).toContain('add an <objectPermissions>');
  expect(missing('', object).length).toBeGreaterThan(1);
});
