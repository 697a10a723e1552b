import type { MirroredBook } from '../../domain/streams/catalog-refresh.ts';
import type { PortfolioItem } from '../../partner-api/index.ts';
import { mirrored } from '../mirror.ts';
import { KINDS } from '../value.ts';
import { type CatalogRow, CURRENCY, isKey, keyOf, type Need } from './catalog-mirror.ts';
import { OFFER_MIRROR } from './offer-mirrors.ts';
import { STANDARD_BOOK } from './price-rows.ts';

/**
 * The CRM rows for an item of the vendor's portfolio: a product, an entry in the standard price book for each currency of the org, and an
 * entry in each price book that Lockstep created. Empty if the item's id is malformed. The vendor states no price, so a price that the
 * partner has set stays. Pure.
 */
export function offerRows(
  item: PortfolioItem,
  currencies: readonly string[],
  books: readonly MirroredBook[] = [],
): readonly CatalogRow[] {
  const { salesPortfolioId: offer } = item;
  if (!isKey(offer)) return [];
  const { salesPortfolioLevel1, salesPortfolioLevel2, salesPortfolioLevel3 } = item;
  const levels = [salesPortfolioLevel3, salesPortfolioLevel2, salesPortfolioLevel1];
  const name = levels.map((level) => KINDS.text(level)).find((level) => level !== null) ?? offer;
  const isActive = item.salesPortfolioisOrderable !== false;
  return [
    {
      kind: 'offer',
      id: offer,
      fields: {
        Vendor_Portfolio_Item_Id__c: offer,
        ...mirrored(OFFER_MIRROR.fields, item),
        Name: name,
        IsActive: isActive,
      },
    },
    ...currencies.map((currency) => {
      const needs: readonly Need[] = [
        { kind: 'offer', id: offer },
        { kind: CURRENCY, id: currency },
      ];
      return entryRow('offer-entry', keyOf('offer', offer, currency), { offer, book: STANDARD_BOOK, currency, needs });
    }),
    ...books.map(({ id: book, currency }) => {
      // Salesforce requires the standard entry before any other.
      const needs: readonly Need[] = [
        { kind: 'offer-entry', id: keyOf('offer', offer, currency) },
        { kind: 'price-list', id: book },
      ];
      return entryRow('offer-book-entry', keyOf('offer', offer, 'in', book), { offer, book, currency, needs });
    }),
  ];
}

function entryRow(
  kind: CatalogRow['kind'],
  id: string,
  of: { readonly offer: string; readonly book: string; readonly currency: string; readonly needs: readonly Need[] },
): CatalogRow {
  const fields = {
    Vendor_Entry_Key__c: id,
    Pricebook2Id: of.book,
    Product2Id: of.offer,
    CurrencyIsoCode: of.currency,
    UnitPrice: 0,
    IsActive: true,
  };
  return { kind, id, master: of.offer, needs: of.needs, fields };
}
