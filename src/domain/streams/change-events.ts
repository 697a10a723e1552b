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
  /** The id of the save's transaction. All events of one save have this id. */
  readonly transaction: string;
  /** The fields that an update changed; a part of a compound field is given as `Name.LastName`. Empty for other types of change. */
  readonly changed: readonly string[];
  /** The event's field values by field name. Null for a field that the event does not contain, or that was cleared. */
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
 * A period in which change events may be missing and that no sweep (search for all CRM changes) has covered yet. `at`: when Lockstep last
 * found that events may be missing, ISO. A sweep that begins later covers the period.
 */
export type Gap = { readonly cause: GapCause; readonly at: string };

/** How far Lockstep has received a tenant's change events, with the gaps (periods of missing events) and failures so far. */
export type ChangesPosition = {
  /**
   * The replay id (position in the stream of events) of the last received event, in base64. Absent before the first answer. Absent or null
   * after the id expired.
   */
  readonly replayId?: string | null;
  /** When Salesforce last answered on the connection for change events, ISO. */
  readonly at?: string;
  readonly gap?: Gap;
  /** How many gaps (periods of missing events) there were so far, by cause. */
  readonly gaps?: Readonly<Partial<Record<GapCause, number>>>;
  /**
   * Why Salesforce refuses to send the change events: its error code, and since when, ISO. Absent or null while Lockstep receives events.
   */
  readonly failed?: { readonly code: string; readonly since: string } | null;
  /**
   * Set while Lockstep may not have processed all deals that became due (to be synced) because of change events. The value is the time up
   * to which they became due, ISO. If the worker dies, the next worker that receives the events needs this time to start the workflows of
   * these deals.
   */
  readonly unwokenAt?: string | null;
};

/** The name of the channel for change events that Lockstep's CRM package defines. */
export const DEFAULT_CHANNEL = '/data/Lockstep_Changes__chn';

/** The name under which the ledger (Lockstep's database) stores how far Lockstep has received the change events, in its table `cursors`. */
export const CHANGES_CURSOR = 'changes';

/**
 * How Lockstep recognises its own saves among change events. `client`: its client name in the events. `user`: the integration user's id. If
 * the id is null (unknown), no event counts as Lockstep's own.
 */
export type Ourselves = { readonly client: string; readonly user: string | null };

/**
 * An opportunity or lead that a change event concerns. `mayBeShared`: whether the event's values show that the record is shared with the
 * vendor or has a vendor id.
 */
export type NamedDeal = { readonly opportunityId: string; readonly mayBeShared: boolean };

/** Changed rows of related objects, such as accounts. The opportunities to which these rows belong must still be looked up. */
export type NamedRows = { readonly object: string; readonly ids: readonly string[] };

/**
 * The records that a change event concerns: deals (opportunities or leads), and rows of related objects. `transaction`: the save that
 * caused the event.
 */
export type Concern = { readonly transaction: string; readonly deals: readonly NamedDeal[]; readonly rows: NamedRows };

/**
 * For each child object of a deal, the field that contains the deal's id. The CRM package's channel adds this field to every event about an
 * update or deletion.
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
 * The stream that answers sales persons' requests in the CRM, such as order searches, if the event is about such a request. Null if the
 * event is about another object, or is Lockstep's own write.
 */
export function streamRequestedBy(event: ChangeEvent, ourselves: Ourselves): StreamName | null {
  return isOwn(event, ourselves) ? null : (REQUEST_OBJECTS[event.object] ?? null);
}

/** Fields that Salesforce changes at every save. If a save changed only these fields, no data changed. */
const STAMPS: ReadonlySet<string> = new Set(['LastModifiedDate', 'LastModifiedById', 'SystemModstamp']);

/**
 * The records that must be synced because of a change event: deals, and rows of related objects. Null for Lockstep's own write, for a sales
 * person's request such as an order search, and for an overflow event, which names no records. Also null if a row of a related object was
 * saved without a change.
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

/**
 * The kind of gap (missing events) that an event reports, because Salesforce did not send all events of a save. Null for an ordinary event.
 */
export function gapOfEvent({ type }: ChangeEvent): GapCause | null {
  if (type === 'GAP_OVERFLOW') return 'overflow';
  return type.startsWith('GAP_') ? 'gap-event' : null;
}

/**
 * Whether Lockstep itself made the save. Both the client name and the user must be Lockstep's, because another client may use the name, and
 * the integration user may be used by another tool.
 */
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
