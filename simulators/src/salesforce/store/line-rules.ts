import { Decimal } from 'decimal.js';
import { expectedRevenue } from './expected-revenue.ts';
import { failure } from './failure.ts';
import { rowsOf } from './relations.ts';
import type { Row, Value } from './row.ts';
import type { ObjectRules, SaveContext } from './rule-types.ts';
import type { Store } from './store.ts';

/** Opportunity products: prices from quantity, the price book they must come from, and the opportunity's amount. */
export const lineRules: ObjectRules = {
  beforeSave: (context) => {
    checkPriceFields(context);
    if (context.before === null) takeFromPriceBook(context);
    completePrices(context);
  },
  afterSave: ({ store, after, touch }) => {
    const opportunity = store.get('Opportunity', String(after['OpportunityId']));
    if (opportunity === undefined || opportunity['IsDeleted'] === true) return;
    const lines = liveLines(store, String(opportunity['Id']));
    const amount = lines.reduce((sum, line) => sum.plus(Number(line['TotalPrice'] ?? 0)), new Decimal(0));
    const quantity = lines.reduce((sum, line) => sum.plus(Number(line['Quantity'] ?? 0)), new Decimal(0));
    const set: Record<string, Value> = {
      Amount: amount.toNumber(),
      TotalOpportunityQuantity: quantity.toNumber(),
      HasOpportunityLineItem: lines.length > 0,
    };
    const all = { ...set, ExpectedRevenue: expectedRevenue({ ...opportunity, ...set }) };
    // A line that does not change its opportunity's values changes no timestamp and triggers no automation.
    const isSame = Object.entries(all).every(([name, value]) => (opportunity[name] ?? null) === value);
    if (!isSame) touch('Opportunity', String(opportunity['Id']), all);
  },
};

function liveLines(store: Store, opportunityId: string): readonly Row[] {
  return rowsOf(store, 'OpportunityLineItem', 'OpportunityId', opportunityId).filter(
    (line) => line['IsDeleted'] !== true,
  );
}

function integrity(message: string, field: string): Error {
  return failure(400, 'FIELD_INTEGRITY_EXCEPTION', `field integrity exception: ${message}`, [field]);
}

/** Refuses a save with both UnitPrice and TotalPrice, and a new line with neither, because each follows from the other. */
function checkPriceFields({ before, given, draft }: SaveContext): void {
  const has = (name: string) => given.has(name) && draft[name] !== null;
  if (has('UnitPrice') && has('TotalPrice')) {
    throw integrity('unknown (only one of unit price or total price may be specified)', 'TotalPrice');
  }
  if (before === null && !has('UnitPrice') && !has('TotalPrice')) {
    const message = 'Required fields are missing: [UnitPrice]';
    throw failure(400, 'REQUIRED_FIELD_MISSING', message, ['UnitPrice']);
  }
}

/**
 * Gives a line the values of its price book entry, which must be active. Sets the opportunity's price book if it has none. Otherwise the
 * entry must be of that price book.
 */
function takeFromPriceBook({ store, draft, touch }: SaveContext): void {
  const entry = store.get('PricebookEntry', String(draft['PricebookEntryId']));
  const opportunity = store.get('Opportunity', String(draft['OpportunityId']));
  if (entry === undefined || opportunity === undefined) return;
  if (entry['IsActive'] !== true) {
    throw integrity('PricebookEntryId (pricebook entry is inactive)', 'PricebookEntryId');
  }
  const bookId = opportunity['Pricebook2Id'] ?? null;
  if (bookId === null) {
    touch('Opportunity', String(opportunity['Id']), { Pricebook2Id: entry['Pricebook2Id'] ?? null });
  } else if (bookId !== entry['Pricebook2Id']) {
    throw integrity(
      'PricebookEntryId (pricebook entry is in a different pricebook than the one assigned to the opportunity)',
      'PricebookEntryId',
    );
  }
  takeCurrency(draft, entry, opportunity);
  const product = store.get('Product2', String(entry['Product2Id']));
  draft['Product2Id'] = entry['Product2Id'] ?? null;
  draft['ProductCode'] = product?.['ProductCode'] ?? null;
  draft['Name'] = `${opportunity['Name']} ${product?.['Name']}`;
  draft['ListPrice'] = entry['UnitPrice'] ?? null;
  draft['SortOrder'] = liveLines(store, String(opportunity['Id'])).length + 1;
}

/** In a multi-currency org a line has its opportunity's currency, and so must its price. */
function takeCurrency(draft: SaveContext['draft'], entry: Row, opportunity: Row): void {
  const { CurrencyIsoCode: currency } = opportunity;
  if (currency === undefined) return;
  if (entry['CurrencyIsoCode'] !== currency) {
    throw integrity(
      'PricebookEntryId (pricebook entry currency code does not match opportunity currency code)',
      'PricebookEntryId',
    );
  }
  draft['CurrencyIsoCode'] = currency;
}

function completePrices({ draft, given }: SaveContext): void {
  const quantity = new Decimal(Number(draft['Quantity'] ?? 0));
  const share = new Decimal(100).minus(Number(draft['Discount'] ?? 0)).div(100);
  if (given.has('TotalPrice') && draft['TotalPrice'] !== null) {
    const divisor = quantity.times(share);
    const unit = divisor.isZero() ? new Decimal(0) : new Decimal(Number(draft['TotalPrice'])).div(divisor);
    draft['UnitPrice'] = unit.toDecimalPlaces(2).toNumber();
  } else {
    const unit = new Decimal(Number(draft['UnitPrice'] ?? 0));
    draft['TotalPrice'] = unit.times(quantity).times(share).toDecimalPlaces(2).toNumber();
  }
  draft['Subtotal'] = quantity
    .times(Number(draft['UnitPrice'] ?? 0))
    .toDecimalPlaces(2)
    .toNumber();
}
