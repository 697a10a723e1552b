import type { LinkRow } from '../../../src/ledger/links/link-ledger.ts';
import type { Deal, Entered, Notice } from './deal.ts';
import { comparable, FIELD_ROWS, type FieldRow, linesKey, OFFERS, vendorLines } from './fields.ts';
import type { Raw } from './http.ts';
import { isLead } from './lead-rows.ts';
import type { Records } from './records.ts';
import type { World } from './world.ts';

/** Into what a sales person converts a lead: `unshared`: a new opportunity that is not shared; `other`: another deal's opportunity. */
export type Conversion = 'new' | 'none' | 'unshared' | 'other';

type Known = {
  readonly deals: Deal[];
  readonly entered: Map<string, Entered>;
  readonly records: Records;
  passOn(notice: Notice): Promise<void>;
};

/** How people note what they entered. */
type Notes = {
  enterField(deal: Deal, field: FieldRow, side: 'crm', before: Raw, after: Raw): void;
  enterStage(deal: Deal, before: Raw, after: Raw): void;
  /** The opportunity that the lead `former` became and the vendor's record never agreed, so that either side's values may stay. */
  enterBoth(deal: Deal, opportunity: Raw, former: Raw): Promise<void>;
  /** Forgets the customer's data and lines that vendor users entered for a deal, which was the lead `former`. */
  forgetOthers(deal: Deal, former: Raw): Promise<void>;
  /** A lead has no account, so nobody can tell a move of its new opportunity to another customer from the conversion itself. */
  forgetVat(deal: Deal): void;
  forgetContest(deal: Deal, field: string): void;
};

