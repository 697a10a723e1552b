import type { Deal } from './deal.ts';
import type { Raw } from './http.ts';
import { type Whole, wentUnseen } from './unseen.ts';
import type { World } from './world.ts';

/**
 * What the vendor's people entered of a customer that the CRM never had: nobody may take it away. `saved`: contacts that a
 * vendor which keeps removed rows still listed, and that they saved again with their own. Contacts as `personKey` names them.
 */
export type VendorCustomer = {
  readonly contacts: readonly string[];
  readonly saved: readonly string[];
  readonly vat?: string;
  readonly formerVat?: string;
};

/** The same as it was entered, by the story's clock. */
type EnteredCustomer = {
  contacts: { readonly person: string; readonly atMs: number }[];
  saved: string[];
  vat?: { readonly number: string; readonly atMs: number };
  /** The VAT number of a company that the deal is not any more: the vendor may not keep it for the other one. */
  formerVat?: string;
};

/** A contact of either side: two people of one name differ in their addresses. */
export function personKey(email: unknown, lastName: unknown): string {
  return `${String(lastName)} <${String(email).toLowerCase()}>`;
}

/** The contacts of a vendor's record. */
export function personsOf(lead: Raw): readonly string[] {
  const listed = (lead['customerContact'] ?? []) as readonly Raw[];
  return listed.map((contact) => personKey(contact['email'], contact['lastName']));
}

/** Whether a part that was sent takes away what is not in it: a vendor that lays it over its own loses what it names, or all rows to none. */
function takesAway(sent: unknown, part: Whole, arrays: 'replace' | 'merge'): boolean {
  if (arrays === 'replace') return true;
  return part === 'customerContacts' ? (sent as readonly unknown[]).length === 0 : 'vatNumber' in (sent as Raw);
}

const HIDDEN_FIELD = 'description';

/** What the CRM's users do to the account and the contacts of a deal, and the vendor's to their own record of them. */
export function createCustomers(
  { crm, vendor, clock, result }: World,
  leadOf: (deal: Deal) => Promise<Raw | null>,
  opportunityOf: (deal: Deal) => Promise<Raw | null>,
  { arrays, personAccounts }: { readonly arrays: 'replace' | 'merge'; readonly personAccounts: boolean },
) {
  let contacts = 0;
  /** Numbers of the deals that were moved to another account. */
  const moved = new Set<number>();
  /** Ids of what the integration user may not see, and the name of a field. */
  const hidden = new Set<string>();
  const enteredAtVendor = new Map<number, EnteredCustomer>();

  /** The vendor's record, once the deal is in the CRM too: what was there before is the CRM's as well. */
  async function sharedLead(deal: Deal): Promise<Raw | null> {
    return (await opportunityOf(deal)) === null ? null : leadOf(deal);
  }

  function enteredOf({ number }: Deal): EnteredCustomer {
    const known = enteredAtVendor.get(number) ?? { contacts: [], saved: [] };
    enteredAtVendor.set(number, known);
    return known;
  }

  /** Whether the vendor shows the deal's company by the name of its account: until then its users enter what they know of the former one. */
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

  /** A person account with the name of a company, if the org has person accounts. */
  async function addNamesake(FirstName: string, LastName: string, address: Raw): Promise<void> {
    if (!personAccounts) return;
    const type = (await crm.list('RecordType')).find((row) => row['IsPersonType'] === true);
    await crm.create('Account', { ...address, FirstName, LastName, RecordTypeId: type?.['Id'] });
  }

  return {
    addContact,
    addNamesake,
    enteredAtVendor,

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

    /** What the vendor's record has to show of what its users entered: an update that could not know of it may have taken it away. */
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

    /** Account and contacts of an opportunity. */
    async customersOf(opportunity: Raw): Promise<{ readonly account: Raw | null; readonly contacts: readonly Raw[] }> {
      const [accounts, contacts] = [await crm.list('Account'), await crm.list('Contact')];
      const ids = (await rolesOf(opportunity['Id'])).map((role) => role['ContactId']);
      return {
        account: accounts.find((row) => row['Id'] === opportunity['AccountId']) ?? null,
        contacts: contacts.filter((row) => ids.includes(row['Id'])),
      };
    },

    /** The integration user may not see the first contact of a deal. */
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

    /** Of all deals. */
    async hideField(): Promise<void> {
      hidden.add(HIDDEN_FIELD);
      await crm.access({ user: 'integration', field: 'Opportunity.Description', access: 'none' });
    },

    /** What of an opportunity nobody but its users can know, as the oracle names it: what changed before it was hidden among that. */
    async hiddenOf(opportunity: Raw): Promise<readonly string[]> {
      if (hidden.size === 0) return [];
      const contacts = (await rolesOf(opportunity['Id'])).map((role) => String(role['ContactId']));
      return [
        ...(hidden.has(String(opportunity['AccountId'])) ? ['city', 'company', 'VAT number'] : []),
        ...(contacts.some((id) => hidden.has(id)) ? ['contacts'] : []),
        ...(hidden.has(HIDDEN_FIELD) ? [HIDDEN_FIELD] : []),
      ];
    },

    /** All may be seen again; whether anything could not. */
    async grantAll(): Promise<boolean> {
      const wasAnyHidden = hidden.size > 0;
      if (wasAnyHidden) await crm.clearAccess();
      hidden.clear();
      return wasAnyHidden;
    },

    async editAccount(deal: Deal, city: string): Promise<void> {
      const opportunity = await opportunityOf(deal);
      if (opportunity === null || typeof opportunity['AccountId'] !== 'string') return;
      await crm.edit(opportunity['AccountId'], { BillingCity: city });
    },

    async editContact(deal: Deal, lastName: string): Promise<void> {
      const opportunity = await opportunityOf(deal);
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

    /** Another one with the address of the deal's first, in capitals. */
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

    /** One contact of several; the last one stays, because the vendor needs one. */
    async removeRole(deal: Deal): Promise<void> {
      const opportunity = await opportunityOf(deal);
      const roles = await rolesOf(opportunity?.['Id']);
      const last = roles.at(-1);
      if (opportunity === null || last === undefined || roles.length === 1) return;
      await crm.remove(String(last['Id']));
    },

    /** Its account is found to be a second one of the same company, and merged into the first. */
    async mergeAccount(deal: Deal, city: string): Promise<void> {
      const opportunity = await opportunityOf(deal);
      if (opportunity === null || typeof opportunity['AccountId'] !== 'string') return;
      const winner = await crm.create('Account', {
        Name: `Group of ${deal.number}`,
        BillingCity: city,
        BillingCountry: 'DE',
      });
      await crm.merge(winner, opportunity['AccountId']);
    },

    /** It turns out to be the deal of another customer, whom the org has as an account of its own. */
    async moveAccount(deal: Deal, city: string): Promise<void> {
      const opportunity = await opportunityOf(deal);
      if (opportunity === null || typeof opportunity['AccountId'] !== 'string') return;
      moved.add(deal.number);
      const other = await crm.create('Account', {
        Name: `Other of ${deal.number}`,
        BillingCity: city,
        BillingCountry: 'DE',
      });
      await crm.edit(String(opportunity['Id']), { AccountId: other });
      const entered = enteredOf(deal);
      if (entered.vat !== undefined) entered.formerVat = entered.vat.number;
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
