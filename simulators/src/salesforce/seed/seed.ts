import { readFileSync } from 'node:fs';
import type { Org } from '../org.ts';
import { plantCurrencies } from '../org-rules/plant-currencies.ts';
import { plantLeadStatuses } from '../org-rules/plant-lead-statuses.ts';
import { plantRecordTypes } from '../org-rules/plant-record-types.ts';
import type { ObjectDef } from '../schema/types.ts';
import { plantSetup } from '../setup/plant-setup.ts';
import { failure } from '../store/failure.ts';
import { toApiInstant } from '../store/instant.ts';
import type { Row, Value } from '../store/row.ts';
import { DEMO_ACCOUNTS } from './demo-accounts.ts';

export type SeedName = 'demo' | 'empty';

export type SeedUsers = {
  readonly isSandbox?: boolean;
  readonly salesUsername: string;
  readonly integrationUsername: string;
};

/**
 * Fills an empty org: organization, the two users and the standard price book; `demo` adds products with the vendor's
 * offers, prices, accounts and contacts. No opportunity is made.
 */
export function seedOrg(org: Org, seed: SeedName, users: SeedUsers): void {
  org.store.transact(() => {
    const { organizationId, salesUserId, integrationUserId } = org.identity;
    plant(org, 'Organization', organizationId, {
      Name: 'Northwind Reseller',
      InstanceName: 'SIM1',
      OrganizationType: 'Developer Edition',
      IsSandbox: users.isSandbox === true,
      Country: 'FR',
    });
    plant(org, 'User', salesUserId, person('Claire', 'Martin', users.salesUsername));
    plant(org, 'User', integrationUserId, person('Lockstep', 'Integration', users.integrationUsername));
    plantRecordTypes(org);
    plantCurrencies(org);
    plantLeadStatuses(org);
    plantSetup(org);
    const standardBookId = org.store.nextId('01s');
    plant(org, 'Pricebook2', standardBookId, {
      Name: 'Standard Price Book',
      IsActive: true,
      IsStandard: true,
    });
    if (seed === 'demo') seedDemo(org, standardBookId);
  });
}

function person(firstName: string, lastName: string, username: string): Record<string, Value> {
  return {
    Username: username,
    FirstName: firstName,
    LastName: lastName,
    Name: `${firstName} ${lastName}`,
    Email: username,
    Alias: lastName.slice(0, 8).toLowerCase(),
    IsActive: true,
    UserType: 'Standard',
  };
}

/** Adds the row of a user. */
export function userRow(
  org: Org,
  id: string,
  { firstName, lastName }: Readonly<Record<'firstName' | 'lastName', string>>,
): void {
  plant(org, 'User', id, person(firstName, lastName, `${lastName}.${id}@reseller.example`.toLowerCase()));
}

/** Puts a system row with a given id, which API clients cannot create. */
function plant(org: Org, type: string, id: string, fields: Readonly<Record<string, Value>>): void {
  const object = objectNamed(org, type);
  const at = toApiInstant(org.clock.now());
  const { salesUserId } = org.identity;
  const row: Record<string, Value> = {};
  for (const field of object.fields.values()) row[field.name] = field.defaultValue;
  Object.assign(row, { Id: id, CreatedDate: at, CreatedById: salesUserId });
  Object.assign(row, { LastModifiedDate: at, LastModifiedById: salesUserId, SystemModstamp: at });
  org.store.put(type, { ...row, ...fields } satisfies Row);
}

function seedDemo(org: Org, standardBookId: string): void {
  const author = { userId: org.identity.salesUserId };
  const create = (type: string, fields: Readonly<Record<string, Value>>) =>
    org.dml.create(objectNamed(org, type), fields, author);
  for (const [position, { id, name }] of readOffers().entries()) {
    const productId = create('Product2', {
      Name: name,
      ProductCode: id,
      IsActive: true,
      Vendor_Offer_Id__c: id,
    });
    create('PricebookEntry', {
      Pricebook2Id: standardBookId,
      Product2Id: productId,
      UnitPrice: 1200 + 350 * position,
      IsActive: true,
    });
  }
  for (const { account, contacts } of DEMO_ACCOUNTS) {
    const accountId = create('Account', withKnownPlaces(org, account));
    for (const contact of contacts) create('Contact', { ...contact, AccountId: accountId });
  }
}

/** The fields of an account without a country or state that the org's picklists do not have. */
function withKnownPlaces({ store }: Org, account: Readonly<Record<string, Value>>): Record<string, Value> {
  const { BillingCountry = null, BillingState = null, ...others } = account;
  const { countries } = store.schema;
  if (countries.length === 0) return { ...account };
  const country = countries.find(({ name }) => name === BillingCountry);
  const state = country?.states.find(({ name }) => name === BillingState);
  return {
    ...others,
    ...(country === undefined ? {} : { BillingCountry: country.name }),
    ...(state === undefined ? {} : { BillingState: state.name }),
  };
}

/** The vendor's offers that both simulators know. */
function readOffers(): readonly { readonly id: string; readonly name: string }[] {
  const file = new URL('../../core/seed/offers.json', import.meta.url);
  const offers = JSON.parse(readFileSync(file, 'utf8')) as {
    id: string;
    name: string;
    orderable?: boolean;
  }[];
  return offers.filter(({ orderable }) => orderable !== false);
}

function objectNamed(org: Org, type: string): ObjectDef {
  const object = org.store.schema.object(type);
  if (object === undefined) throw failure(400, 'INVALID_TYPE', `sObject type '${type}' is not supported.`, []);
  return object;
}