/** What sales persons do with leads only. */
export function createLeads({ crm }: World, { deals, entered, records, passOn }: Known, notes: Notes) {
  const { opportunityOf, hasRival } = records;
  /** Ids of the opportunities that sales persons made to convert leads into. */
  const targets = new Set<unknown>();
  /** For the number of a deal whose lead was converted into another deal's opportunity, that other deal. */
  const heirs = new Map<number, Deal>();

  function heirOf(deal: Deal): Deal {
    const heir = heirs.get(deal.number);
    return heir === undefined ? deal : heirOf(heir);
  }

  /** Another deal into whose opportunity a lead can be converted, and that opportunity. */
  async function otherDeal(deal: Deal): Promise<{ readonly other: Deal; readonly row: Raw } | null> {
    for (const other of deals) {
      const row = other === deal ? null : await opportunityOf(other);
      if (row !== null && !isLead(row['Id']) && !(await hasRival(other))) return { other, row };
    }
    return null;
  }

  /** A new opportunity that a lead can be converted into, with its account; null if the conversion makes one. */
  async function newTarget(deal: Deal, into: Conversion): Promise<Raw | null> {
    if (into !== 'unshared') return null;
    const AccountId = await crm.create('Account', { Name: `Known ${deal.number}`, BillingCountry: 'DE' });
    const made = { Name: `Known ${deal.number}`, AccountId, StageName: 'Qualification', CloseDate: '2027-08-31' };
    const id = await crm.create('Opportunity', made);
    targets.add(id);
    return { Id: id, AccountId };
  }

  /**
   * Notes what the conversion into a deal's own opportunity changed. A field that was empty on the lead too gets the vendor's value. The
   * lead's close date stays, because Salesforce and no user chose the opportunity's.
   */
  async function noteCarried(deal: Deal, before: Raw, after: Raw): Promise<void> {
    for (const field of FIELD_ROWS) {
      if (field.name === 'closeDate') continue;
      const [from, to] = [before, after].map((row) => comparable(field.kind, row[field.crmField]));
      if (to !== '' && from !== to) notes.enterField(deal, field, 'crm', before, after);
      if (to === '' && from === '') forgetCrm(deal, field.name);
      notes.forgetContest(deal, field.name);
    }
    // The opportunity begins without lines, and gets the vendor's, which are the lead's offer if the create is under way.
    const [record] = await records.leadsOf(deal);
    const lines = record === undefined ? `${OFFERS[0]}:0.00` : linesKey(vendorLines(record));
    entered.set(`${deal.number} offerLines`, { vendor: lines });
    notes.enterStage(deal, before, after);
    notes.forgetContest(deal, 'status');
  }

  function forgetCrm({ number }: Deal, field: string): void {
    const { crm: _, ...rest } = entered.get(`${number} ${field}`) ?? {};
    entered.set(`${number} ${field}`, rest);
  }

  return {
    async makeLead(notice: Notice): Promise<void> {
      const number = deals.length;
      const crmId = await crm.create('Lead', {
        ...{ FirstName: 'Erika', LastName: 'Muster', Email: `erika${number}@customer.example` },
        ...{ Company: `Customer ${number}`, City: 'Bonn', Country: 'DE', Status: 'Open - Not Contacted' },
        ...{ Vendor_Share__c: true, Vendor_Close_Date__c: '2027-05-31' },
      });
      deals.push({ number, crmId, vendorId: null });
      await passOn(notice);
    },

    async convertLead(deal: Deal, into: Conversion, notice: Notice): Promise<void> {
      const before = await opportunityOf(deal);
      if (before === null || !isLead(before['Id'])) return;
      const existing = into === 'other' ? await otherDeal(deal) : null;
      if (into === 'other' && existing === null) return;
      const target = existing?.row ?? (await newTarget(deal, into));
      const wanted =
        target === null
          ? { doNotCreateOpportunity: into === 'none' }
          : { accountId: target['AccountId'], opportunityId: target['Id'] };
      // The org may refuse it, because a field of the lead does not fit the opportunity or a user locked it.
      await crm.convert(String(before['Id']), wanted).catch(() => undefined);
      await passOn(notice);
      const after = await opportunityOf(deal);
      if (after === null) return;
      if (into === 'new') {
        notes.forgetVat(deal);
        return noteCarried(deal, before, after);
      }
      if (existing !== null && after['Id'] === existing.row['Id']) heirs.set(deal.number, existing.other);
      for (const one of deals) {
        if ((await opportunityOf(one))?.['Id'] !== after['Id']) continue;
        await notes.forgetOthers(one, before);
        await notes.enterBoth(one, after, before);
      }
    },

    /** Merges the lead into a new one of the same person at a group, which keeps the lead's fields. */
    async mergeLead(deal: Deal, notice: Notice): Promise<void> {
      const before = await opportunityOf(deal);
      if (before === null || !isLead(before['Id'])) return;
      const kept = Object.fromEntries(KEPT.map((name) => [name, before[name] ?? null]));
      const winner = await crm.create('Lead', { ...kept, Company: `Group of ${deal.number}` });
      await crm.merge(winner, String(before['Id']));
      await passOn(notice);
      const after = await opportunityOf(deal);
      const [name] = FIELD_ROWS;
      if (after !== null && name !== undefined) notes.enterField(deal, name, 'crm', before, after);
    },

    /** From when on a user can move the stage after the conversion of the deal's lead, in epoch ms: six seconds after it. */
    async canMoveStageAt(deal: Deal): Promise<number> {
      const [former, now] = (await records.trailOf(deal)).slice(-2);
      if (now === undefined || isLead(now)) return 0;
      const lead = (await crm.list('Lead')).find(({ Id }) => Id === former);
      return Date.parse(String(lead?.['SystemModstamp'])) + 6_000;
    },

    /** The deal as which a deal goes on: itself, or the one into whose opportunity its lead was converted. */
    heirOf,

    /** The other deals whose leads became the deal's opportunity. Each may have its own vendor record. */
    async othersOf(deal: Deal): Promise<readonly Deal[]> {
      const id = heirs.size === 0 ? undefined : (await opportunityOf(deal))?.['Id'];
      if (id === undefined) return [];
      const ids = await Promise.all(deals.map(async (one) => (await opportunityOf(one))?.['Id']));
      return deals.filter((one, index) => one !== deal && ids[index] === id);
    },

    /** Whether a deal goes on as another deal, so that only that one is judged. Two vendor records are judged each. */
    hasEnded: async (deal: Deal): Promise<boolean> => heirOf(deal) !== deal && !(await hasRival(deal)),

    /** Whether a sales person made this opportunity for a lead, and it is no deal, because the org refused the conversion. */
    isUnusedTarget: (row: Raw): boolean => targets.has(row['Id']) && !row['Vendor_Id__c'],

    /** The link of a deal: of its present record, or of a lead that it was. */
    async linkOf(deal: Deal, links: readonly LinkRow[]): Promise<LinkRow | undefined> {
      const ids = (await records.trailOf(deal)).toReversed();
      const found = ids.map((id) => links.find(({ crmId }) => crmId === id)).find((link) => link !== undefined);
      return found ?? links.find(({ vendorId }) => deal.crmId === null && vendorId === deal.vendorId);
    },
  };
}

const KEPT: readonly string[] = [
  ...['FirstName', 'LastName', 'Email', 'City', 'Country', 'Status', 'Description', 'Vendor_Share__c'],
  ...['Vendor_Close_Date__c', 'Vendor_Deal_Name__c', 'Vendor_Campaign_Code__c', 'Vendor_GTM_Tactic__c'],
  ...['Vendor_Next_Milestone__c', 'Vendor_Next_Milestone_Date__c', 'Vendor_Reason_Comment__c'],
  ...['Vendor_Reasons_Lost__c', 'Vendor_Competitors__c', 'Vendor_Owner_Email__c', 'Vendor_Forecast_Category__c'],
];
