import type { CrmFields, CrmGraph, CrmValue } from '../domain/record/crm-graph.ts';
import { lookupOf } from '../domain/record/mapping-config.ts';
import { instantOf } from './answers.ts';
import type { GraphSelection } from './graph-fields.ts';
import type { RestRecord } from './options.ts';

const INSTANTS: ReadonlySet<string> = new Set([
  'SystemModstamp',
  'LastModifiedDate',
  'Last_Synced__c',
  'Vendor_Created__c',
  'Vendor_Modified__c',
]);

/** An opportunity as the query returned it, with all rows of its sub-queries: lines, contact roles and sync rows (`Lockstep_Sync__c`). */
export type GraphRecord = {
  readonly opportunity: RestRecord;
  readonly lines: readonly RestRecord[];
  readonly roles: readonly RestRecord[];
  readonly syncs: readonly RestRecord[];
};

/**
 * Converts one opportunity with its related rows to a `CrmGraph`: flat rows of the selected fields, with instants as ISO in UTC. Lines are
 * in their sort order. The primary contact comes first, the others by age, oldest first. Deleted lines are in `deletedLines`; other deleted
 * children are left out. If the integration user cannot read a contact or product, its fields are missing, which means unknown.
 */
export function flattenGraph(record: GraphRecord, selection: GraphSelection, readAt: string): CrmGraph {
  const { opportunity } = record;
  const roles = alive(record.roles).sort(byPrimary);
  const deleted = record.lines.filter((line) => line['IsDeleted'] === true);
  const sync = alive(record.syncs).sort(byId)[0];
  return {
    opportunity: opportunityRow(opportunity, selection.Opportunity),
    account: parentRow(opportunity, 'Account', selection.Account),
    lines: alive(record.lines)
      .sort(bySortOrder)
      .map((line) => lineRow(line, selection)),
    ...(deleted.length === 0 ? {} : { deletedLines: deleted.map((line) => lineRow(line, selection)) }),
    contacts: roles.flatMap((role) => contactRows(role, selection)),
    owner: parentRow(opportunity, 'Owner', selection.User),
    sync: sync === undefined ? null : row(sync, selection.Lockstep_Sync__c),
    readAt,
  };
}

function contactRows(role: RestRecord, selection: GraphSelection): readonly CrmFields[] {
  const contact = parentRow(role, 'Contact', selection.Contact);
  if (contact !== null) return [contact];
  const id = value(role, 'ContactId');
  return id === null ? [] : [{ Id: id }];
}

function lineRow(line: RestRecord, selection: GraphSelection): CrmFields {
  const product = parent(line, 'Product2');
  const isHidden = product === null && value(line, 'Product2Id') !== null;
  const fields = isHidden ? [] : selection.Product2;
  const cells = fields.map((name) => [`Product2.${name}`, value(product ?? {}, name)]);
  return { ...row(line, selection.OpportunityLineItem), ...Object.fromEntries(cells) };
}

export function row(record: RestRecord, fields: readonly string[]): CrmFields {
  return Object.fromEntries(fields.map((name) => [name, value(record, name)]));
}

/**
 * Converts an opportunity's fields. The name of a related record's field is its path, such as `Account.Name`. The field is null if the
 * lookup is empty. If the integration user cannot read the related record, the field is missing, and the relationship (`Account`) is null
 * in its place.
 */
function opportunityRow(record: RestRecord, fields: readonly string[]): CrmFields {
  const cells = fields.flatMap((path): readonly (readonly [string, CrmValue])[] => {
    const [relationship = '', name] = path.split('.');
    if (name === undefined) return [[path, value(record, path)]];
    const found = parent(record, relationship);
    if (found !== null) return [[path, value(found, name)]];
    const lookup = lookupOf(path) ?? '';
    if (!fields.includes(lookup)) return [];
    return value(record, lookup) === null ? [[path, null]] : [[relationship, null]];
  });
  return Object.fromEntries(cells);
}

function parentRow(record: RestRecord, name: string, fields: readonly string[]): CrmFields | null {
  const found = parent(record, name);
  return found === null ? null : row(found, fields);
}

function parent(record: RestRecord, name: string): RestRecord | null {
  const found = record[name];
  return typeof found === 'object' && found !== null ? (found as RestRecord) : null;
}

/**
 * The value of a selected field; null if the answer does not contain it. Null does not mean that the field is hidden, because a field that
 * the integration user may not see is never selected.
 */
function value(record: RestRecord, name: string): CrmValue {
  const found = record[name] ?? record[asAnswered(record, name)] ?? null;
  if (typeof found === 'object') return null;
  return typeof found === 'string' && INSTANTS.has(name) ? instantOf(found) : found;
}

/** The name of a field in the answer. Its letter case may differ from that of the name in the query. */
function asAnswered(record: RestRecord, name: string): string {
  if (Object.hasOwn(record, name)) return name;
  return Object.keys(record).find((key) => key.toLowerCase() === name.toLowerCase()) ?? name;
}

function alive(rows: readonly RestRecord[]): RestRecord[] {
  return rows.filter((one) => one['IsDeleted'] !== true);
}

function bySortOrder(a: RestRecord, b: RestRecord): number {
  const order = (one: RestRecord): number => Number(one['SortOrder'] ?? Number.MAX_SAFE_INTEGER);
  return order(a) - order(b) || byId(a, b);
}

function byPrimary(a: RestRecord, b: RestRecord): number {
  return Number(b['IsPrimary'] === true) - Number(a['IsPrimary'] === true) || byAge(a, b) || byId(a, b);
}

/**
 * Compares two records by `CreatedDate` (both are texts of one form), so that the oldest comes first. Ids do not show the age, because an
 * org that was moved to another instance may create lower ids than before.
 */
function byAge(a: RestRecord, b: RestRecord): number {
  return compareTexts(a['CreatedDate'], b['CreatedDate']);
}

function byId(a: RestRecord, b: RestRecord): number {
  return compareTexts(a['Id'], b['Id']);
}

function compareTexts(a: unknown, b: unknown): number {
  const [left, right] = [String(a), String(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}
