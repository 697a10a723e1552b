import type { Deal } from './deal.ts';
import type { Raw } from './http.ts';
import { customersOfLead, isLead } from './lead-rows.ts';
import { type Whole, wentUnseen } from './unseen.ts';
import type { World } from './world.ts';

/**
 * Customer data that only the vendor's users entered; Lockstep must not remove it. `saved`: contacts that a vendor which keeps removed rows
 * still listed, and that its users saved again with their own. Contacts are named by `personKey`.
 */
export type VendorCustomer = {
  readonly contacts: readonly string[];
  readonly saved: readonly string[];
  readonly vat?: string;
  readonly formerVat?: string;
};

/** A `VendorCustomer` with the time of each entry by the story's clock. */
type EnteredCustomer = {
  contacts: { readonly person: string; readonly atMs: number }[];
  saved: string[];
  vat?: { readonly number: string; readonly atMs: number };
  /** The VAT number of the deal's former company, which the vendor must not keep for the new one. */
  formerVat?: string;
};

/** A key for a contact of either side; two contacts with equal names have different addresses. */
export function personKey(email: unknown, lastName: unknown): string {
  return `${String(lastName)} <${String(email).toLowerCase()}>`;
}

/** The contacts of a vendor record. */
export function personsOf(lead: Raw): readonly string[] {
  const listed = (lead['customerContact'] ?? []) as readonly Raw[];
  return listed.map((contact) => personKey(contact['email'], contact['lastName']));
}

/**
 * Whether a sent part removes existing rows: a vendor that merges arrays loses only rows that are named, or all rows if the part is empty.
 */
function takesAway(sent: unknown, part: Whole, arrays: 'replace' | 'merge'): boolean {
  if (arrays === 'replace') return true;
  return part === 'customerContacts' ? (sent as readonly unknown[]).length === 0 : 'vatNumber' in (sent as Raw);
}

const HIDDEN_FIELD = 'description';

