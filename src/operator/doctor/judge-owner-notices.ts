import type { CrmLimits } from '../../domain/record/crm-limits.ts';
import type { NoticeWay } from '../../domain/record/owner-notices.ts';
import { type Judgment, ok } from './finding.ts';

/**
 * For each way to notify an owner: the Salesforce object that is created, its fields, and what the operator must do if the integration user
 * may not create it.
 */
const MADE: Readonly<Record<NoticeWay, Made>> = {
  task: {
    object: 'Task',
    fields: ['WhatId', 'OwnerId', 'Subject', 'Description'],
    repair: 'assign the permission set Lockstep_Tell_Owners to the integration user',
  },
  bell: {
    object: 'Vendor_Order_Notice__c',
    fields: ['Bell_Recipient__c', 'Bell_Target__c', 'Bell_Title__c', 'Bell_Body__c'],
    repair: 'deploy the package, and assign the permission set Lockstep_Integration to the integration user',
  },
  chatter: {
    object: 'FeedItem',
    fields: ['ParentId', 'Body'],
    repair: 'switch Chatter on in the org, and let the profile of the integration user use it',
  },
};

/**
 * The object in which Lockstep stores the key of each notice to an owner. The org accepts each key only once, so no notice is sent twice.
 */
const KEPT: Made = {
  object: 'Vendor_Order_Notice__c',
  fields: ['Notice_Key__c'],
  repair: 'deploy the package, and assign the permission set Lockstep_Integration to the integration user',
};

type Made = { readonly object: string; readonly fields: readonly string[]; readonly repair: string };

/** API names of the Salesforce objects that Lockstep creates if it notifies owners in the way `by`. */
export function objectsOfNotices(by: NoticeWay): readonly string[] {
  return [...new Set([MADE[by].object, KEPT.object])];
}

/** The field of a Salesforce task that contains the id of the lead about which the task is. */
const OF_LEAD = 'WhoId';

/**
 * Judges whether the integration user may create the records with which owners are notified in the way `by`. `hasLeads`: whether the tenant
 * shares leads.
 */
export function judgeOwnerNotices(by: NoticeWay, described: CrmLimits, hasLeads: boolean): readonly Judgment[] {
  const made = MADE[by];
  const own = hasLeads && by === 'task' ? { ...made, fields: [...made.fields, OF_LEAD] } : made;
  const found = [own, KEPT].flatMap((each) => judgeMade(each, described));
  return found.length > 0 ? found : [ok(`owners of opportunities can be notified (${by})`)];
}

function judgeMade({ object, fields, repair }: Made, described: CrmLimits): readonly Judgment[] {
  const seen = described[object];
  const barred = fields.filter((field) => seen?.[field]?.createable !== true);
  if (barred.length === 0) return [];
  const what =
    barred.length === fields.length
      ? `${object} cannot be made by us, so no owner is notified`
      : `${barred.map((field) => `${object}.${field}`).join(', ')} cannot be given by us, so no owner is notified`;
  return [{ verdict: 'warns', what, repair }];
}
