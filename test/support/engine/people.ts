import { chosenCloseDate } from './close-date.ts';
import { createClosedDeals } from './closed-deals.ts';
import { createConflicts } from './conflicts.ts';
import { createContests } from './contests.ts';
import { createCrmLines } from './crm-lines.ts';
import { createCustomers } from './customers.ts';
import type { Deal, Entered, LineChange, Notice } from './deal.ts';
import { forgetVendors } from './entered.ts';
import { createEnteredLines } from './entered-lines.ts';
import {
  CLOSED,
  comparable,
  EARLY,
  FIELD_ROWS,
  type FieldRow,
  linesKey,
  OFFERS,
  statusOf,
  vendorLines,
  vendorValue,
} from './fields.ts';
import type { Raw } from './http.ts';
import { asLeadFields, isLead, leadStatusLike } from './lead-rows.ts';
import { createLeads } from './leads.ts';
import { createMessages } from './messages.ts';
import { createOpenPicks, type Side } from './open-picks.ts';
import { createRecords } from './records.ts';
import { createRevenueTypes } from './revenue-types.ts';
import type { World } from './world.ts';

/** Options of the story: how the vendor handles arrays, and whether users decide conflicts of some fields. */
type Habits = {
  readonly arrays: 'replace' | 'merge';
  readonly manual?: boolean;
  /** Whether the org has a person account with each customer's name. */
  readonly personAccounts?: boolean;
};

export type People = ReturnType<typeof createPeople>;

