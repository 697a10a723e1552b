import type { CrmFields } from '../../domain/record/crm-graph.ts';
import type { RenewalRules } from '../../domain/record/renewal-rules.ts';
import { needsDeal, RENEWAL_FIELDS } from '../../mirror/orders/renewal-deal.ts';
import { NOTICE_FIELDS, noticeOf, type ShownNotice } from '../../mirror/orders/renewal-notices.ts';
import type { Crm } from '../../salesforce/crm.ts';

/** The opportunities that Lockstep would create for renewals, by the tenant's rules. */
export type PlannedRenewals = {
  /** The number of renewals in the CRM that would get an opportunity now. */
  readonly opportunities: number;
  /** The number of pages that were read from the CRM. */
  readonly crmPages: number;
};

const PAGE = 200;

/**
 * Counts the renewals for which Lockstep would create an opportunity on the day `today` (`YYYY-MM-DD`). Reads only the CRM, so it does not
 * count renewals that Lockstep has not copied into the CRM yet.
 */
export async function planRenewals(
  crm: Pick<Crm, 'renewalNotices' | 'rowsWith'>,
  rules: RenewalRules,
  today: string,
): Promise<PlannedRenewals> {
  let [opportunities, crmPages] = [0, 0];
  for (let after: string | null = null, more = true; more; ) {
    const page = { fromDay: today, since: null, after, limit: PAGE };
    const rows: readonly CrmFields[] = await crm.renewalNotices(NOTICE_FIELDS, page);
    crmPages += 1;
    opportunities += await countOf(crm, rows.flatMap(noticeOf), rules, today);
    after = String(rows.at(-1)?.['Id']);
    more = rows.length === PAGE;
  }
  return { opportunities, crmPages };
}

async function countOf(
  crm: Pick<Crm, 'rowsWith'>,
  notices: readonly ShownNotice[],
  rules: RenewalRules,
  today: string,
): Promise<number> {
  const due = notices.filter((notice) => needsDeal(notice, rules, today, false));
  if (due.length === 0) return 0;
  const key = RENEWAL_FIELDS.id;
  const own = await crm.rowsWith({ object: 'Opportunity', key, values: due.map(({ order }) => order), fields: [] });
  const values = due.flatMap(({ opportunityId }) => opportunityId ?? []);
  const theirs = await crm.rowsWith({ object: 'Opportunity', key: 'Id', values, fields: ['IsClosed'] });
  const made = new Set(own.map((row) => row[key]));
  const open = new Set(theirs.flatMap((row) => (row['IsClosed'] === true ? [] : [row['Id']])));
  return due.filter(({ order, opportunityId }) => !made.has(order) && !open.has(opportunityId ?? '')).length;
}
