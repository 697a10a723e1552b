import { differences, type KeyDifference } from './differences.ts';
import type { TenantDeclaration } from './tenant-declaration.ts';

/**
 * All keys in which two declarations of a tenant (its stored tenant files) differ. If `before` could not be decrypted (null), it counts as
 * empty. Pure.
 */
export function declarationDifference(
  before: TenantDeclaration | null,
  after: TenantDeclaration,
): readonly KeyDifference[] {
  const changed = differences(entriesOf(before), entriesOf(after));
  return [...changed, ...sealedAnew(before, after), ...mappingAnew(before, after)];
}

function entriesOf(declaration: TenantDeclaration | null): ReadonlyMap<string, string> {
  return new Map(declaration === null ? [] : leavesOf(declaration.content, []));
}

function leavesOf(value: unknown, path: readonly string[]): readonly (readonly [string, string])[] {
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([key, each]) => leavesOf(each, [...path, key]));
  return [[path.join('.'), typeof value === 'string' ? value : JSON.stringify(value)]];
}

/** The key (`at`) of a difference between two mapping files. A mapping file's text is compared as a whole, so it has no path of keys. */
export const MAPPING_FILE = 'the mapping file';

/**
 * The secrets whose encrypted values differ between two declarations. A comparison of the declarations' texts does not find them, because a
 * text refers to an old and a new value in the same way (`sealed:PLACE`).
 */
function sealedAnew(before: TenantDeclaration | null, after: TenantDeclaration): readonly KeyDifference[] {
  const known = before?.secrets ?? {};
  return Object.entries(after.secrets)
    .filter(([place, value]) => Object.hasOwn(known, place) && known[place] !== value)
    .map(([at]) => ({ at, before: 'a sealed value', after: 'another sealed value' }));
}

function mappingAnew(before: TenantDeclaration | null, after: TenantDeclaration): readonly KeyDifference[] {
  if (before === null || before.mapping === after.mapping) return [];
  const text = (mapping: string | null): string | null => (mapping === null ? null : 'a text');
  const isOther = before.mapping !== null && after.mapping !== null;
  return [
    {
      at: MAPPING_FILE,
      before: text(before.mapping),
      after: isOther ? 'another text' : text(after.mapping),
    },
  ];
}