/** Edits of CRM users to a deal's account and contacts, and of vendor users to the vendor's copy. */
export function createCustomers(
  { crm, vendor, clock, result, ledger, tenant }: World,
  leadOf: (deal: Deal) => Promise<Raw | null>,
  opportunityOf: (deal: Deal) => Promise<Raw | null>,
  { arrays, personAccounts }: { readonly arrays: 'replace' | 'merge'; readonly personAccounts: boolean },
) {
  let contacts = 0;
  /** Numbers of the deals that were moved to another account. */
  const moved = new Set<number>();
  /** Ids of records that the integration user cannot see, and the name of a hidden field. */
  const hidden = new Set<string>();
  const enteredAtVendor = new Map<number, EnteredCustomer>();

  /** The vendor's record if the deal is in the CRM too; otherwise its data would count as the CRM's as well. */
  async function sharedLead(deal: Deal): Promise<Raw | null> {
    return (await opportunityOf(deal)) === null ? null : leadOf(deal);
  }

  function enteredOf({ number }: Deal): EnteredCustomer {
    const known = enteredAtVendor.get(number) ?? { contacts: [], saved: [] };
    enteredAtVendor.set(number, known);
    return known;
  }

  /** Whether the vendor shows the deal's company with its account's name; before that, vendor users enter data of the former company. */
  async function showsTheAccount(deal: Deal, company: Raw): Promise<boolean> {
    const opportunity = await opportunityOf(deal);
    const accounts = await crm.list('Account');
    const account = accounts.find((row) => row['Id'] === opportunity?.['AccountId']);
    return !moved.has(deal.number) || account?.['Name'] === company['name'];
  }

  async function rolesOf(opportunityId: unknown): Promise<readonly Raw[]> {
    const roles = await crm.list('OpportunityContactRole');
    return roles.filter((row) => row['OpportunityId'] === opportunityId && row['IsDeleted'] !== true);
  }

  async function addContact(account: string, opportunityId: string, name: string): Promise<void> {
    const contact = await crm.create('Contact', {
      AccountId: account,
      FirstName: 'Erika',
      LastName: 'Muster',
      Email: `${name}@customer.example`,
    });
    await crm.create('OpportunityContactRole', { OpportunityId: opportunityId, ContactId: contact });
  }

  /** Adds a person account with a company's name, if the org has person accounts. */
  async function addNamesake(FirstName: string, LastName: string, address: Raw): Promise<void> {
    if (!personAccounts) return;
    const type = (await crm.list('RecordType')).find((row) => row['IsPersonType'] === true);
    await crm.create('Account', { ...address, FirstName, LastName, RecordTypeId: type?.['Id'] });
  }

  /** Whether Lockstep knows this opportunity by its lead only, which has no account, so that a move to another customer cannot be seen. */
  async function isUnreadConversion({ Id }: Raw): Promise<boolean> {
    const leads = await crm.list('Lead').catch(() => []);
    if (!leads.some((row) => row['ConvertedOpportunityId'] === Id)) return false;
    const link = await ledger.findLinkByIds(tenant, { crmId: String(Id) });
    return link === null || link.base === null || link.base.fromLead === true;
  }

  return {
    addContact,
    addNamesake,
    enteredAtVendor,

    /**
     * Notes that the vendor's contacts and company stay as they are: a lead's record went on as an opportunity of other customers. `former`:
     * the lead before its conversion, which a create that is under way brings to the vendor.
     */
    async keepAll(deal: Deal, former: Raw): Promise<void> {
      const lead = await leadOf(deal);
      const created = customersOfLead(former).contacts.map((one) => personKey(one['Email'], one['LastName']));
      // An update with the lead's person may still be under way.
      const saved = lead === null ? created : [...personsOf(lead), ...created];
      enteredAtVendor.set(deal.number, { contacts: [], saved });
    },

    /** Forgets the VAT number that vendor users entered for a deal. */
    forgetVat(deal: Deal): void {
      delete enteredOf(deal).vat;
    },

    async addContactAtVendor(deal: Deal): Promise<void> {
      const lead = await sharedLead(deal);
      if (lead === null) return;
      contacts += 1;
      const lastName = `Vendor${contacts}`;
      const added = { email: `${lastName}@customer.example`, firstName: 'Vera', lastName };
      const listed = (lead['customerContact'] ?? []) as readonly Raw[];
      await vendor.edit(String(lead['id']), { customerContact: [...listed, added] });
      const theirs = enteredOf(deal);
      theirs.contacts.push({ person: personKey(added.email, lastName), atMs: clock.readMs() });
      if (arrays === 'merge') theirs.saved.push(...personsOf(lead));
    },

    async fillCompanyAtVendor(deal: Deal, vat: string): Promise<void> {
      const lead = await sharedLead(deal);
      if (lead === null) return;
      const company = { ...(lead['customerLegalEntity'] as Raw), vatNumber: vat };
      await vendor.edit(String(lead['id']), { customerLegalEntity: company });
      const entered = enteredOf(deal);
      delete entered.formerVat;
      if (await showsTheAccount(deal, company)) entered.vat = { number: vat, atMs: clock.readMs() };
      else delete entered.vat;
    },

    /**
     * What the vendor's record must still contain of its users' entries, except for entries that an update without knowledge of them may
     * have removed.
     */
    async keptAtVendor({ number }: Deal, lead: Raw): Promise<VendorCustomer> {
      const entered: EnteredCustomer = enteredAtVendor.get(number) ?? { contacts: [], saved: [] };
      const { contacts: added, saved, vat, formerVat } = entered;
      const listed = personsOf(lead);
      const hasVat = vat === undefined || (lead['customerLegalEntity'] as Raw | null)?.['vatNumber'] === vat.number;
      const isAllThere = hasVat && added.every(({ person }) => listed.includes(person));
      const requests = isAllThere ? [] : await vendor.requests();
      const ours = requests.map((one) => ({
        ...one,
        hand: result.writerAt(one.time),
        leftMs: result.leftMs(one.time),
      }));
      const isGone = (part: Whole, atMs: number): boolean =>
        wentUnseen(ours, lead, { part, atMs, takes: (sent) => takesAway(sent, part, arrays) });
      const kept = added.filter(({ person, atMs }) => listed.includes(person) || !isGone('customerContacts', atMs));
      const hasToShowVat = vat !== undefined && (hasVat || !isGone('customerLegalEntity', vat.atMs));
      return {
        contacts: kept.map(({ person }) => person),
        saved,
        ...(hasToShowVat ? { vat: vat.number } : {}),
        ...(formerVat === undefined ? {} : { formerVat }),
      };
    },

    /** The account and the contacts of an opportunity. */
    async customersOf(opportunity: Raw): Promise<{ readonly account: Raw | null; readonly contacts: readonly Raw[] }> {
      if (isLead(opportunity['Id'])) return customersOfLead(opportunity);
      const [accounts, contacts] = [await crm.list('Account'), await crm.list('Contact')];
      const ids = (await rolesOf(opportunity['Id'])).map((role) => role['ContactId']);
      return {
        account: accounts.find((row) => row['Id'] === opportunity['AccountId']) ?? null,
        contacts: contacts.filter((row) => ids.includes(row['Id'])),
      };
    },

    /** Hides the deal's first contact from the integration user. */
    async hideContact(deal: Deal): Promise<void> {
      const opportunity = await opportunityOf(deal);
      const [role] = await rolesOf(opportunity?.['Id']);
      if (opportunity === null || role === undefined) return;
      hidden.add(String(role['ContactId']));
      await crm.access({ user: 'integration', record: String(role['ContactId']), access: 'none' });
    },

    async hideAccount(deal: Deal): Promise<void> {
      const opportunity = await opportunityOf(deal);
      if (opportunity === null || typeof opportunity['AccountId'] !== 'string') return;
      hidden.add(opportunity['AccountId']);
      await crm.access({ user: 'integration', record: opportunity['AccountId'], access: 'none' });
    },

    /** Hides a field of all deals from the integration user. */
    async hideField(): Promise<void> {
      hidden.add(HIDDEN_FIELD);
      await crm.access({ user: 'integration', field: 'Opportunity.Description', access: 'none' });
    },

    /**
     * Fields of an opportunity, by the oracle's names, that only its users can know, because they are hidden or changed before they were
     * hidden.
     */
    async hiddenOf(opportunity: Raw): Promise<readonly string[]> {
      if (hidden.size === 0) return [];
      const contacts = (await rolesOf(opportunity['Id'])).map((role) => String(role['ContactId']));
      return [
        ...(hidden.has(String(opportunity['AccountId'])) ? ['city', 'company', 'VAT number'] : []),
        ...(contacts.some((id) => hidden.has(id)) ? ['contacts'] : []),
        ...(hidden.has(HIDDEN_FIELD) ? [HIDDEN_FIELD] : []),
      ];
    },

    /** Makes all records and fields visible again; returns whether any was hidden. */
    async grantAll(): Promise<boolean> {
      const wasAnyHidden = hidden.size > 0;
      if (wasAnyHidden) await crm.clearAccess();
      hidden.clear();
      return wasAnyHidden;
    },

    async editAccount(deal: Deal, city: string): Promise<void> {
      const opportunity = await opportunityOf(deal);
      if (isLead(opportunity?.['Id'])) return void (await crm.edit(String(opportunity?.['Id']), { City: city }));
      if (opportunity === null || typeof opportunity['AccountId'] !== 'string') return;
      await crm.edit(opportunity['AccountId'], { BillingCity: city });
    },

    async editContact(deal: Deal, lastName: string): Promise<void> {
      const opportunity = await opportunityOf(deal);
      if (isLead(opportunity?.['Id']))
        return void (await crm.edit(String(opportunity?.['Id']), { LastName: lastName }));
      const [role] = await rolesOf(opportunity?.['Id']);
      if (opportunity === null || role === undefined) return;
      await crm.edit(String(role['ContactId']), { LastName: lastName });
    },

    async addRole(deal: Deal): Promise<void> {
      const opportunity = await opportunityOf(deal);
      if (opportunity === null || typeof opportunity['AccountId'] !== 'string') return;
      contacts += 1;
      await addContact(opportunity['AccountId'], String(opportunity['Id']), `more${contacts}`);
    },

    /** Adds another contact with the first contact's address, in capitals. */
    async repeatContact(deal: Deal): Promise<void> {
      const opportunity = await opportunityOf(deal);
      const [role] = await rolesOf(opportunity?.['Id']);
      const first = (await crm.list('Contact')).find((row) => row['Id'] === role?.['ContactId']);
      if (opportunity === null || first === undefined) return;
      contacts += 1;
      const ContactId = await crm.create('Contact', {
        AccountId: opportunity['AccountId'],
        FirstName: 'Emil',
        LastName: `Twin${contacts}`,
        Email: String(first['Email']).toUpperCase(),
      });
      await crm.create('OpportunityContactRole', { OpportunityId: opportunity['Id'], ContactId });
    },

    /** Removes one contact of several; the last one stays, because the vendor requires one. */
    async removeRole(deal: Deal): Promise<void> {
      const opportunity = await opportunityOf(deal);
      const roles = await rolesOf(opportunity?.['Id']);
      const last = roles.at(-1);
      if (opportunity === null || last === undefined || roles.length === 1) return;
      await crm.remove(String(last['Id']));
    },

    /** Merges a duplicate account of the same company into the deal's account. */
    async mergeAccount(deal: Deal, city: string): Promise<void> {
      const opportunity = await opportunityOf(deal);
      if (opportunity === null || typeof opportunity['AccountId'] !== 'string') return;
      const winner = await crm.create('Account', {
        Name: `Group of ${deal.number}`,
        BillingCity: city,
        BillingCountry: 'DE',
      });
      await crm.merge(winner, opportunity['AccountId']);
      // Nobody who cannot read the former account can tell its merge from a move to another customer, so it counts as a move.
      if (!hidden.has(opportunity['AccountId'])) return;
      moved.add(deal.number);
      delete enteredOf(deal).vat;
    },

    /** Moves the deal to another account: another customer's, or one that shows the same company. */
    async moveAccount(deal: Deal, city: string): Promise<void> {
      const opportunity = await opportunityOf(deal);
      if (opportunity === null || typeof opportunity['AccountId'] !== 'string') return;
      const company = { Name: `Other of ${deal.number}`, BillingCity: city, BillingCountry: 'DE' };
      const former = (await crm.list('Account')).find((row) => row['Id'] === opportunity['AccountId']);
      moved.add(deal.number);
      const other = await crm.create('Account', company);
      await crm.edit(String(opportunity['Id']), { AccountId: other });
      if (Object.entries(company).every(([field, value]) => former?.[field] === value)) return;
      const entered = enteredOf(deal);
      if (entered.vat !== undefined && !(await isUnreadConversion(opportunity))) entered.formerVat = entered.vat.number;
      delete entered.vat;
    },

    async mergeContact(deal: Deal): Promise<void> {
      const opportunity = await opportunityOf(deal);
      const [role] = await rolesOf(opportunity?.['Id']);
      if (opportunity === null || role === undefined) return;
      contacts += 1;
      const winner = await crm.create('Contact', {
        AccountId: opportunity['AccountId'],
        FirstName: 'Maria',
        LastName: 'Klein',
        Email: `maria${contacts}@customer.example`,
      });
      await crm.merge(winner, String(role['ContactId']));
    },
  };
}
