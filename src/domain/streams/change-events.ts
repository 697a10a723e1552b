/** What change events of Salesforce (Change Data Capture) make due, and where their stream has gaps. */
import { sameId, toId18, toOpportunityId } from '../record/salesforce-id.ts';

/** One change event, decoded (Change Data Capture guide: ChangeEventHeader Fields). */
export type ChangeEvent = {
  /** The object's API name, such as `Contact`. */
  readonly object: string;
  /** The changed records, as the event names them. */
  readonly ids: readonly string[];
  /** `UPDATE`, `DELETE` and so on; `GAP_…` if the event has no values. */
  readonly type: string;
  /** The API and client that saved, such as `com/salesforce/api/rest/67.0;client=lockstep`. */
  readonly origin: string;
  /** The user who saved. */
  readonly user: string;
  /** The same for all events of one save. */
  readonly transaction: string;
  /** The fields that an update changed, parts of compound fields as `Name.LastName`; empty for other types. */
  readonly changed: readonly string[];
  /** The values of the body; null for a field that the event does not contain, or that was cleared. */
  readonly values: Readonly<Record<string, unknown>>;
};

/** Why changes may have been missed. */
export type GapCause =
  /** The stream was followed for the first time. */
  | 'begun'
  /** The org no longer has events after the stored replay id. */
  | 'expired'
  /** An event of the org that lacks the values, or stands for too many changes of one save. */
  | 'gap-event'
  | 'overflow'
  /** The stream went silent: not even keep-alives came. */
  | 'silent'
  /** Nothing followed the stream for a while. */
  | 'down'
  /** An event has a schema that cannot be read, or that differs from the last one of its object. */
  | 'schema';

/** An open gap. `at`: when it was found last, ISO; a sweep that begins later closes it. */
export type Gap = { readonly cause: GapCause; readonly at: string };

/** How far a tenant's change events were followed. */
export type ChangesPosition = {
  /** The last replay id, in base64; absent before the first answer, and after the id expired. */
  readonly replayId?: string | null;
  /** The last answer, ISO. */
  readonly at?: string;
  readonly gap?: Gap;
  /** How many gaps there were, by cause. */
  readonly gaps?: Readonly<Partial<Record<GapCause, number>>>;
  /** Why the stream cannot be followed: Salesforce's code, and since when; absent while it is followed. */
  readonly failed?: { readonly code: string; readonly since: string } | null;
};

/** The channel of the CRM package. */
export const DEFAULT_CHANNEL = '/data/Lockstep_Changes__chn';

/** The ledger's cursor name of the followed change events. */
export const CHANGES_CURSOR = 'changes';

/** Who saves for Lockstep. `user`: the integration user's id; null if unknown, and then every event is another's. */
export type Ourselves = { readonly client: string; readonly user: string | null };

/** An opportunity that an event names. `mayBeShared`: whether the event shows that it can be shared. */
export type NamedDeal = { readonly opportunityId: string; readonly mayBeShared: boolean };

/** Rows whose opportunities must be looked up. */
export type NamedRows = { readonly object: string; readonly ids: readonly string[] };

/** An event that concerns deals, by its save. */
export type Concern = { readonly transaction: string; readonly deals: readonly NamedDeal[]; readonly rows: NamedRows };

/** Fields of a child row's event with its opportunity. The CRM package's channel adds them to each update and deletion. */
const PARENTS: Readonly<Record<string, string>> = {
  OpportunityLineItem: 'OpportunityId',
  OpportunityContactRole: 'OpportunityId',
  Lockstep_Sync__c: 'Opportunity__c',
};

/** Fields that every save changes; a save of the same values changes nothing else. */
const STAMPS: ReadonlySet<string> = new Set(['LastModifiedDate', 'LastModifiedById', 'SystemModstamp']);

/** What an event concerns; null if it concerns nothing: our own write, or a row saved without a change. */
export function concernOf(event: ChangeEvent, ourselves: Ourselves): Concern | null {
  if (isOwn(event, ourselves) || event.type === 'GAP_OVERFLOW') return null;
  const { object, transaction, values } = event;
  const none: Concern = { transaction, deals: [], rows: { object, ids: [] } };
  if (object === 'Opportunity') {
    const mayBeShared = values['Vendor_Share__c'] === true || isText(values['Vendor_Id__c']);
    const ids = event.ids.flatMap((id) => toOpportunityId(id) ?? []);
    return { ...none, deals: ids.map((opportunityId) => ({ opportunityId, mayBeShared })) };
  }
  if (isUnchanged(event)) return null;
  const parent = values[PARENTS[object] ?? ''];
  const opportunityId = isText(parent) ? toOpportunityId(parent) : null;
  if (opportunityId !== null) return { ...none, deals: [{ opportunityId, mayBeShared: false }] };
  return { ...none, rows: { object, ids: event.ids.flatMap((id) => toId18(id) ?? []) } };
}

/** The gap that an event reports itself; null if none. */
export function gapOfEvent({ type }: ChangeEvent): GapCause | null {
  if (type === 'GAP_OVERFLOW') return 'overflow';
  return type.startsWith('GAP_') ? 'gap-event' : null;
}

/** Whether Lockstep saved: by its client name and by its user, because others may use either. */
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