/** The simulated users of both systems, who act through the admin APIs, and their entries. */
export function createPeople(world: World, { arrays, manual = false, personAccounts = false }: Habits) {
  const { vendor, crm, clock } = world;
  const { passOn } = createMessages(world);
  const deals: Deal[] = [];
  const entered = new Map<string, Entered>();
  const goneAtVendor = new Set<number>();
  const closedDeals = createClosedDeals(entered);
  const copies = new Map<string, Deal>();
  const records = createRecords(world, deals, copies);
  const { opportunityOf, leadsOf } = records;
  const notes = new Map<number, string>();
  const emptiedAtOnce = new Set<number>();
  const contests = createContests();
  const picks = createOpenPicks(entered, contests);
  const { linesOf, addLine } = createCrmLines(crm);
  const { noteType, seeLines } = createEnteredLines(world, entered);

  function enter(deal: Deal, field: string, side: keyof Entered, value: string): void {
    conflicts.forget(deal, field);
    picks.oppose(deal, field, side);
    const key = `${deal.number} ${field}`;
    entered.set(key, { ...entered.get(key), [side]: value });
  }

  function enterField(deal: Deal, field: FieldRow, side: 'crm' | 'vendor', before: Raw, after: Raw): void {
    const name = side === 'crm' ? field.crmField : field.vendorField;
    const value = comparable(field.kind, after[name]);
    enter(deal, field.name, side, value);
    contests.note(deal, {
      field: field.name,
      side,
      before: comparable(field.kind, before[name]),
      after: value,
      atMs: clock.readMs(),
    });
  }

  /** Notes an edit of the status; of two statuses, only a user's pick makes one lose. */
  function enterStatus(deal: Deal, side: Side, before: string, after: string): void {
    enter(deal, 'status', side, after);
    const isContested = Object.keys(contests.of(deal, 'status')).length > 0;
    if (isContested) contests.note(deal, { field: 'status', side, before, after, atMs: clock.readMs() });
  }

  function enterStage(deal: Deal, before: Raw, after: Raw): void {
    enterStatus(deal, 'crm', statusOf(before), statusOf(after));
    closedDeals.movedInCrm(deal, statusOf(after), picks.sideOf(deal, 'status') === 'vendor');
  }

  async function leadOf(deal: Deal): Promise<Raw | null> {
    return (await leadsOf(deal))[0] ?? null;
  }

  async function wasRead(lead: Raw): Promise<boolean> {
    const link = await world.ledger.findLinkByIds(world.tenant, { vendorId: String(lead['id']) });
    return link !== null && link.vendorObservation !== null;
  }

  async function changeInCrm(deal: Deal, set: Raw, notice: Notice, lateMs = 0): Promise<Raw | null> {
    const before = await opportunityOf(deal);
    if (before === null) return null;
    const fields = isLead(before['Id']) ? asLeadFields(set) : set;
    // The row is locked from save to commit, so it was saved after the values that are visible now.
    const stampMs = Math.max(clock.readMs() - lateMs, instantMs(before['SystemModstamp']) + 1_000);
    const at = lateMs === 0 ? undefined : new Date(stampMs).toISOString();
    await crm.edit(String(before['Id']), fields, at);
    await passOn(notice);
    return opportunityOf(deal);
  }

  /**
   * If two records never agreed, either side's value may stay. `former`: the lead that became the opportunity, whose edits the vendor may
   * not have yet; they stay where the opportunity has no value.
   */
  async function enterBoth(deal: Deal, opportunity: Raw, former: Raw = {}): Promise<void> {
    const lead = (await leadOf(deal)) ?? {};
    const shown: Raw = { ...opportunity, CloseDate: await chosenCloseDate(world, opportunity) };
    for (const { name, kind, crmField, vendorField } of FIELD_ROWS) {
      enter(deal, name, 'crm', comparable(kind, shown[crmField] ?? former[crmField]));
      enter(deal, name, 'vendor', comparable(kind, lead[vendorField]));
      contests.forget(deal, name);
    }
    enter(deal, 'status', 'crm', statusOf(opportunity));
    enter(deal, 'status', 'vendor', String(lead['status']));
    enter(deal, 'offerLines', 'crm', linesKey(await linesOf(String(opportunity['Id']))));
    enter(deal, 'offerLines', 'vendor', linesKey(vendorLines(lead)));
    revenue.forget(deal);
  }

  const customers = createCustomers(world, leadOf, opportunityOf, { arrays, personAccounts });
  const revenue = createRevenueTypes(world, { opportunityOf, leadOf, linesOf, noteType, entered });
  const conflicts = createConflicts(world, { ...records, leadOf }, closedDeals, picks);

  const leads = createLeads(
    world,
    { deals, entered, records, passOn },
    {
      ...{ enterField, enterStage, enterBoth, forgetContest: contests.forget },
      forgetVat: customers.forgetVat,
      forgetOthers: (deal, former) => {
        revenue.forget(deal);
        return customers.keepAll(deal, former);
      },
    },
  );

  return {
    ...customers,
    conflicts,
    contests,
    revenue,
    /** Deals that had no lines a moment after their vendor record was made, which may be the vendor's own effect. */
    emptiedAtOnce,
    /** Whether users decide conflicts of some fields. */
    isManual: manual,
    deals,
    entered,
    /** Deals whose vendor record was deleted, which no search for changes shows. */
    goneAtVendor,
    closedDeals,
    /** Records that vendor users made by hand for CRM opportunities, by their ids. */
    copies,
    /** Notes of vendor users for the CRM's users. */
    notes,
    ...records,
    ...leads,
    leadOf,
    linesOf,

    async makeInCrm(lines: number, notice: Notice): Promise<void> {
      const number = deals.length;
      await customers.addNamesake('Customer', String(number), { BillingCity: 'Bonn', BillingCountry: 'DE' });
      const account = await crm.create('Account', {
        Name: `Customer ${number}`,
        BillingCity: 'Bonn',
        BillingCountry: 'DE',
      });
      const crmId = await crm.create('Opportunity', {
        Name: `Deal ${number}`,
        AccountId: account,
        StageName: 'Value Proposition',
        CloseDate: '2027-05-31',
        Vendor_Share__c: true,
      });
      await customers.addContact(account, crmId, `erika${number}`);
      for (let line = 0; line < lines; line += 1) {
        await addLine(crmId, OFFERS[line % OFFERS.length] ?? '', 1000 + line);
      }
      deals.push({ number, crmId, vendorId: null });
      await passOn(notice);
    },

    async makeAtVendor(): Promise<void> {
      const number = deals.length;
      const home = { BillingCity: 'Lyon', BillingCountry: 'FR' };
      if (!(await crm.isReadOnly())) await customers.addNamesake('Vendor customer', String(number), home);
      const vendorId = await vendor.create('leadOpportunity', {
        name: `Vendor deal ${number}`,
        closeDate: '2027-05-31T00:00:00.000Z',
        offerLines: [{ offerNameId: OFFERS[0], amount: 500 }],
        customerLegalEntity: { name: `Vendor customer ${number}`, city: 'Lyon', country: 'FR' },
      });
      deals.push({ number, crmId: null, vendorId });
    },

    /** Creates a vendor record by hand if the vendor has none for the deal, with the 15-character id of Salesforce reports. */
    async copyToVendor(deal: Deal): Promise<void> {
      const opportunity = await opportunityOf(deal);
      if (deal.crmId === null || opportunity?.['Vendor_Share__c'] !== true) return;
      const reference = String(opportunity['Id']).slice(0, 15);
      if (goneAtVendor.has(deal.number) || (await leadOf(deal)) !== null) return;
      const id = await vendor.create('leadOpportunity', {
        name: `Copy of ${deal.number}`,
        closeDate: '2027-06-30T00:00:00.000Z',
        partnerLeadOpportunityId: reference,
        offerLines: [{ offerNameId: OFFERS[0], amount: 500 }],
        customerLegalEntity: { name: `Copied customer ${deal.number}`, city: 'Lyon', country: 'FR' },
      });
      copies.set(id, deal);
      await enterBoth(deal, opportunity);
    },

    async writeNoteAtVendor(deal: Deal, text: string): Promise<void> {
      const lead = await leadOf(deal);
      if (lead === null) return;
      await vendor.edit(String(lead['id']), { poInformation: text });
      notes.set(deal.number, text);
    },

    /** An administrator empties the vendor id; other users cannot, because of the package. */
    async emptyVendorId(deal: Deal, notice: Notice): Promise<void> {
      if (deal.crmId === null) return;
      await crm.permit('Lockstep_Owned_Fields', 'edit');
      await changeInCrm(deal, { Vendor_Id__c: null }, notice);
    },

    /** Lets the integration user see everything again and saves every opportunity; returns whether anything was hidden. */
    async showAll(): Promise<boolean> {
      if (!(await customers.grantAll())) return false;
      await world.scheduler.leap(SEEN_AGAIN_MS);
      for (const deal of deals) {
        const opportunity = await opportunityOf(deal);
        const shared = opportunity?.['Vendor_Share__c'];
        if (shared !== undefined) await changeInCrm(deal, { Vendor_Share__c: shared }, 'now');
      }
      return true;
    },

    /** `lateMs`: the transaction saved and set its stamp this long ago, and commits now. */
    async editInCrm(deal: Deal, field: FieldRow, value: string | null, notice: Notice, lateMs = 0): Promise<void> {
      const before = await opportunityOf(deal);
      const after = await changeInCrm(deal, { [field.crmField]: value }, notice, lateMs);
      if (before === null || after === null) return;
      // Nobody can tell a user's date from the same date that Salesforce chose a moment ago.
      if (field.name === 'closeDate' && (await chosenCloseDate(world, after)) !== after['CloseDate']) return;
      for (const one of [deal, ...(await leads.othersOf(deal))]) enterField(one, field, 'crm', before, after);
    },

    async editBoth(
      deal: Deal,
      field: FieldRow,
      {
        value,
        other,
        notice,
      }: { readonly value: string | null; readonly other: string | null; readonly notice: Notice },
    ): Promise<void> {
      await conflicts.editBoth(deal, field, async () => {
        await this.editInCrm(deal, field, value, notice);
        await this.editAtVendor(deal, field, other);
      });
    },

    async moveStage(deal: Deal, stage: string, notice: Notice): Promise<void> {
      const before = await opportunityOf(deal);
      if (before === null) return;
      clock.advanceTo(await leads.canMoveStageAt(deal));
      const now = isLead(before['Id']) ? leadStatusLike(stage) : stage;
      const after = await changeInCrm(deal, { StageName: now }, notice);
      // A lead status may stand for several vendor statuses, so saving the same one again chooses none of them.
      if (after !== null && after['StageName'] !== before['StageName']) enterStage(deal, before, after);
    },

    async share(deal: Deal, shared: boolean, notice: Notice): Promise<void> {
      await changeInCrm(deal, { Vendor_Share__c: shared }, notice);
    },

    /** `lateMs`: the edit began and got its stamp this long ago, and becomes visible now. */
    async editAtVendor(deal: Deal, field: FieldRow, value: string | null, lateMs = 0): Promise<void> {
      const lead = await leadOf(deal);
      if (lead === null) return;
      // Nothing distinguishes the default owner, whose address is not known beforehand, from an owner entered before Lockstep's first read.
      if (field.name === 'dsOwnerEmail' && !(await wasRead(lead))) return;
      const isEarly = field.name === 'forecastCategory' && CLOSED_OR_EARLY.has(String(lead['status']));
      if (isEarly) return;
      // Later than the visible stamp, because edits of one record wait for each other.
      const stampMs = Math.max(clock.readMs() - lateMs, Date.parse(String(lead['modifiedDate'])) + 1);
      const at = lateMs === 0 ? undefined : new Date(stampMs).toISOString();
      await vendor.edit(String(lead['id']), { [field.vendorField]: vendorValue(field, value) }, at);
      world.noteLag(lateMs);
      enterField(deal, field, 'vendor', lead, (await leadOf(deal)) ?? {});
    },

    async moveStatus(deal: Deal, status: string): Promise<void> {
      const lead = await leadOf(deal);
      if (lead === null) return;
      await vendor.edit(String(lead['id']), { status });
      enterStatus(deal, 'vendor', String(lead['status']), status);
      closedDeals.movedAtVendor(deal);
    },

    async changeCurrencyAtVendor(deal: Deal, currency: string): Promise<void> {
      const lead = await leadOf(deal);
      // The test bed's CRM has one currency and cannot import another.
      if (lead === null || (await opportunityOf(deal)) === null) return;
      await vendor.edit(String(lead['id']), { currency });
    },

    async changeLineInCrm(deal: Deal, change: LineChange, notice: Notice): Promise<void> {
      const opportunity = await opportunityOf(deal);
      if (opportunity === null || isLead(opportunity['Id'])) return;
      const id = String(opportunity['Id']);
      const lines = await linesOf(id);
      const line = lines[change.which % Math.max(1, lines.length)];
      seeLines(deal, 'crm', linesKey(lines));
      if (change.what === 'add') await addLine(id, change.offer, change.amount);
      else if (line === undefined) return;
      else if (change.what === 'amount') await crm.edit(line.id, { TotalPrice: change.amount });
      else {
        await crm.remove(line.id);
        revenue.forget(deal);
      }
      enter(deal, 'offerLines', 'crm', linesKey(await linesOf(id)));
      await passOn(notice);
    },

    async changeLineAtVendor(deal: Deal, change: LineChange): Promise<void> {
      const lead = await leadOf(deal);
      if (lead === null) return;
      const lines = lead['offerLines'] as readonly Raw[];
      const at = change.which % Math.max(1, lines.length);
      seeLines(deal, 'vendor', linesKey(vendorLines(lead)), lead);
      const added = { offerNameId: change.offer, amount: change.amount };
      const offerLines =
        change.what === 'add'
          ? [...lines, added]
          : change.what === 'amount'
            ? lines.map((line, place) => (place === at ? { ...line, amount: change.amount } : line))
            : lines.filter((_, place) => place !== at);
      await vendor.edit(String(lead['id']), { offerLines });
      const isJustMade = clock.readMs() - Date.parse(String(lead['createdDate'])) <= OWN_WORK_MS;
      if (isJustMade && offerLines.length === 0) emptiedAtOnce.add(deal.number);
      if (change.what === 'delete') revenue.forget(deal);
      enter(deal, 'offerLines', 'vendor', linesKey(vendorLines((await leadOf(deal)) ?? {})));
    },

    /** An approval locks the deal; sales users who may modify all opportunities can still edit it. */
    async lock(deal: Deal, locked: boolean): Promise<void> {
      const opportunity = await opportunityOf(deal);
      if (opportunity !== null) await crm.lock(String(opportunity['Id']), locked);
    },

    /** Restores the opportunity from the recycle bin. */
    async undeleteInCrm(deal: Deal): Promise<void> {
      const deleted = await records.deletedOf(deal);
      if (deleted !== null) await crm.undelete(deleted);
    },

    async deleteInCrm(deal: Deal): Promise<void> {
      const opportunity = await opportunityOf(deal);
      if (opportunity === null) return;
      await crm.remove(String(opportunity['Id']));
    },

    async deleteAtVendor(deal: Deal): Promise<void> {
      const lead = await leadOf(deal);
      if (lead === null || [...copies.values()].includes(deal)) return;
      await vendor.remove(String(lead['id']));
      goneAtVendor.add(deal.number);
      forgetVendors(deal, entered, [customers.enteredAtVendor, notes]);
      // The opportunity goes on with the vendor record of another lead that became it.
      const opportunity = await opportunityOf(deal);
      if (opportunity !== null && (await leadOf(deal)) !== null) await enterBoth(deal, opportunity);
    },
  };
}

/** The time within which the vendor makes its own changes to a new record. */
const OWN_WORK_MS = 2_000;

/** The time after which hidden fields are requested again. */
const SEEN_AGAIN_MS = 600_000;

const CLOSED_OR_EARLY: ReadonlySet<string> = new Set([...CLOSED, ...EARLY]);

/** Epoch milliseconds of a Salesforce date-time, whose offset has no colon. */
function instantMs(value: unknown): number {
  return Date.parse(String(value).replace('+0000', 'Z'));
}
