import { mappedCrmFields, OPTIONAL_CRM_FIELDS } from '../../domain/mapping/index.ts';
import type { CrmSchema, OfferedValues, SchemaField } from '../../domain/record/crm-schema.ts';
import type { CrmNames } from '../../domain/record/mapping-config.ts';
import { fieldAt } from './judge-fields.ts';
import { judgeMapping, type Mapped } from './judge-mapping.ts';
import { BESIDE } from './judge-required.ts';
import type { Misfit } from './problem.ts';

/** A snapshot of how the org's mapped fields are set up: names and picklist values, without data of any record. */
export type OrgSnapshot = {
  /** Mapped fields by `Object.Field`; null if the org does not show the field. */
  readonly fields: Readonly<Record<string, FieldSnapshot | null>>;
  /** The fields that must have a value before the org saves an opportunity. */
  readonly required: readonly string[];
  /** Opportunity record types that the integration user may choose. */
  readonly recordTypes: readonly string[];
  /** For each record type, the values that users can choose in mapped picklists. Absent in snapshots of older versions. */
  readonly offered?: Readonly<Record<string, OfferedValues>>;
};

type FieldSnapshot = Pick<SchemaField, 'type' | 'length' | 'values' | 'isRestricted' | 'updateable'>;

/** A change of the org's setup. `at`: when Lockstep noticed it, ISO. */
export type OrgChange = { readonly at: string; readonly what: string };

/** The data that Lockstep stores about a tenant's org in order to find changes of the org's setup. */
export type OrgWatch = {
  readonly snapshot: OrgSnapshot;
  /** Changes of the org's setup in the last week, newest first. */
  readonly changes: readonly OrgChange[];
  /** Problems of mapped fields that do not fit the org. */
  readonly problems: readonly Pick<Misfit, 'verdict' | 'what' | 'repair'>[];
};

const KEPT_FOR_MS = 7 * 86_400_000;
const MOST_CHANGES = 100;

/**
 * Compares the org's present descriptions with those of the last check, and returns the data to store. `before`: null at the first check,
 * which finds no change. `now`: the instant of this check, ISO. Pure.
 */
export function afterLook(before: OrgWatch | null, schema: CrmSchema, mapped: Mapped, now: string): OrgWatch {
  const snapshot = snapshotOf(schema, mapped.mapping);
  const found = before === null ? [] : changesBetween(before.snapshot, snapshot);
  const young = (before?.changes ?? []).filter(({ at }) => Date.parse(now) - Date.parse(at) < KEPT_FOR_MS);
  return {
    snapshot,
    changes: [...found.map((what) => ({ at: now, what })), ...young].slice(0, MOST_CHANGES),
    problems: judgeMapping(mapped, schema).map(({ verdict, what, repair }) => ({ verdict, what, repair })),
  };
}

/**
 * The mapped fields, as `Object.Field`, that the org hides. The result leaves out the optional field `CurrencyIsoCode`, because orgs with a
 * single currency do not have this field.
 */
export function hiddenFields({ snapshot }: OrgWatch): readonly string[] {
  const hidden = Object.keys(snapshot.fields).filter((name) => snapshot.fields[name] === null);
  return hidden.filter((name) => !OPTIONAL_CRM_FIELDS.has(name.slice('Opportunity.'.length)));
}

/**
 * Whether to retry the records that wait because the org hid a mapped field. True if a field that was hidden in `before` is now visible or
 * no longer mapped. Also true if `after` has no hidden field, because then no record needs to wait any longer.
 */
export function isAnyShownAgain(before: OrgWatch | null, after: OrgWatch): boolean {
  const hidden = hiddenFields(after);
  if (hidden.length === 0) return true;
  return before !== null && hiddenFields(before).some((name) => !hidden.includes(name));
}

