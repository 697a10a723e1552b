import type { PortfolioItem } from '../../partner-api/index.ts';
import { mirrored } from '../mirror.ts';
import { KINDS } from '../value.ts';
import { type CatalogRow, CURRENCY, isKey, keyOf } from './catalog-mirror.ts';
import { OFFER_MIRROR } from './offer-mirrors.ts';
import { STANDARD_BOOK } from './price-rows.ts';

/**
 * The rows of a portfolio item: a product, and an entry in the standard price book for each currency of the org. Empty if the item has no
 * usable id. The vendor gives no price, so a price that the partner set stays. Pure.
 */
export function offerRows(item: PortfolioItem, currencies: readonly string[]): readonly CatalogRow[] {
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
    ...currencies.map((currency): CatalogRow => {
      const id = keyOf('offer', offer, currency);
      return {
        kind: 'offer-entry',
        id,
        master: offer,
        needs: [
          { kind: 'offer', id: offer },
          { kind: CURRENCY, id: currency },
        ],
        fields: {
          Vendor_Entry_Key__c: id,
          Pricebook2Id: STANDARD_BOOK,
          Product2Id: offer,
          CurrencyIsoCode: currency,
          UnitPrice: 0,
          IsActive: true,
        },
      };
    }),
  ];
}
