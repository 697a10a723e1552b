import { CLOSED_CASE, CLOSED_TASK, HIGH_PRIORITY } from '../schema/activities.ts';
import { failure } from './failure.ts';
import type { Row, Value } from './row.ts';
import type { SaveContext } from './rule-types.ts';
import type { Store } from './store.ts';

/** Refuses a change of a converted lead, which is read-only (API status codes: CANNOT_UPDATE_CONVERTED_LEAD). */
export function keepConverted({ before }: SaveContext): void {
  if (before?.['IsConverted'] !== true) return;
  throw failure(400, 'CANNOT_UPDATE_CONVERTED_LEAD', 'cannot reference converted lead', []);
}

/** Gives a case its number, its contact's account, and the time when it was closed. */
export function completeCase(context: SaveContext): void {
  const { store, before, draft, given } = context;
  if (before === null) draft['CaseNumber'] = String(store.nextNumber('Case') + 1000).padStart(8, '0');
  if (given.has('ContactId') && (draft['AccountId'] ?? null) === null) {
    draft['AccountId'] = store.get('Contact', String(draft['ContactId']))?.['AccountId'] ?? null;
  }
  draft['IsClosed'] = draft['Status'] === CLOSED_CASE;
  draft['ClosedDate'] = endedAt(context, 'ClosedDate');
}

/** Refuses a task with a lead and another record, and derives fields from its status, priority and parents. */
export function completeTask(context: SaveContext): void {
  const { store, draft } = context;
  const who = objectOf(store, draft['WhoId']);
  if (who === 'Lead' && (draft['WhatId'] ?? null) !== null) {
    const message = 'field integrity exception: WhoId, WhatId (a lead cannot be related to something else)';
    throw failure(400, 'FIELD_INTEGRITY_EXCEPTION', message, ['WhoId', 'WhatId']);
  }
  const lead = who === 'Lead' ? store.get('Lead', String(draft['WhoId'])) : undefined;
  if (lead?.['IsConverted'] === true && context.given.has('WhoId')) keepConverted({ ...context, before: lead });
  draft['IsClosed'] = draft['Status'] === CLOSED_TASK;
  draft['IsHighPriority'] = draft['Priority'] === HIGH_PRIORITY;
  draft['CompletedDateTime'] = endedAt(context, 'CompletedDateTime');
  draft['AccountId'] = accountOf(store, draft);
}

/** Refuses a text post without a text (Object Reference: FeedItem, Body). */
export function completePost({ draft }: SaveContext): void {
  if (draft['Type'] !== 'TextPost' || (draft['Body'] ?? null) !== null) return;
  throw failure(400, 'REQUIRED_FIELD_MISSING', 'Required fields are missing: [Body]', ['Body']);
}

/** When a row was closed: at this save, at an earlier one, or not. */
function endedAt({ before, draft, nowStamp }: SaveContext, field: string): Value {
  if (draft['IsClosed'] !== true) return null;
  return before?.['IsClosed'] === true ? (before[field] ?? null) : nowStamp;
}

/** The account of the record that a task is about, or else of its contact (Object Reference: Task, AccountId). */
function accountOf(store: Store, draft: Row): Value {
  const what = objectOf(store, draft['WhatId']);
  if (what === 'Account') return draft['WhatId'] ?? null;
  if (what === 'Opportunity') return store.get(what, String(draft['WhatId']))?.['AccountId'] ?? null;
  if (objectOf(store, draft['WhoId']) !== 'Contact') return null;
  return store.get('Contact', String(draft['WhoId']))?.['AccountId'] ?? null;
}

function objectOf(store: Store, id: Value | undefined): string | undefined {
  return typeof id === 'string' ? store.schema.objectOfId(id)?.name : undefined;
}