function snapshotOf(schema: CrmSchema, mapping: CrmNames): OrgSnapshot {
  const { fields = {}, recordTypes = [], offered = {} } = schema['Opportunity'] ?? {};
  const own = mappedCrmFields('Opportunity', mapping).map(
    (path) => [`Opportunity.${path}`, fieldAt(path, schema)] as const,
  );
  const beside = BESIDE.flatMap((object) =>
    mappedCrmFields(object).map((name) => [`${object}.${name}`, schema[object]?.fields[name] ?? null] as const),
  );
  return {
    fields: Object.fromEntries([...own, ...beside].map(([name, field]) => [name, field && partOf(field)])),
    required: Object.keys(fields).filter((name) => fields[name]?.isRequired === true),
    recordTypes,
    offered: Object.fromEntries(
      Object.entries(offered).map(([type, values]) => [type, mappedOf(values ?? {}, mapping)]),
    ),
  };
}

function mappedOf(values: OfferedValues, mapping: CrmNames): OfferedValues {
  const mapped = new Set(mappedCrmFields('Opportunity', mapping));
  return Object.fromEntries(Object.entries(values).filter(([field]) => mapped.has(field)));
}

function partOf({ type, length, values, isRestricted, updateable }: SchemaField): FieldSnapshot {
  return { type, length, values, isRestricted, updateable };
}

/**
 * One sentence for each difference between two snapshots of the org's setup. A field that only one of them contains is skipped, because
 * then the mapping has changed and not the org.
 */
export function changesBetween(before: OrgSnapshot, after: OrgSnapshot): readonly string[] {
  const both = Object.keys(after.fields).filter((name) => Object.hasOwn(before.fields, name));
  return [
    ...both.flatMap((name) => fieldChanges(name, before.fields[name] ?? null, after.fields[name] ?? null)),
    ...added(before.required, after.required).map((name) => `Opportunity.${name} is required now`),
    ...added(after.required, before.required).map((name) => `Opportunity.${name} is not required any longer`),
    ...added(before.recordTypes, after.recordTypes).map((name) => `the record type ${name} appeared`),
    ...added(after.recordTypes, before.recordTypes).map((name) => `the record type ${name} vanished`),
    ...Object.entries(after.offered ?? {}).flatMap(([type, values]) =>
      offerChanges(type, before.offered?.[type] ?? {}, values),
    ),
  ];
}

function fieldChanges(name: string, before: FieldSnapshot | null, after: FieldSnapshot | null): readonly string[] {
  if (before === null || after === null) {
    if (before === after) return [];
    return [after === null ? `${name} vanished, or is hidden from us` : `${name} appeared`];
  }
  return [
    ...(before.type === after.type ? [] : [`${name} is of type ${after.type}, and was ${before.type}`]),
    ...(before.length === after.length ? [] : [`${name} holds ${after.length} characters, and held ${before.length}`]),
    ...(before.updateable === after.updateable
      ? []
      : [`${name} ${after.updateable ? 'can' : 'cannot'} be written by us now`]),
    ...(before.isRestricted === after.isRestricted
      ? []
      : [`${name} takes ${after.isRestricted ? 'only the values of its picklist' : 'any value'} now`]),
    ...added(before.values, after.values).map((value) => `${name} has the new value ${value}`),
    ...added(after.values, before.values).map((value) => `${name} lost the value ${value}`),
  ];
}

/** Sentences about changes in the picklist values that a record type offers. Only picklists in both snapshots are compared. */
function offerChanges(type: string, before: OfferedValues, after: OfferedValues): readonly string[] {
  return Object.entries(after).flatMap(([field, values]) => {
    const known = before[field];
    if (known === undefined) return [];
    const named = (value: string) => `${value} of Opportunity.${field}`;
    return [
      ...added(known, values).map((value) => `the record type ${type} offers ${named(value)} now`),
      ...added(values, known).map((value) => `the record type ${type} does not offer ${named(value)} any longer`),
    ];
  });
}

function added(before: readonly string[], after: readonly string[]): readonly string[] {
  const known = new Set(before);
  return after.filter((each) => !known.has(each));
}
