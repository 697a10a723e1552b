/** Which records must be synced because of Salesforce's change events (Change Data Capture), and when change events are missing. */
import { sameId, toDealId, toId18 } from '../record/salesforce-id.ts';
import { REQUEST_OBJECTS } from './requests.ts';
import type { StreamName } from './streams.ts';

/** One change event, decoded (Change Data Capture guide: ChangeEventHeader Fields). */
export type ChangeEvent = {
  /** The API name of the object whose records changed, such as `Contact`. */
  readonly object: string;
  /** The ids of the changed records. */
  readonly ids: readonly string[];
  /** The kind of change, such as `UPDATE` or `DELETE`; `GAP_…` if the event contains no values. */
  readonly type: string;
  /** The API and client that made the save, such as `com/salesforce/api/rest/67.0;client=lockstep`. */
  readonly origin: string;
  /** The id of the user who saved. */
  readonly user: string;
  /** An id that all events of one save share. */
  readonly transaction: string;
  /** The fields that an update changed, with parts of compound fields as `Name.LastName`. Empty for other types. */
  readonly changed: readonly string[];
  /** The values of the event. Null for a field that the event does not contain, or that was cleared. */
  readonly values: Readonly<Record<string, unknown>>;
};

/** Why change events may have been missed. */
export type GapCause =
  /** Lockstep has just begun to follow the change events, so it received none about earlier changes. */
  | 'begun'
  /** Salesforce has deleted the events that follow the replay id (position in the stream) which Lockstep stored. */
  | 'expired'
  /** Salesforce sent an event without values (`gap-event`), or a single event for a save with too many changes (`overflow`). */
  | 'gap-event'
  | 'overflow'
  /** The connection to the change events went silent: even keep-alives were missing. */
  | 'silent'
  /** No process of Lockstep received the change events for a while. */
  | 'down'
  /** The schema of an event cannot be read, or differs from the schema of the object's last event. */
  | 'schema';

/**
 * A period in which change events may be missing, not yet covered by a sweep (search for all CRM changes). `at`: when Lockstep last found
 * that events may be missing, ISO. A sweep that begins later closes the gap.
 */
export type Gap = { readonly cause: GapCause; readonly at: string };

/** How far a tenant's change events were followed, with the gaps and failures so far. */
export type ChangesPosition = {
  /** The last replay id (position in the stream), in base64. Absent before the first answer, and after the id expired. */
  readonly replayId?: string | null;
  /** When the stream last answered, ISO. */
  readonly at?: string;
  readonly gap?: Gap;
  /** How many gaps there were, by cause. */
  readonly gaps?: Readonly<Partial<Record<GapCause, number>>>;
  /** Why Salesforce refuses to send the change events: its code, and since when. Absent while they are received. */
  readonly failed?: { readonly code: string; readonly since: string } | null;
  /** Until when deals became due that may not have been synced or woken yet, ISO. If the worker dies, the next follower wakes them. */
  readonly unwokenAt?: string | null;
};

/** The channel for change events that the CRM package defines. */
export const DEFAULT_CHANNEL = '/data/Lockstep_Changes__chn';

/** The name of the ledger's cursor that stores how far the change events were followed. */
export const CHANGES_CURSOR = 'changes';

/**
 * How Lockstep recognises its own saves among change events. `user`: the integration user's id; null if unknown, and then no event counts
 * as Lockstep's own.
 */
export type Ourselves = { readonly client: string; readonly user: string | null };

/**
 * An opportunity that an event names. `mayBeShared`: whether the event's values show that it is shared with the vendor or has a vendor id.
 */
export type NamedDeal = { readonly opportunityId: string; readonly mayBeShared: boolean };

/** Changed rows of related objects whose opportunities must still be looked up. */
export type NamedRows = { readonly object: string; readonly ids: readonly string[] };

/** What an event concerns: deals, and rows of related objects. `transaction`: the save that caused the event. */
export type Concern = { readonly transaction: string; readonly deals: readonly NamedDeal[]; readonly rows: NamedRows };

/**
 * For each child object, the field of its events that contains the id of the deal. The CRM package's channel adds this field to every
 * update and deletion.
 */
const PARENTS: Readonly<Record<string, string>> = {
  OpportunityLineItem: 'OpportunityId',
  OpportunityContactRole: 'OpportunityId',
  Lockstep_Sync__c: 'Opportunity__c',
  Lockstep_Lead_Sync__c: 'Lead_Key__c',
};

/** The objects whose rows are deals, and not parts of a deal. */
const DEALS: ReadonlySet<string> = new Set(['Opportunity', 'Lead']);

/**
 * The stream that must be read because a sales person created or changed a request in the CRM, such as an order search. Null if the event
 * is about another object, or is Lockstep's own write.
 */
export function streamRequestedBy(event: ChangeEvent, ourselves: Ourselves): StreamName | null {
  return isOwn(event, ourselves) ? null : (REQUEST_OBJECTS[event.object] ?? null);
}

/** Fields that Salesforce changes at every save. If a save changed only these, no data changed. */
const STAMPS: ReadonlySet<string> = new Set(['LastModifiedDate', 'LastModifiedById', 'SystemModstamp']);

/**
 * The deals, and the rows of related objects, that an event concerns. Null for Lockstep's own write, for a request of a sales person, and
 * for an event that names no records. Also null if a related row was saved without a change.
 */
export function concernOf(event: ChangeEvent, ourselves: Ourselves): Concern | null {
  const { object, transaction, values } = event;
  if (isOwn(event, ourselves) || event.type === 'GAP_OVERFLOW' || object in REQUEST_OBJECTS) return null;
  const none: Concern = { transaction, deals: [], rows: { object, ids: [] } };
  if (DEALS.has(object)) {
    const mayBeShared = values['Vendor_Share__c'] === true || isText(values['Vendor_Id__c']);
    const ids = event.ids.flatMap((id) => toDealId(id) ?? []);
    return { ...none, deals: ids.map((opportunityId) => ({ opportunityId, mayBeShared })) };
  }
  if (isUnchanged(event)) return null;
  const parent = values[PARENTS[object] ?? ''];
  const opportunityId = isText(parent) ? toDealId(parent) : null;
  if (opportunityId !== null) return { ...none, deals: [{ opportunityId, mayBeShared: false }] };
  return { ...none, rows: { object, ids: event.ids.flatMap((id) => toId18(id) ?? []) } };
}

/** The kind of gap that the event reports: changes whose events Salesforce did not send. Null for an ordinary event. */
export function gapOfEvent({ type }: ChangeEvent): GapCause | null {
  if (type === 'GAP_OVERFLOW') return 'overflow';
  return type.startsWith('GAP_') ? 'gap-event' : null;
}

/** Whether Lockstep itself made the save. Both the client name and the user must be Lockstep's, because others may use one of the two. */
export function isOwn({ origin, user }: ChangeEvent, ourselves: Ourselves): boolean {
  if (ourselves.user === null || !sameId(user, ourselves.user)) return false;
  return origin.split(';').some((part) => part.replace(/\/$/, '') === `client=${ourselves.client}`);
}

function isUnchanged({ type, changed }: ChangeEvent): boolean {
  return type === 'UPDATE' && changed.length > 0 && changed.every((field) => STAMPS.has(field));
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
