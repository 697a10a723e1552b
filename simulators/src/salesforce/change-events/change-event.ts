import type { ObjectDef } from '../schema/types.ts';
import type { Change, Row, Value } from '../store/row.ts';
import { carriedFields, eventFields } from './event-fields.ts';

/** The kinds of change, in the order of the header's enumeration. */
export const CHANGE_TYPES = [
  'CREATE',
  'UPDATE',
  'DELETE',
  'UNDELETE',
  'GAP_CREATE',
  'GAP_UPDATE',
  'GAP_DELETE',
  'GAP_UNDELETE',
  'GAP_OVERFLOW',
] as const;

export type ChangeType = (typeof CHANGE_TYPES)[number];

/** One change event before it is encoded for a subscriber: fields by the object's own names. */
export type ChangeEvent = {
  readonly entityName: string;
  readonly recordIds: readonly string[];
  readonly changeType: ChangeType;
  /** The API and client that made the change, `com/salesforce/api/rest/67.0;client=X`; empty if no API call made it. */
  readonly changeOrigin: string;
  readonly transactionKey: string;
  /** Position in its transaction, from 1. */
  readonly sequenceNumber: number;
  /** Epoch milliseconds, in whole seconds. */
  readonly commitTimestamp: number;
  readonly commitNumber: number;
  readonly commitUser: string;
  /** Names of the fields that an update changed; empty for other changes. */
  readonly changed: readonly string[];
  /** The values after a create or undelete, or the changed values of an update. */
  readonly values: Row;
  /** After an update or deletion, the fields that some channel adds to the object's events; absent if no channel does. */
  readonly besides?: Row;
};

/** The fields that enrich an object's events on some channel, by object. */
export type Enrichment = ReadonlyMap<string, readonly string[]>;

/** The parts that all events of one transaction share. */
export type Commit = Pick<ChangeEvent, 'changeOrigin' | 'transactionKey' | 'commitTimestamp' | 'commitNumber'>;

/** The empty id in an overflow event, which is about no record (Change Data Capture guide, "Overflow Events"). */
const NO_RECORD = '000000000000000AAA';

/** Changes of one transaction that have events of their own. Each changed field of an update counts. */
export const OVERFLOW_AFTER = 100_000;

type Net = { readonly object: ObjectDef; readonly id: string; readonly type: ChangeType } & NetRows;
type NetRows = { readonly before: Row | undefined; readonly after: Row };

/**
 * The change events of one transaction: one for each record, from its state before the transaction to its state after it. The same change
 * of several records of an object is one event with all their ids (Merged Change Events). Changes beyond `overflowAfter` give one overflow
 * event for each object. Changes that the platform makes without a save give no event.
 */
export function changeEvents(
  selected: readonly ObjectDef[],
  changes: readonly Change[],
  commit: Commit,
  overflowAfter = OVERFLOW_AFTER,
  enrichment: Enrichment = new Map(),
): readonly ChangeEvent[] {
  const events: ChangeEvent[] = [];
  const places = new Map<string, number>();
  const overflown = new Map<string, ChangeEvent>();
  let counted = 0;
  for (const net of netChanges(selected, changes)) {
    const event = { ...commit, ...contentOf(net, enrichment), sequenceNumber: 0 };
    counted += Math.max(1, event.changed.length);
    if (counted > overflowAfter) {
      overflown.set(net.object.name, gapOf(event, 'GAP_OVERFLOW', [NO_RECORD]));
      continue;
    }
    const key = sameness(event);
    const known = places.get(key);
    if (known === undefined) {
      places.set(key, events.length);
      events.push(event);
    } else {
      events[known] = withIds(events[known] ?? event, event.recordIds);
    }
  }
  return [...events, ...overflown.values()].map((event, index) => ({ ...event, sequenceNumber: index + 1 }));
}

/** The gap event that replaces an event: its header alone (Gap Events). */
export function asGap(event: ChangeEvent): ChangeEvent {
  if (event.changeType.startsWith('GAP_')) return event;
  return gapOf(event, `GAP_${event.changeType}` as ChangeType, event.recordIds);
}

function gapOf(event: ChangeEvent, changeType: ChangeType, recordIds: readonly string[]): ChangeEvent {
  const { besides: _, ...plain } = event;
  return { ...plain, changeType, recordIds, changed: [], values: {} };
}

function netChanges(selected: readonly ObjectDef[], changes: readonly Change[]): readonly Net[] {
  const byId = new Map<string, readonly Change[]>();
  for (const change of changes) {
    if (change.save === null || !selected.some(({ name }) => name === change.type)) continue;
    byId.set(change.id, [...(byId.get(change.id) ?? []), change]);
  }
  return [...byId.values()].flatMap((saves) => {
    const [first] = saves;
    const last = saves.at(-1);
    const object = selected.find(({ name }) => name === first?.type);
    if (first === undefined || last === undefined || object === undefined) return [];
    const type = netType(first, last);
    return type === undefined ? [] : [{ object, id: first.id, type, before: first.before, after: last.after }];
  });
}

/** The net change of a row; undefined if it was created and deleted within the transaction. */
function netType(first: Change, last: Change): ChangeType | undefined {
  const isGone = last.after['IsDeleted'] === true;
  const was = first.before !== undefined && first.before['IsDeleted'] !== true;
  if (was) return isGone ? 'DELETE' : 'UPDATE';
  if (isGone) return undefined;
  return first.before === undefined ? 'CREATE' : 'UNDELETE';
}

type Content = Omit<ChangeEvent, keyof Commit | 'sequenceNumber'>;

function contentOf({ object, id, type, before, after }: Net, enrichment: Enrichment): Content {
  const names = carriedFields(eventFields(object)).map(({ name }) => name);
  const isConversion = object.name === 'Lead' && before?.['IsConverted'] === false && after['IsConverted'] === true;
  // The event of a lead's conversion has no LastModifiedDate (Change Data Capture guide: "Lead Conversion").
  const isChanged = (name: string) => (name === 'LastModifiedDate' ? !isConversion : before?.[name] !== after[name]);
  const changed = type === 'UPDATE' ? names.filter(isChanged) : [];
  const sentNames = type === 'UPDATE' ? changed : type === 'DELETE' ? [] : names;
  const enriched = type === 'UPDATE' || type === 'DELETE' ? (enrichment.get(object.name) ?? []) : [];
  const valuesOf = (fields: readonly string[]): Row =>
    Object.fromEntries(fields.map((name): [string, Value] => [name, after[name] ?? null]));
  return {
    entityName: object.name,
    recordIds: [id],
    changeType: type,
    commitUser: String(after['LastModifiedById']),
    changed,
    values: valuesOf(sentNames),
    ...(enriched.length > 0 && { besides: valuesOf(enriched) }),
  };
}

/** A key that is equal for events to be merged. Only updates and deletions are merged. */
function sameness({ entityName, changeType, commitUser, recordIds, values, besides }: ChangeEvent): string {
  const isShared = changeType === 'UPDATE' || changeType === 'DELETE';
  return JSON.stringify([entityName, changeType, commitUser, isShared ? [values, besides] : recordIds]);
}

function withIds(event: ChangeEvent, ids: readonly string[]): ChangeEvent {
  return { ...event, recordIds: [...event.recordIds, ...ids] };
}
